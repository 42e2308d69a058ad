import { expect, test } from 'vitest';
import { clusterOverviewSchema } from './cluster.ts';

const RANDOM = '3b0d5e4a-6c1f-4c57-9d53-0a8f0f6f2b11';

/** What a peer is told of a node with this id. */
function answerOf(nodeId: string) {
  return {
    [nodeId]: {
      facility: 'millrace',
      codename: 'Mill',
      node_id: nodeId,
      cluster_id: RANDOM,
      version: '1.0.0',
      started_at: '2026-01-01T00:00:00.000Z',
      hostname: 'log-1',
      lifecycle: 'running',
      lb_status: 'alive',
      timezone: 'UTC',
      operating_system: 'Linux',
      is_processing: true,
      is_leader: true,
    },
  };
}

test.each([
  ['a random one', RANDOM],
  ['upper case', RANDOM.toUpperCase()],
  // Written by hand, or by a program that does not know versions and variants of UUIDs.
  ['no version', '3b0d5e4a-6c1f-0c57-9d53-0a8f0f6f2b11'],
  ['no variant', '11111111-2222-3333-4444-555555555555'],
  ['neither', 'ffffffff-ffff-ffff-ffff-fffffffffff0'],
])('the id of a node may be any GUID: %s', (_, nodeId) => {
  const answer = answerOf(nodeId);
  expect(clusterOverviewSchema.parse(answer)).toEqual(answer);
});

test.each(['', 'log-1', RANDOM.slice(1), `${RANDOM}0`, RANDOM.replaceAll('-', ''), `g${RANDOM.slice(1)}`])(
  'the id of a node is a GUID: not "%s"',
  (nodeId) => {
    const result = clusterOverviewSchema.safeParse(answerOf(nodeId));
    expect(result.error?.issues.map(({ path }) => path)).toEqual([[nodeId, 'node_id']]);
  },
);
