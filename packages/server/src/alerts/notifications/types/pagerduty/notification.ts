import { type ConfigurationOf, field, types } from '#core/index.ts';
import type { AlertNotice } from '../../notice.ts';
import {
  commonFields,
  defineNotificationType,
  GROUP,
  type NotificationContext,
} from '../../notification-type.ts';
import { summaryOf } from '../../summary.ts';
import { oneLine, shorten } from '../../template/escape.ts';
import { postToWebhook } from '../webhook.ts';

const pagerDutyFields = {
  routing_key: field(types.secret(), {
    humanName: 'Integration key',
    description: 'Of an "Events API v2" integration of the service in PagerDuty.',
  }),
  key_prefix: field(types.text({ maxLength: 100 }), {
    humanName: 'Prefix of the incident key',
    description: 'Notices of one alert become one incident. The prefix tells several installations apart.',
    default: 'millrace',
    optional: true,
  }),
  client_name: field(types.text({ maxLength: 200 }), {
    humanName: 'Name of the client',
    description: 'What PagerDuty shows as the origin.',
    default: 'Millrace',
    optional: true,
    group: GROUP.more,
  }),
  api_url: field(types.httpUrl(), {
    humanName: 'API',
    description: 'Where PagerDuty takes events; customers in the EU service region have another address.',
    default: 'https://events.pagerduty.com/v2/enqueue',
    optional: true,
    receivesSecrets: true,
    group: GROUP.more,
  }),
  ...commonFields,
  send_resolved: { ...commonFields.send_resolved, default: true },
};

type PagerDutyConfig = ConfigurationOf<typeof pagerDutyFields>;

/** PagerDuty's limits. */
const MAX_SUMMARY_LENGTH = 1024;
const MAX_KEY_LENGTH = 255;
const MAX_DETAIL_MESSAGES = 5;

const SEVERITIES: Readonly<Record<number, string>> = { 1: 'info', 2: 'warning', 3: 'critical' };

export const pagerDutyNotification = defineNotificationType({
  id: 'pagerduty',
  wireType: 'pagerduty-notification-v2',
  aliases: ['pagerduty-notification-v1'],
  name: 'PagerDuty',
  description: 'Opens an incident in PagerDuty, and resolves it when the alert is over.',
  fields: pagerDutyFields,
  create: (context, config) => ({
    send: (notice, { signal }) =>
      postToWebhook(context, { url: config.api_url, body: pagerDutyEvent(context, config, notice), signal }),
  }),
});

function pagerDutyEvent(context: NotificationContext, config: PagerDutyConfig, notice: AlertNotice) {
  const { rule } = notice;
  const summary = summaryOf(notice, {
    webInterface: context.webInterface(),
    timeZone: config.time_zone,
    messages: MAX_DETAIL_MESSAGES,
  });
  const identity = {
    routing_key: config.routing_key.reveal(),
    event_action: notice.kind === 'resolved' ? 'resolve' : 'trigger',
    dedup_key: shorten(`${config.key_prefix}/${notice.alertId ?? notice.id}`, MAX_KEY_LENGTH),
  };
  if (notice.kind === 'resolved') return identity;
  return {
    ...identity,
    client: config.client_name,
    client_url: summary.link ?? context.webInterface(),
    ...(summary.link !== undefined && { links: [{ href: summary.link, text: 'Show the messages' }] }),
    payload: {
      summary: shorten(oneLine(`${summary.title}: ${notice.resultDescription}`), MAX_SUMMARY_LENGTH),
      source: notice.key.join(', ') || notice.streams.map(({ title }) => title).join(', ') || 'Millrace',
      severity: SEVERITIES[rule.priority] ?? 'warning',
      timestamp: new Date(notice.triggeredAt).toISOString(),
      component: notice.streams[0]?.title ?? 'Millrace',
      group: rule.title,
      class: notice.condition.type,
      custom_details: {
        ...Object.fromEntries(summary.facts.map(({ name, value }) => [name, value])),
        ...(summary.messages.length > 0 && { Messages: summary.messages }),
      },
    },
  };
}
