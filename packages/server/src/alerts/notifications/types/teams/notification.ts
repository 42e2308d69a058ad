import type { ConfigurationOf } from '#core/index.ts';
import type { AlertNotice } from '../../notice.ts';
import {
  commonFields,
  defineNotificationType,
  type NotificationContext,
  urlProblems,
} from '../../notification-type.ts';
import { summaryOf } from '../../summary.ts';
import { escapeMarkdown } from '../../template/escape.ts';
import { templateModel } from '../../template/model.ts';
import { parseTemplate } from '../../template/template.ts';
import {
  backlogSizeField,
  customMessageField,
  WEBHOOK_TIMEOUT_MS,
  webhookUrlField,
} from '../webhook-fields.ts';

const teamsFields = {
  webhook_url: webhookUrlField(
    'the Teams workflow "Post to a channel when a webhook request is received"',
    'https://….logic.azure.com/workflows/…',
  ),
  custom_message: customMessageField,
  backlog_size: backlogSizeField,
  ...commonFields,
};

type TeamsConfig = ConfigurationOf<typeof teamsFields>;

export const teamsNotification = defineNotificationType({
  id: 'teams',
  wireType: 'teams-notification-v2',
  aliases: ['teams-notification-v1'],
  name: 'Microsoft Teams',
  description: 'Posts a card to a channel or chat of Microsoft Teams, by the webhook of a workflow.',
  fields: teamsFields,
  check: ({ webhook_url }) => urlProblems('webhook_url', webhook_url.reveal()),
  create: (context, config) => ({
    async send(notice, { signal }) {
      await context.http.call({
        url: config.webhook_url.reveal(),
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(teamsMessage(context, config, notice)),
        timeoutMs: WEBHOOK_TIMEOUT_MS,
        signal,
      });
      return {};
    },
  }),
});

/** Text of a card is Markdown, except where a block says that it is not. */
function teamsMessage(context: NotificationContext, config: TeamsConfig, notice: AlertNotice) {
  const webInterface = context.webInterface();
  const summary = summaryOf(notice, {
    webInterface,
    timeZone: config.time_zone,
    messages: config.backlog_size,
  });
  const text =
    config.custom_message === undefined
      ? escapeMarkdown(summary.text)
      : parseTemplate(config.custom_message).render(templateModel(notice, webInterface), {
          escape: escapeMarkdown,
          timeZone: config.time_zone,
        });
  const block = (content: string, more = {}) => ({ type: 'TextBlock', text: content, wrap: true, ...more });
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          msteams: { width: 'Full' },
          body: [
            block(escapeMarkdown(summary.title), {
              size: 'large',
              weight: 'bolder',
              color: notice.kind === 'resolved' ? 'good' : 'attention',
            }),
            block(text),
            {
              type: 'FactSet',
              facts: summary.facts.map(({ name, value }) => ({
                title: escapeMarkdown(name),
                value: escapeMarkdown(value),
              })),
            },
            ...summary.messages.map((line) =>
              block(escapeMarkdown(line), { fontType: 'monospace', size: 'small' }),
            ),
          ],
          ...(summary.link !== undefined && {
            actions: [{ type: 'Action.OpenUrl', title: 'Show the messages', url: summary.link }],
          }),
        },
      },
    ],
  };
}
