import { type ConfigurationOf, field, types } from '#core/index.ts';
import type { AlertNotice } from '../../notice.ts';
import {
  commonFields,
  defineNotificationType,
  GROUP,
  type NotificationContext,
  urlProblems,
} from '../../notification-type.ts';
import { escapeSlack, shorten } from '../../template/escape.ts';
import {
  backlogSizeField,
  chatText,
  customMessageField,
  postToWebhook,
  webhookUrlField,
} from '../webhook.ts';

const slackFields = {
  webhook_url: webhookUrlField('Slack', 'https://hooks.slack.com/services/…'),
  channel: field(types.text({ maxLength: 200 }), {
    humanName: 'Channel',
    description: 'Only for webhooks that may post to other channels than their own: #channel or @user.',
    optional: true,
    placeholder: '#alerts',
  }),
  custom_message: customMessageField,
  backlog_size: backlogSizeField,
  notify_channel: field(types.boolean(), {
    humanName: 'Notify everybody in the channel',
    description: 'Adds @channel.',
    default: false,
    optional: true,
  }),
  notify_here: field(types.boolean(), {
    humanName: 'Notify those who are active',
    description: 'Adds @here.',
    default: false,
    optional: true,
  }),
  color: field(
    types.text({ pattern: /^#[0-9a-f]{6}$/i, expected: 'a colour such as #d72b3f', maxLength: 7 }),
    { humanName: 'Colour', description: 'Of the bar beside the text.', default: '#d72b3f', optional: true },
  ),
  user_name: field(types.text({ maxLength: 80 }), {
    humanName: 'Sender',
    description: 'The name that Slack shows, if the webhook allows it.',
    optional: true,
    group: GROUP.more,
  }),
  icon_url: field(types.httpUrl(), {
    humanName: 'Icon',
    description: 'The address of a picture, if the webhook allows it.',
    optional: true,
    group: GROUP.more,
  }),
  icon_emoji: field(types.text({ maxLength: 80 }), {
    humanName: 'Emoji',
    description: 'Instead of an icon.',
    optional: true,
    placeholder: ':rotating_light:',
    group: GROUP.more,
  }),
  ...commonFields,
};

type SlackConfig = ConfigurationOf<typeof slackFields>;

const RESOLVED_COLOUR = '#2e9e5b';
/** Slack refuses longer texts of a section and a header. */
const MAX_SECTION_LENGTH = 3000;
const MAX_HEADER_LENGTH = 150;

export const slackNotification = defineNotificationType({
  id: 'slack',
  wireType: 'slack-notification-v1',
  name: 'Slack',
  description: 'Posts to a channel of Slack, or of Mattermost, by an incoming webhook.',
  fields: slackFields,
  check: ({ webhook_url }) => urlProblems('webhook_url', webhook_url.reveal()),
  callback: { type: 'org.graylog2.plugins.slack.callback.SlackAlarmCallback' },
  create: (context, config) => ({
    send: (notice, { signal }) =>
      postToWebhook(context, {
        url: config.webhook_url.reveal(),
        body: slackMessage(context, config, notice),
        signal,
      }),
  }),
});

/** `text` is what phones show; the blocks are what people see in the channel. */
function slackMessage(context: NotificationContext, config: SlackConfig, notice: AlertNotice) {
  const { summary, custom } = chatText(context, notice, config, {
    messages: config.backlog_size,
    escape: escapeSlack,
  });
  const text = custom ?? escapeSlack(summary.text);
  const mentions = [config.notify_channel && '<!channel>', config.notify_here && '<!here>'].filter(Boolean);
  const section = (mrkdwn: string) => ({
    type: 'section',
    text: { type: 'mrkdwn', text: shorten(mrkdwn, MAX_SECTION_LENGTH) },
  });
  const facts = summary.facts.map(({ name, value }) => `*${escapeSlack(name)}:* ${escapeSlack(value)}`);
  const messages = escapeSlack(summary.messages.join('\n')).replaceAll('```', "'''");
  return {
    text: [...mentions, escapeSlack(summary.title)].join(' '),
    ...(config.channel !== undefined && { channel: config.channel }),
    ...(config.user_name !== undefined && { username: config.user_name }),
    ...(config.icon_url !== undefined && { icon_url: config.icon_url }),
    ...(config.icon_emoji !== undefined && { icon_emoji: config.icon_emoji }),
    attachments: [
      {
        color: notice.kind === 'resolved' ? RESOLVED_COLOUR : config.color,
        blocks: [
          {
            type: 'header',
            text: { type: 'plain_text', text: shorten(summary.title, MAX_HEADER_LENGTH), emoji: false },
          },
          section(text === '' ? escapeSlack(summary.title) : text),
          ...(facts.length > 0 ? [section(facts.join('\n'))] : []),
          ...(messages === '' ? [] : [section(`\`\`\`${shorten(messages, MAX_SECTION_LENGTH - 10)}\`\`\``)]),
          ...(summary.link === undefined
            ? []
            : [section(`<${escapeSlack(summary.link)}|Show the messages>`)]),
        ],
      },
    ],
  };
}
