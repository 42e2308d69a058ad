import { describe, expect, test } from 'vitest';
import { findStrategy, RETENTION_STRATEGIES, ROTATION_STRATEGIES } from './registry.ts';

const index = { number: 3, messages: 100, bytes: 5000, createdAt: Date.parse('2026-03-05T17:45:00Z') };

function due(name: string, config: object, now = '2026-03-05T18:00:00Z', changes = {}) {
  const strategy = findStrategy(ROTATION_STRATEGIES, name);
  return strategy?.due({ ...index, ...changes }, config, Date.parse(now)) !== undefined;
}

describe('rotation', () => {
  test('by message count', () => {
    expect(due('message-count', { max_docs_per_index: 101 })).toBe(false);
    expect(due('message-count', { max_docs_per_index: 100 })).toBe(true);
    expect(due('message-count', {})).toBe(false);
    expect(due('message-count', {}, undefined, { messages: 20_000_000 })).toBe(true);
  });

  test('by size', () => {
    expect(due('size', { max_size: 5001 })).toBe(false);
    expect(due('size', { max_size: 5000 })).toBe(true);
  });

  test('by time, on the grid', () => {
    expect(due('time', { rotation_period: 'PT1H' }, '2026-03-05T17:59:59.999Z')).toBe(false);
    expect(due('time', { rotation_period: 'PT1H' }, '2026-03-05T18:00:00Z')).toBe(true);
    expect(due('time', { rotation_period: 'P1D' }, '2026-03-05T23:59:59Z')).toBe(false);
    expect(due('time', { rotation_period: 'P1D' }, '2026-03-09T11:00:00Z')).toBe(true);
  });

  test('by time: an empty index stays unless it shall not; the shorter period counts', () => {
    const later = '2026-04-01T00:00:00Z';
    expect(due('time', {}, later, { messages: 0 })).toBe(false);
    expect(due('time', { rotate_empty_index_set: true }, later, { messages: 0 })).toBe(true);
    const capped = { rotation_period: 'P1Y', max_rotation_period: 'P1D' };
    expect(due('time', capped, '2026-03-06T00:00:00Z')).toBe(true);
    expect(due('time', capped, '2026-03-05T23:00:00Z')).toBe(false);
  });

  test('refuses periods that are none', () => {
    const strategy = findStrategy(ROTATION_STRATEGIES, 'time');
    expect(strategy?.config.safeParse({ rotation_period: 'tomorrow' }).error?.issues[0]?.message).toBe(
      '"tomorrow" is no ISO 8601 period such as P1D or PT2H',
    );
  });
});

test('strategies are found by short id, class name and the class name of their configuration', () => {
  for (const strategies of [ROTATION_STRATEGIES, RETENTION_STRATEGIES]) {
    for (const strategy of strategies) {
      for (const name of [strategy.id, strategy.className, strategy.configClassName]) {
        expect(findStrategy<{ id: string } & typeof strategy>(strategies, name)).toBe(strategy);
      }
    }
  }
  expect(findStrategy(RETENTION_STRATEGIES, 'delete')?.keep({})).toBe(20);
  expect(findStrategy(RETENTION_STRATEGIES, 'none')?.action).toBeUndefined();
  expect(findStrategy(ROTATION_STRATEGIES, 'no.such.Class')).toBeUndefined();
});
