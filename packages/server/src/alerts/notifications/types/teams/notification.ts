import type { ConfigurationOf } from '#core/index.ts';
import type { AlertNotice } from '../../notice.ts';
import {
  commonFields,
  defineNotificationType,
  type NotificationContext,
  urlProblems,
} from '../../notification-type.ts';
import { escapeMarkdown } from '../../template/escape.ts';
import {
  backlogSizeField,
  chatText,
  customMessageField,
  postToWebhook,
  webhookUrlField,
} from '../webhook.ts';

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
    send: (notice, { signal }) =>
      postToWebhook(context, {
        url: config.webhook_url.reveal(),
        body: teamsMessage(context, config, notice),
        signal,
      }),
  }),
});

/** Text of a card is Markdown, except where a block says that it is not. */
function teamsMessage(context: NotificationContext, config: TeamsConfig, notice: AlertNotice) {
  const { summary, custom } = chatText(context, notice, config, {
    messages: config.backlog_size,
    escape: escapeMarkdown,
  });
  const text = custom ?? escapeMarkdown(summary.text);
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
