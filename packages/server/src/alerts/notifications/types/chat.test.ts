/** The chat and paging services: what they are sent, against the shapes their documentation asks for. */
import { expect, test } from 'vitest';
import { aBacklogMessage, aNotice } from '#testing/alert-notice.ts';
import { startHttpReceiver } from '#testing/http-receiver.ts';
import { sendNotice } from '#testing/notification-fixture.ts';
import type { NotificationType } from '../notification-type.ts';
import { ntfyNotification } from './ntfy/notification.ts';
import { pagerDutyNotification } from './pagerduty/notification.ts';
import { slackNotification } from './slack/notification.ts';
import { teamsNotification } from './teams/notification.ts';

const LINK =
  'https://logs.example.org/search?q=level%3A%3C4&t=2026-03-01T11%3A55%3A00.000Z%2F2026-03-01T12%3A00%3A00.000Z&s=5f0000000000000000000001';

async function sent(
  type: NotificationType,
  configuration: (url: string) => Record<string, unknown>,
  notice = aNotice(),
) {
  const receiver = await startHttpReceiver();
  await sendNotice(type, configuration(receiver.url), notice);
  const [call] = receiver.calls;
  expect(call?.headers['content-type']).toBe('application/json');
  return { call, body: JSON.parse(call?.body ?? '') };
}

test('Slack: a message with blocks, within their limits', async () => {
  const { body } = await sent(slackNotification, (url) => ({
    webhook_url: url,
    channel: '#ops',
    notify_here: true,
  }));
  expect(body).toMatchObject({ text: '<!here> Too many errors', channel: '#ops' });
  const [attachment] = body.attachments;
  expect(attachment.color).toBe('#d72b3f');
  expect(attachment.blocks[0]).toEqual({
    type: 'header',
    text: { type: 'plain_text', text: 'Too many errors', emoji: false },
  });
  const texts = attachment.blocks.slice(1).map((block: { text: { text: string } }) => block.text.text);
  expect(texts[1]).toContain('*Streams:* Shop');
  expect(texts[2]).toBe('```2026-03-01T11:59:59.000Z shop-1: payment failed```');
  expect(texts[3]).toBe(`<${LINK.replaceAll('&', '&amp;')}|Show the messages>`);
});

test('Slack: messages cannot mention people or make links', async () => {
  const nasty = '<!channel> <https://evil.example.org|click> & ``` *bold*';
  const notice = aNotice({
    resultDescription: nasty,
    backlog: [aBacklogMessage({ message: `${nasty}${'x'.repeat(9000)}` })],
  });
  const { body, call } = await sent(slackNotification, (url) => ({ webhook_url: url }), notice);
  expect(call?.body).not.toContain('<!channel>');
  expect(call?.body).not.toContain('<https://evil');
  for (const { text } of body.attachments[0].blocks) expect(text.text.length).toBeLessThanOrEqual(3000);
  const custom = await sent(
    slackNotification,
    (url) => ({ webhook_url: url, custom_message: '<!here> ${event.message}' }),
    notice,
  );
  expect(custom.body.attachments[0].blocks[1].text.text).toMatch(/^<!here> &lt;!channel&gt;/);
});

test('Teams: an adaptive card in a message', async () => {
  const { body } = await sent(
    teamsNotification,
    (url) => ({ webhook_url: url }),
    aNotice({ kind: 'resolved', resultDescription: 'see [here](https://evil.example.org) *now*' }),
  );
  expect(body).toMatchObject({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            { type: 'TextBlock', text: 'Resolved: Too many errors', wrap: true, color: 'good' },
            { type: 'TextBlock', text: 'see \\[here\\]\\(https://evil.example.org\\) \\*now\\*' },
            { type: 'FactSet' },
            { type: 'TextBlock', fontType: 'monospace' },
          ],
          actions: [{ type: 'Action.OpenUrl', title: 'Show the messages', url: LINK }],
        },
      },
    ],
  });
});

test('PagerDuty: an incident that the end of the alert resolves', async () => {
  const configuration = (url: string) => ({ routing_key: 'R0UTING', api_url: url });
  const { body } = await sent(
    pagerDutyNotification,
    configuration,
    aNotice({ resultDescription: 'x\n'.repeat(2000) }),
  );
  expect(body).toMatchObject({
    routing_key: 'R0UTING',
    event_action: 'trigger',
    dedup_key: 'millrace/alert-1',
    client: 'Millrace',
    client_url: LINK,
    links: [{ href: LINK, text: 'Show the messages' }],
    payload: {
      source: 'Shop',
      severity: 'warning',
      timestamp: '2026-03-01T12:00:00.000Z',
      custom_details: { 'count()': '7' },
    },
  });
  expect(body.payload.summary.length).toBeLessThanOrEqual(1024);
  const resolved = await sent(
    pagerDutyNotification,
    configuration,
    aNotice({ id: 'alert-1:resolved', kind: 'resolved' }),
  );
  expect(resolved.body).toEqual({
    routing_key: 'R0UTING',
    event_action: 'resolve',
    dedup_key: 'millrace/alert-1',
  });
  expect(pagerDutyNotification.complete({ routing_key: 'k' })).toMatchObject({ send_resolved: true });
});

test('ntfy: a message as JSON to the root of the server', async () => {
  const { body, call } = await sent(ntfyNotification, (url) => ({
    server_url: url,
    topic: 'alerts',
    access_token: 'tk_1',
    tags: ['shop'],
  }));
  expect(call).toMatchObject({ path: '/', headers: { authorization: 'Bearer tk_1' } });
  expect(body).toMatchObject({
    topic: 'alerts',
    title: 'Too many errors',
    priority: 4,
    tags: ['rotating_light', 'shop'],
    click: LINK,
    actions: [{ action: 'view', label: 'Show the messages', url: LINK }],
  });
  const long = await sent(
    ntfyNotification,
    (url) => ({ server_url: url, topic: 'alerts' }),
    aNotice({ backlog: [], resultDescription: 'ä'.repeat(5000) }),
  );
  expect(Buffer.byteLength(long.body.message)).toBeLessThanOrEqual(4096);
});

test.each([slackNotification, teamsNotification])(
  'the webhook URL of $name is checked and secret',
  (type) => {
    expect(type.problemsOf({ webhook_url: 'nonsense' })).toMatchObject([{ path: 'webhook_url' }]);
    expect(type.fields.webhook_url?.type.secret).toBe(true);
  },
);
