import { field, types } from '#core/index.ts';
import { GROUP, template } from '../notification-type.ts';

/** What the notifications of chat services have in common. */
export const webhookUrlField = (service: string, placeholder: string) =>
  field(types.secret(), {
    humanName: 'Webhook URL',
    description: `The address of an incoming webhook, as ${service} shows it. Whoever knows it can send there, so it is never shown again.`,
    placeholder,
  });

export const backlogSizeField = field(types.integer({ min: 0, max: 20 }), {
  humanName: 'Messages',
  description: 'How many of the newest messages are shown.',
  default: 5,
  optional: true,
});

export const customMessageField = field(template({ multiline: true }), {
  humanName: 'Text',
  description: 'A template for the text. Without one it says what was found.',
  optional: true,
  group: GROUP.template,
});

/** How long a chat service may take. */
export const WEBHOOK_TIMEOUT_MS = 15_000;
