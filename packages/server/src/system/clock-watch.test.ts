import { expect, test } from 'vitest';
import type { ClusterNode } from '#cluster/service.ts';
import { createLogger, createMetrics } from '#telemetry/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { createClockWatch } from './clock-watch.ts';

function aNode(nodeId: string, offsetMs: number): ClusterNode {
  return {
    nodeId,
    clusterId: 'cluster',
    hostname: `host-${nodeId}`,
    transportAddress: `http://${nodeId}:9000/api/`,
    version: '1.0.0',
    startedAt: 0,
    lastSeen: 0,
    isLeader: false,
    details: {},
    clock: { offsetMs, errorMs: 1 },
  };
}

function setUp() {
  const state = { isLeader: true, nodes: [aNode('a', 0), aNode('b', 0)] };
  const told: unknown[] = [];
  const stored = new Set<string>();
  const database = { isAway: false };
  const metrics = createMetrics({ clock: new ManualClock() });
  const watch = createClockWatch({
    registry: {
      activeNodes: () => state.nodes,
      clock: () => state.nodes[0]?.clock,
      isLeader: () => state.isLeader,
    },
    notifications: {
      async publish(notification) {
        told.push(notification);
        if (!database.isAway) stored.add(notification.type);
        return !database.isAway;
      },
      async fix(type) {
        told.push(`no ${type}`);
        return !database.isAway && stored.delete(type);
      },
    },
    metrics,
    logger: createLogger({ level: 'silent' }),
  });
  return { state, told, stored, database, metrics, watch };
}

test('clocks that differ are reported with both nodes and the difference, until they agree', async () => {
  const { state, told, watch } = setUp();
  await watch.runNow();
  // Whoever led before may have reported it.
  expect(told.splice(0)).toEqual(['no check_server_clocks']);
  state.nodes = [aNode('a', -1500), aNode('b', 4000)];
  await watch.runNow();
  expect(told.splice(0)).toEqual([
    {
      type: 'check_server_clocks',
      details: { node_ahead: 'host-b (b)', node_behind: 'host-a (a)', difference_seconds: 5.5 },
    },
  ]);
  state.nodes = [aNode('a', 0), aNode('b', 1000)];
  await watch.runNow();
  expect(told).toEqual(['no check_server_clocks']);
});

test('what the database could not store is said again at the next look', async () => {
  const { state, watch, stored, database } = setUp();
  state.nodes = [aNode('a', 0), aNode('b', 4000)];
  database.isAway = true;
  await watch.runNow();
  database.isAway = false;
  await watch.runNow();
  expect(stored).toEqual(new Set(['check_server_clocks']));
  state.nodes = [aNode('a', 0), aNode('b', 0)];
  database.isAway = true;
  await watch.runNow();
  database.isAway = false;
  await watch.runNow();
  expect(stored).toEqual(new Set());
});

test('only the leader reports them, and each node has its own as a metric', async () => {
  const { state, told, metrics, watch } = setUp();
  state.isLeader = false;
  state.nodes = [aNode('a', -2500), aNode('b', 4000)];
  await watch.runNow();
  expect(told).toEqual([]);
  expect(metrics.get('millrace.cluster.clock-offset')).toMatchObject({ metric: { value: -2500 } });
});
