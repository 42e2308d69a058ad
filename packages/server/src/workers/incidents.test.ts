import { expect, test } from 'vitest';
import type { Metadata } from '#metadata/index.ts';
import { createNotifications, createSystemMessages } from '#system/service.ts';
import { createLogger } from '#telemetry/index.ts';
import { eventually } from '#testing/eventually.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { createIncidentReporter } from './incidents.ts';
import type { ReportedIncident } from './protocol.ts';

const incident = (changes: Partial<ReportedIncident>): ReportedIncident => ({
  kind: 'tail_cut',
  message: 'cut 12 bytes',
  partition: '/data/journal/partition-1',
  records: 0,
  bytes: 12,
  ...changes,
});

async function fixture(shared?: Metadata) {
  const logged: { level: string; msg: string }[] = [];
  const logger = createLogger({
    level: 'info',
    pretty: false,
    stream: { write: (line) => logged.push(JSON.parse(line)) },
  });
  const metadata = shared ?? (await openTestMetadata());
  const { repositories } = metadata;
  const notifications = createNotifications({ ...repositories, logger }, { nodeId: 'n1' });
  const systemMessages = createSystemMessages({ ...repositories, logger }, { nodeId: 'n1' });
  const incidents = createIncidentReporter(
    { notifications, systemMessages, logger, inputTitle: (id) => (id === 'i1' ? 'GELF TCP' : undefined) },
    { nodeId: 'n1', highUtilization: 0.9 },
  );
  /** SQLite answers in order: when this resolves, everything that was started before is done. */
  const told = async () => ({
    notifications: (await notifications.list()).map(({ type, details }) => ({ type, details })),
    messages: (await systemMessages.list(1)).messages.map(({ content }) => content),
  });
  return { incidents, told, logged, metadata };
}

test('a repaired end of a file is only logged', async () => {
  const { incidents, told, logged } = await fixture();
  incidents.report(incident({}));
  expect(logged).toMatchObject([{ level: 'warn', component: 'journal', msg: 'cut 12 bytes', bytes: 12 }]);
  expect(await told()).toEqual({ notifications: [], messages: [] });
});

test('losses are reported and added up', async () => {
  const { incidents, told, logged } = await fixture();
  incidents.report(incident({ kind: 'records_lost', message: '3 gone', records: 3 }));
  incidents.report(incident({ kind: 'records_dropped', message: '4 dropped', records: 4 }));
  expect(logged.filter(({ level }) => level === 'error').map(({ msg }) => msg)).toEqual([
    '3 gone',
    '4 dropped',
  ]);
  expect(await told()).toEqual({
    notifications: [
      {
        type: 'journal_uncommitted_messages_deleted',
        details: expect.objectContaining({ messages_lost: 7, latest: '4 dropped', kind: 'records_dropped' }),
      },
    ],
    messages: ['4 dropped', '3 gone'],
  });
});

test('a disk that refuses writes is reported until it works again', async () => {
  const { incidents, told } = await fixture();
  incidents.report(incident({ kind: 'write_failing', message: 'no space', cause: 'ENOSPC' }));
  expect((await told()).notifications).toMatchObject([
    { type: 'generic', details: { description: 'no space', reason: 'ENOSPC' } },
  ]);
  incidents.report(incident({ kind: 'write_recovered', message: 'writes again' }));
  expect((await told()).notifications).toEqual([]);
});

test('a disk that works again after a restart is no problem any more', async () => {
  const { incidents, metadata } = await fixture();
  incidents.report(incident({ kind: 'write_failing', message: 'no space' }));
  incidents.report(incident({ kind: 'write_failing', partition: '/data/journal/partition-2' }));
  const restarted = await fixture(metadata);
  restarted.incidents.report(incident({ kind: 'write_failing', message: 'no space yet' }));
  restarted.incidents.utilization(0);
  await eventually(async () =>
    expect((await restarted.told()).notifications).toMatchObject([
      { type: 'generic', details: { description: 'no space yet' } },
    ]),
  );
});

test('a journal that fills up is reported once, until it is well below the limit', async () => {
  const { incidents, told } = await fixture();
  const types = async () => (await told()).notifications.map(({ type }) => type);
  for (const ratio of [0.5, 0.89]) incidents.utilization(ratio);
  expect(await types()).toEqual([]);
  incidents.utilization(0.9);
  expect(await types()).toEqual(['journal_utilization_too_high']);
  incidents.utilization(0.85);
  expect(await types()).toEqual(['journal_utilization_too_high']);
  incidents.utilization(0.79);
  expect(await types()).toEqual([]);
});

test('a worker that died becomes a system message', async () => {
  const { incidents, told } = await fixture();
  incidents.workerDied(1, 'out of memory');
  expect((await told()).messages).toEqual(['Worker 1 ended and is restarted: out of memory']);
});

test('field names that contain ids are a notification that names the input and the pattern', async () => {
  const { incidents, told } = await fixture();
  const found = { pattern: 'session_*_clicks', count: 1448, examples: ['session_1_clicks'] };
  incidents.manyFieldNames({ inputId: 'i1', ...found });
  incidents.manyFieldNames({ inputId: 'i1', ...found });
  incidents.manyFieldNames({ inputId: 'gone', ...found });
  const { notifications } = await told();
  expect(notifications).toHaveLength(2);
  expect(JSON.stringify(notifications)).toContain('GELF TCP');
  expect(notifications[0]?.details).toMatchObject({ pattern: 'session_*_clicks' });
});
