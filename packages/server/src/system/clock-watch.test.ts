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
  const metrics = createMetrics({ clock: new ManualClock() });
  const watch = createClockWatch({
    registry: {
      activeNodes: () => state.nodes,
      clock: () => state.nodes[0]?.clock,
      isLeader: () => state.isLeader,
    },
    notifications: {
      publish: async (notification) => told.push(notification) > 0,
      fix: async (type) => told.push(`no ${type}`) > 0,
    },
    metrics,
    logger: createLogger({ level: 'silent' }),
  });
  return { state, told, metrics, watch };
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
  await watch.runNow();
  expect(told).toEqual(['no check_server_clocks']);
});

test('only the leader reports them, and each node has its own as a metric', async () => {
  const { state, told, metrics, watch } = setUp();
  state.isLeader = false;
  state.nodes = [aNode('a', -2500), aNode('b', 4000)];
  await watch.runNow();
  expect(told).toEqual([]);
  expect(metrics.get('millrace.cluster.clock-offset')).toMatchObject({ metric: { value: -2500 } });
});
