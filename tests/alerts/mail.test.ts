import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { startSmtpReceiver } from '../../packages/server/src/testing/smtp-receiver.ts';
import { callApi, KNOWN_PASSWORD } from '../support/node-api.ts';
import { startNode } from '../support/node-process.ts';

/** From a message to a mail: the whole program, a real mail server, nothing in between replaced. */

const PATIENCE = { timeoutMs: 240_000, intervalMs: 200 };

test('a condition that becomes true sends one mail, says when it is over, and is quiet in grace', async () => {
  const smtp = await startSmtpReceiver();
  const node = startNode(
    {
      processing_workers: '1',
      alert_check_interval: '1',
      root_email: 'admin@example.org',
      root_timezone: 'Europe/Berlin',
      transport_email_enabled: 'true',
      transport_email_hostname: '127.0.0.1',
      transport_email_port: String(smtp.port),
      transport_email_use_tls: 'false',
    },
    { env: KNOWN_PASSWORD },
  );
  onTestFinished(async () => {
    node.kill();
    await node.exited();
  });
  const address = await node.ready();
  const port = await node.inputPort('GELF HTTP');
  const call = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const answer = await callApi(address, method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  };
  const send = async (text: string) => {
    const body = JSON.stringify({ version: '1.1', host: 'shop-1', short_message: text, _app: 'shop' });
    const answer = await fetch(`http://127.0.0.1:${port}/gelf`, { method: 'POST', body });
    expect(answer.status).toBe(202);
  };

  const { stream_id: streamId } = await call('POST', '/streams', {
    title: 'Shop',
    description: '',
    index_set_id: '000000000000000000000001',
    matching_type: 'AND',
    rules: [{ type: 1, field: 'app', value: 'shop', inverted: false }],
  });
  await call('POST', `/streams/${streamId}/resume`);
  await call('POST', `/streams/${streamId}/alarmcallbacks`, {
    type: 'org.graylog2.alarmcallbacks.EmailAlarmCallback',
    title: 'Mail',
    configuration: { user_receivers: ['admin'], send_resolved: true },
  });
  await call('POST', `/streams/${streamId}/alerts/conditions`, {
    type: 'field_content_value',
    title: 'The shop speaks',
    parameters: { field: 'app', value: 'shop', grace: 60, backlog: 1 },
  });

  // The engine may still be starting, and the workers may not know the stream yet.
  await eventually(async () => {
    await send('payment failed');
    const { total_results } = await call(
      'GET',
      `/search/universal/relative?query=*&range=300&filter=streams:${streamId}`,
    );
    expect(total_results).toBeGreaterThan(0);
  }, PATIENCE);

  await eventually(() => expect(smtp.mails).toHaveLength(2), PATIENCE);
  const [triggered, resolved] = smtp.mails;
  expect(triggered?.to).toEqual(['admin@example.org']);
  expect(triggered?.header('subject')).toMatch(/^The shop speaks: /);
  expect(triggered?.part('text/plain')).toMatch(/Time: {6}\S+\+0[12]:00/);
  for (const part of ['text/plain', 'text/html']) expect(triggered?.part(part)).toContain('payment failed');
  expect(resolved?.header('subject')).toMatch(/^Resolved: The shop speaks: /);
  expect(resolved?.header('references')).toBe(triggered?.header('references'));

  const { alerts } = await call('GET', `/streams/${streamId}/alerts?since=0`);
  expect(alerts).toHaveLength(1);
  const history = await call('GET', `/streams/${streamId}/alerts/${alerts[0].id}/history`);
  expect(history.histories.map(({ result }: { result: object }) => result)).toEqual([
    { type: 'success' },
    { type: 'success' },
  ]);

  // More of it within the grace time changes nothing.
  await send('payment failed again');
  const sentAt = Date.now();
  await eventually(async () => {
    const { conditions } = await call('GET', `/streams/${streamId}/alerts/conditions`);
    expect(conditions[0].in_grace).toBe(true);
    expect(Date.parse(conditions[0].state.evaluated_until)).toBeGreaterThan(sentAt + 2000);
  }, PATIENCE);
  expect((await call('GET', '/alerts/queue')).total).toBe(0);
  expect(smtp.mails).toHaveLength(2);
});
