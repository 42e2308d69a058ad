/** What the notifications of chat services have in common. */
import { field, types } from '#core/index.ts';
import type { AlertNotice } from '../notice.ts';
import { GROUP, type NotificationContext, template } from '../notification-type.ts';
import { type NoticeSummary, summaryOf } from '../summary.ts';
import { templateModel } from '../template/model.ts';
import { parseTemplate } from '../template/template.ts';

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
const WEBHOOK_TIMEOUT_MS = 15_000;

export interface WebhookCall {
  readonly url: string;
  readonly body: object;
  /** Not logged, and not sent on to another origin. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export async function postToWebhook(context: NotificationContext, call: WebhookCall): Promise<object> {
  await context.http.call({
    url: call.url,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    ...(call.secretHeaders && { secretHeaders: call.secretHeaders }),
    body: JSON.stringify(call.body),
    timeoutMs: WEBHOOK_TIMEOUT_MS,
    signal: call.signal,
  });
  return {};
}

export interface ChatWording {
  readonly custom_message?: string | undefined;
  readonly time_zone: string;
}

export interface ChatText {
  readonly summary: NoticeSummary;
  /** The user's template, or undefined for the usual words. Escaped. */
  readonly custom: string | undefined;
}

/** What a chat message says, with up to `messages` messages of the backlog. */
export function chatText(
  context: NotificationContext,
  notice: AlertNotice,
  { custom_message, time_zone: timeZone }: ChatWording,
  options: { readonly messages: number; escape(text: string): string },
): ChatText {
  const webInterface = context.webInterface();
  return {
    summary: summaryOf(notice, { webInterface, timeZone, messages: options.messages }),
    custom:
      custom_message === undefined
        ? undefined
        : parseTemplate(custom_message).render(templateModel(notice, webInterface), {
            escape: options.escape,
            timeZone,
          }),
  };
}
