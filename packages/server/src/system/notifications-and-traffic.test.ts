import { NOTIFICATION_TYPES } from '@millrace/contract';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Metadata } from '#metadata/index.ts';
import { createLogger, createMetrics, type Metrics } from '#telemetry/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { createNotifications, type NotificationsOfNode } from './notifications.ts';
import { createSystemMessages, type SystemMessages } from './system-messages.ts';
import { createTraffic, TRAFFIC_COUNTERS, type Traffic } from './traffic.ts';

const START = Date.UTC(2026, 4, 10, 12, 30);
const HOUR = 3_600_000;
let clock: ManualClock;
let metadata: Metadata;
let lines: string[];
let notifications: NotificationsOfNode;
let systemMessages: SystemMessages;

beforeEach(async () => {
  clock = new ManualClock(START);
  metadata = await openTestMetadata(clock);
  lines = [];
  const logger = createLogger({ level: 'info', stream: { write: (line) => void lines.push(line) } });
  const settings = { nodeId: 'n1' };
  notifications = createNotifications(
    { notifications: metadata.repositories.notifications, logger },
    settings,
  );
  systemMessages = createSystemMessages(
    { systemMessages: metadata.repositories.systemMessages, logger },
    settings,
  );
});

afterEach(() => metadata.close());

describe('notifications', () => {
  test('exist until they are fixed, once for each type and key', async () => {
    expect(await notifications.publish({ type: 'no_input_running' })).toBe(true);
    expect(await notifications.publish({ type: 'no_input_running' })).toBe(false);
    clock.advance(1000);
    await notifications.publish({
      type: 'input_failed_to_start',
      key: 'in1',
      severity: 'urgent',
      details: { reason: 'port taken' },
    });
    await notifications.publish({ type: 'input_failed_to_start', key: 'in2' });
    expect(await notifications.list()).toEqual([
      {
        type: 'input_failed_to_start',
        key: 'in1',
        severity: 'urgent',
        timestamp: '2026-05-10T12:30:01.000Z',
        node_id: 'n1',
        details: { reason: 'port taken' },
      },
      expect.objectContaining({ key: 'in2', severity: 'normal', details: {} }),
      expect.objectContaining({ type: 'no_input_running', key: null }),
    ]);
    expect(await notifications.fix('input_failed_to_start', 'in1')).toBe(true);
    expect(await notifications.fix('input_failed_to_start', 'in1')).toBe(false);
    expect(await notifications.fix('input_failed_to_start')).toBe(true);
    expect(await notifications.list()).toHaveLength(1);
  });

  test('are logged when they appear and when they are fixed, not in between', async () => {
    await notifications.publish({ type: 'es_unavailable' });
    await notifications.publish({ type: 'es_unavailable' });
    await notifications.fix('es_unavailable');
    await notifications.fix('es_unavailable');
    expect(lines).toHaveLength(2);
  });

  test.each([...NOTIFICATION_TYPES])('an operator can remove %s', async (type) => {
    await notifications.publish({ type });
    await notifications.remove(type.toUpperCase());
    expect(await notifications.list()).toEqual([]);
    await notifications.remove(type);
  });

  test('of an unknown type cannot be removed and are not shown', async () => {
    await expect(notifications.remove('coffee')).rejects.toMatchObject({
      name: 'InvalidError',
      message: expect.stringMatching(/"coffee".*no_input_running/),
    });
    const record = { type: 'future', key: '', severity: 'normal', nodeId: 'n9', details: {} } as const;
    await metadata.repositories.notifications.publish(record);
    expect(await notifications.list()).toEqual([]);
  });

  test('without a database, reporting does not fail but reading does', async () => {
    await metadata.close();
    expect(await notifications.publish({ type: 'generic' })).toBe(false);
    expect(await notifications.fix('generic')).toBe(false);
    expect(lines).toHaveLength(2);
    await expect(notifications.list()).rejects.toThrow();
    await expect(notifications.remove('generic')).rejects.toThrow();
  });
});

describe('what is about a node and could not be stored', () => {
  let isAway: boolean;
  let refused: string | undefined;
  let beforePublishing: () => Promise<void>;
  let toldOf: () => Promise<(string | null)[]>;
  const high = { type: 'journal_utilization_too_high', key: 'n1' } as const;

  beforeEach(() => {
    isAway = false;
    refused = undefined;
    beforePublishing = async () => {};
    const { publish, remove, list } = metadata.repositories.notifications;
    const unlessAway =
      <Arguments extends unknown[], Answer>(work: (...given: Arguments) => Promise<Answer>) =>
      async (...given: Arguments) => {
        if (isAway) throw new Error('the database is away');
        return work(...given);
      };
    const publishOnly: typeof publish = async (notification) => {
      if (notification.key === refused) throw new Error('the database takes no such key');
      await beforePublishing();
      return publish(notification);
    };
    const flaky = { publish: unlessAway(publishOnly), remove: unlessAway(remove), list };
    const logger = createLogger({ level: 'silent' });
    notifications = createNotifications({ notifications: flaky, logger }, { nodeId: 'n1' });
    toldOf = async () => (await notifications.list()).map(({ key }) => key);
  });

  test('is stored when the database is back', async () => {
    isAway = true;
    await notifications.publish(high);
    await notifications.publish({ type: 'input_failed_to_start', key: 'in1:n1' });
    await expect(notifications.retry()).rejects.toThrow('the database is away');
    isAway = false;
    await notifications.retry();
    expect((await toldOf()).sort()).toEqual(['in1:n1', 'n1']);
    isAway = true;
    await notifications.fix(high.type, high.key);
    isAway = false;
    await notifications.retry();
    expect(await toldOf()).toEqual(['in1:n1']);
  });

  test('is forgotten when it is not true any more, or an operator has removed it', async () => {
    isAway = true;
    await notifications.publish(high);
    isAway = false;
    await notifications.fix(high.type, high.key);
    await notifications.retry();
    expect(await toldOf()).toEqual([]);
    isAway = true;
    await notifications.publish(high);
    isAway = false;
    await notifications.remove(high.type);
    await notifications.retry();
    expect(await toldOf()).toEqual([]);
  });

  test('does not wait for another one that the database refuses', async () => {
    refused = 'in1:n1';
    isAway = true;
    await notifications.publish({ type: 'input_failed_to_start', key: refused });
    await notifications.publish(high);
    isAway = false;
    await expect(notifications.retry()).rejects.toThrow('no such key');
    expect(await toldOf()).toEqual(['n1']);
  });

  test('is not there when it is fixed while it is being stored', async () => {
    isAway = true;
    await notifications.publish(high);
    isAway = false;
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    beforePublishing = () => {
      begun.resolve();
      return end.promise;
    };
    const retried = notifications.retry();
    await begun.promise;
    const fixed = notifications.fix(high.type, high.key);
    end.resolve();
    await Promise.all([retried, fixed]);
    expect(await toldOf()).toEqual([]);
  });

  test('is not stored again by a node that may not be the one to say it any more', async () => {
    isAway = true;
    await notifications.publish({ type: 'alert_evaluation_failed', key: 'rule1' });
    isAway = false;
    await notifications.retry();
    expect(await toldOf()).toEqual([]);
  });
});

describe('system messages', () => {
  test('come in pages of 30, newest first', async () => {
    for (let count = 1; count <= 31; count++) await systemMessages.publish('inputs', `message ${count}`);
    const first = await systemMessages.list(1);
    expect(first.total).toBe(31);
    expect(first.messages).toHaveLength(30);
    expect(first.messages[0]).toEqual({
      caller: 'inputs',
      content: 'message 31',
      timestamp: '2026-05-10T12:30:00.000Z',
      node_id: 'n1',
    });
    expect((await systemMessages.list(2)).messages.map((message) => message.content)).toEqual(['message 1']);
    expect(await systemMessages.list(0)).toEqual(first);
    expect((await systemMessages.list(3)).messages).toEqual([]);
  });

  test('are logged even if they cannot be stored', async () => {
    await metadata.close();
    await systemMessages.publish('inputs', 'lost?');
    expect(lines.join('')).toContain('lost?');
  });
});

describe('traffic', () => {
  let metrics: Metrics;

  function create(nodeId: string): Traffic {
    metrics = createMetrics({ clock });
    const logger = createLogger({ level: 'info', stream: { write: (line) => void lines.push(line) } });
    return createTraffic({ traffic: metadata.repositories.traffic, metrics, clock, logger }, { nodeId });
  }

  test('is stored per hour, summed over nodes and restarts', async () => {
    const first = create('n1');
    const input = metrics.counter(TRAFFIC_COUNTERS.input);
    input.increment(100);
    metrics.counter(TRAFFIC_COUNTERS.output).increment(7);
    await first.flush();
    await first.flush();
    input.increment(11);
    clock.advance(HOUR);
    await first.flush();
    const second = create('n2');
    metrics.counter(TRAFFIC_COUNTERS.input).increment(1000);
    metrics.counter(TRAFFIC_COUNTERS.decoded).increment(5);
    await second.flush();
    expect(await second.history(30, false)).toEqual({
      from: '2026-04-11T00:00:00.000Z',
      to: '2026-05-10T13:30:00.000Z',
      input: { '2026-05-10T12:00:00.000Z': 100, '2026-05-10T13:00:00.000Z': 1011 },
      decoded: { '2026-05-10T12:00:00.000Z': 0, '2026-05-10T13:00:00.000Z': 5 },
      output: { '2026-05-10T12:00:00.000Z': 7, '2026-05-10T13:00:00.000Z': 0 },
    });
    clock.advance(24 * HOUR);
    metrics.counter(TRAFFIC_COUNTERS.input).increment(1);
    await second.flush();
    expect((await second.history(2, true)).input).toEqual({
      '2026-05-10T00:00:00.000Z': 1111,
      '2026-05-11T00:00:00.000Z': 1,
    });
    expect((await second.history(1, true)).input).toEqual({ '2026-05-11T00:00:00.000Z': 1 });
  });

  test('is removed after 400 days', async () => {
    const traffic = create('n1');
    metrics.counter(TRAFFIC_COUNTERS.input).increment(1);
    await traffic.flush();
    clock.advance(401 * 24 * HOUR);
    await traffic.flush();
    expect(await metadata.repositories.traffic.list(0, clock.now())).toEqual([]);
  });

  test('is stored when the node stops', async () => {
    const traffic = create('n1');
    await traffic.stop();
    await traffic.start();
    metrics.counter(TRAFFIC_COUNTERS.input).increment(3);
    await traffic.stop();
    await traffic.stop();
    expect(Object.values((await traffic.history(1, false)).input)).toEqual([3]);
  });

  test('that could not be stored is stored by the next flush', async () => {
    const traffic = create('n1');
    metrics.counter(TRAFFIC_COUNTERS.input).increment(3);
    const add = metadata.repositories.traffic.add;
    const broken = Object.assign(metadata.repositories.traffic, {
      add: () => Promise.reject(new Error('away')),
    });
    await traffic.flush();
    expect(lines.join('')).toContain('away');
    Object.assign(broken, { add });
    await traffic.flush();
    expect(Object.values((await traffic.history(1, false)).input)).toEqual([3]);
  });
});
