import { type ConfigurationOf, field, types } from '#core/index.ts';
import type { AlertNotice } from '../../notice.ts';
import {
  commonFields,
  defineNotificationType,
  GROUP,
  type NotificationContext,
} from '../../notification-type.ts';
import { asIs, shorten } from '../../template/escape.ts';
import { chatText, customMessageField, postToWebhook } from '../webhook.ts';

const ntfyFields = {
  topic: field(
    types.text({ pattern: /^[-_A-Za-z0-9]{1,64}$/, expected: 'up to 64 letters, digits, - and _' }),
    {
      humanName: 'Topic',
      description: 'Phones subscribe to it. On a public server whoever knows the topic can read it.',
      placeholder: 'alerts-3f2b8c1e',
    },
  ),
  server_url: field(types.httpUri(), {
    humanName: 'Server',
    description: 'The ntfy server.',
    default: 'https://ntfy.sh/',
    optional: true,
    receivesSecrets: true,
  }),
  access_token: field(types.secret(), {
    humanName: 'Access token',
    description: 'For topics that need one.',
    optional: true,
  }),
  custom_message: customMessageField,
  tags: field(types.list(types.text({ maxLength: 50 })), {
    humanName: 'Tags',
    description: 'Shown beside the title; names of emojis become emojis.',
    default: [],
    optional: true,
    group: GROUP.more,
  }),
  ...commonFields,
};

type NtfyConfig = ConfigurationOf<typeof ntfyFields>;

/** ntfy makes a file of a longer message. */
const MAX_MESSAGE_BYTES = 4000;
const MAX_TITLE_LENGTH = 250;

/** 5 is the loudest. */
const PRIORITIES: Readonly<Record<number, number>> = { 1: 2, 2: 4, 3: 5 };

export const ntfyNotification = defineNotificationType({
  id: 'ntfy',
  wireType: 'ntfy-notification-v1',
  name: 'ntfy',
  description: 'Sends a push message to phones and desktops by ntfy.sh or your own ntfy server.',
  fields: ntfyFields,
  create: (context, config) => ({
    send(notice, { signal }) {
      const token = config.access_token?.reveal();
      return postToWebhook(context, {
        url: config.server_url,
        ...(token !== undefined && { secretHeaders: { authorization: `Bearer ${token}` } }),
        body: ntfyMessage(context, config, notice),
        signal,
      });
    },
  }),
});

function ntfyMessage(context: NotificationContext, config: NtfyConfig, notice: AlertNotice) {
  const { summary, custom } = chatText(context, notice, config, { messages: 3, escape: asIs });
  const text = custom ?? [summary.text, ...summary.messages].join('\n');
  const isOver = notice.kind === 'resolved';
  return {
    topic: config.topic,
    title: shorten(summary.title, MAX_TITLE_LENGTH),
    message: withinBytes(text === '' ? summary.title : text),
    priority: isOver ? 3 : (PRIORITIES[notice.rule.priority] ?? 4),
    tags: [isOver ? 'white_check_mark' : 'rotating_light', ...config.tags],
    ...(summary.link !== undefined && {
      click: summary.link,
      actions: [{ action: 'view', label: 'Show the messages', url: summary.link }],
    }),
  };
}

function withinBytes(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_MESSAGE_BYTES) return text;
  // A character that was cut in half at the end becomes a replacement character.
  return `${bytes
    .subarray(0, MAX_MESSAGE_BYTES - 4)
    .toString('utf8')
    .replace(/\ufffd+$/, '')}…`;
}
