import { expect, onTestFinished, test } from 'vitest';
import { createLogger } from '#telemetry/index.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { createGoneNodesWatch } from './gone-nodes.ts';
import { createNotifications, type NotificationContent } from './notifications.ts';

const STAYING = 'staying';
const LEAVING = 'leaving';

async function setUp() {
  const metadata = await openTestMetadata();
  onTestFinished(() => metadata.close());
  const { nodes, notifications: store } = metadata.repositories;
  const logger = createLogger({ level: 'silent' });
  const of = (nodeId: string) => createNotifications({ notifications: store, logger }, { nodeId });
  const beat = (nodeId: string) =>
    nodes.beat({
      nodeId,
      hostname: nodeId,
      transportAddress: 'http://127.0.0.1:9000/api/',
      version: '1.0.0',
      startedAt: 0,
      isLeader: nodeId === STAYING,
      details: {},
    });
  await beat(STAYING);
  await beat(LEAVING);
  const watch = createGoneNodesWatch({
    nodes,
    notifications: of(STAYING),
    isLeader: () => true,
    logger,
  });
  const keys = async () => (await store.list()).map(({ key }) => key).sort();
  return { of, beat, nodes, watch, keys };
}

test('what only a node could clear goes with the node; what others clear, and losses, stay', async () => {
  const { of, nodes, watch, keys } = await setUp();
  const gone: NotificationContent[] = [
    { type: 'no_input_running', key: LEAVING },
    { type: 'journal_utilization_too_high', key: LEAVING },
    { type: 'input_failed_to_start', key: `in1:${LEAVING}` },
    { type: 'output_failing', key: `out1:${LEAVING}` },
    { type: 'plugin_failed', key: `${LEAVING}/boat` },
    { type: 'generic', key: `journal-write:${LEAVING}:partition-0` },
  ];
  const kept: NotificationContent[] = [
    { type: 'journal_uncommitted_messages_deleted', key: LEAVING },
    { type: 'output_dropped_messages', key: `out1:${LEAVING}` },
    { type: 'plugin_switched_off', key: `${LEAVING}/boat` },
    { type: 'generic', key: 'field-names:in1' },
    { type: 'alert_evaluation_failed', key: 'rule1' },
    { type: 'check_server_clocks' },
  ];
  for (const content of [...gone, ...kept]) await of(LEAVING).publish(content);
  await of(STAYING).publish({ type: 'no_input_running', key: STAYING });
  const all = await keys();
  await watch.runNow();
  await watch.runNow();
  expect(await keys()).toEqual(all);
  await nodes.remove(LEAVING);
  await watch.runNow();
  await watch.runNow();
  expect(await keys()).toEqual([STAYING, ...kept.map(({ key = '' }) => key)].sort());
});

test('a node that is away for one look only keeps its own', async () => {
  const { of, beat, nodes, watch, keys } = await setUp();
  await of(LEAVING).publish({ type: 'no_input_running', key: LEAVING });
  await nodes.remove(LEAVING);
  await watch.runNow();
  await beat(LEAVING);
  await watch.runNow();
  await nodes.remove(LEAVING);
  await watch.runNow();
  expect(await keys()).toEqual([LEAVING]);
});
