import { describe, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { whyNoPostgres } from '../../packages/server/src/testing/postgres.ts';
import { startSmtpReceiver } from '../../packages/server/src/testing/smtp-receiver.ts';
import { call, useCluster } from '../support/cluster.ts';

const PATIENCE = { timeoutMs: 240_000, intervalMs: 200 };

/** Two nodes that share PostgreSQL and ClickHouse. */
describe.skipIf(whyNoPostgres() !== undefined)('alerts of a cluster', () => {
  const cluster = useCluster();

  const start = (database: string, mailPort: number) =>
    cluster.start(database, {
      alert_check_interval: '1',
      transport_email_enabled: 'true',
      transport_email_hostname: '127.0.0.1',
      transport_email_port: String(mailPort),
      transport_email_use_tls: 'false',
    });

  test('the leader is killed between triggering and sending: the mail comes, and the open alert goes on', async () => {
    // The first one who wants to send a mail waits for ever.
    const connected = Promise.withResolvers<void>();
    let isFirst = true;
    const smtp = await startSmtpReceiver({
      onConnect(_session, callback) {
        if (!isFirst) return callback();
        isFirst = false;
        connected.resolve();
      },
    });
    const database = await cluster.createDatabase();
    const leader = start(database, smtp.port);
    await leader.ready();
    const other = start(database, smtp.port);
    const address = await other.ready();
    const port = await other.inputPort('GELF HTTP');

    const { stream_id: streamId } = await call(address, 'POST', '/streams', {
      title: 'Shop',
      index_set_id: '000000000000000000000001',
      rules: [{ type: 1, field: 'app', value: 'shop', inverted: false }],
    });
    await call(address, 'POST', `/streams/${streamId}/resume`);
    await call(address, 'POST', `/streams/${streamId}/alarmcallbacks`, {
      type: 'org.graylog2.alarmcallbacks.EmailAlarmCallback',
      title: 'Mail',
      configuration: { email_receivers: ['ops@example.org'], send_resolved: true },
    });
    await call(address, 'POST', `/streams/${streamId}/alerts/conditions`, {
      type: 'message_count',
      title: 'The shop speaks',
      parameters: { time: 1, threshold: 0, grace: 60 },
    });
    // The workers may not know the stream yet.
    await eventually(async () => {
      const body = JSON.stringify({ version: '1.1', host: 'shop-1', short_message: 'sold', _app: 'shop' });
      await fetch(`http://127.0.0.1:${port}/gelf`, { method: 'POST', body });
      const path = `/search/universal/relative?query=*&range=300&filter=streams:${streamId}`;
      expect((await call(address, 'GET', path)).total_results).toBeGreaterThan(0);
    }, PATIENCE);

    await connected.promise;
    leader.kill('SIGKILL');
    await leader.exited();
    const alerts = async () => (await call(address, 'GET', `/streams/${streamId}/alerts?since=0`)).alerts;
    expect(await alerts()).toMatchObject([{ resolved_at: null }]);

    const subjects = () => smtp.mails.map((mail) => mail.header('subject') ?? '');
    const triggered = () => subjects().filter((subject) => subject.startsWith('The shop speaks: '));
    const resolved = () => subjects().filter((subject) => subject.startsWith('Resolved: '));
    await eventually(() => expect(triggered()).not.toHaveLength(0), PATIENCE);
    // The new leader goes on with the alert of the old one.
    await eventually(() => expect(resolved()).toHaveLength(1), PATIENCE);
    expect(triggered().length).toBeLessThanOrEqual(2);
    expect(await alerts()).toMatchObject([{ resolved_at: expect.any(String) }]);
    const { total_events: events } = await call(address, 'POST', '/events/search', {});
    expect(events).toBe(1);
    expect((await call(address, 'GET', '/alerts/queue')).total).toBe(0);
  });
});
