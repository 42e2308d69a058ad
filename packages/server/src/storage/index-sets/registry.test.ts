import { describe, expect, test } from 'vitest';
import { createStrategy, RETENTION_STRATEGIES, ROTATION_STRATEGIES } from './registry.ts';
import { strategyView } from './view.ts';

const index = { number: 3, messages: 100, bytes: 5000, createdAt: Date.parse('2026-03-05T17:45:00Z') };

function due(name: string, config: object, now = '2026-03-05T18:00:00Z', changes = {}) {
  const rotation = createStrategy(ROTATION_STRATEGIES, { type: name, config: { ...config } });
  return rotation?.due({ ...index, ...changes }, Date.parse(now)) !== undefined;
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

  test('by time: an empty index stays unless configured otherwise; the shorter period counts', () => {
    const later = '2026-04-01T00:00:00Z';
    expect(due('time', {}, later, { messages: 0 })).toBe(false);
    expect(due('time', { rotate_empty_index_set: true }, later, { messages: 0 })).toBe(true);
    const capped = { rotation_period: 'P1Y', max_rotation_period: 'P1D' };
    expect(due('time', capped, '2026-03-06T00:00:00Z')).toBe(true);
    expect(due('time', capped, '2026-03-05T23:00:00Z')).toBe(false);
  });

  test('for a lifetime: by size after a day, and before messages would be kept too long', () => {
    const GIB = 1024 ** 3;
    const config = { index_lifetime_min: 'P7D', index_lifetime_max: 'P10D' };
    const at = (now: string, changes: object) => due('lifetime', config, now, changes);
    expect(at('2026-03-06T17:44:59Z', { bytes: 20 * GIB })).toBe(false);
    expect(at('2026-03-06T17:45:00Z', { bytes: 20 * GIB })).toBe(true);
    expect(at('2026-03-05T18:00:00Z', { bytes: 50 * GIB })).toBe(true);
    expect(at('2026-03-08T17:44:59Z', {})).toBe(false);
    expect(at('2026-03-08T17:45:00Z', {})).toBe(true);
    expect(at('2026-03-08T17:45:00Z', { messages: 0 })).toBe(false);
    const rotation = createStrategy(ROTATION_STRATEGIES, { type: 'lifetime', config });
    expect(rotation?.keepsForMs).toBe(7 * 86_400_000);
    expect(rotation?.lasts?.({ messagesPerDay: 1, bytesPerDay: 10 * GIB })).toBe(2 * 86_400_000);
    const short = { index_lifetime_min: 'P7D', index_lifetime_max: 'P7D' };
    expect(ROTATION_STRATEGIES.find('lifetime')?.problemsOf(short)).toMatchObject([
      { path: 'index_lifetime_max', message: expect.stringContaining('at least a day longer') },
    ]);
  });

  test('by time: a period beyond all dates is as good as for ever, and the shorter one still counts', () => {
    const absurd = 'P999999Y';
    expect(due('time', { rotation_period: absurd }, '2999-01-01T00:00:00Z')).toBe(false);
    expect(due('time', { rotation_period: absurd, max_rotation_period: 'P1D' }, '2026-03-06T00:00:00Z')).toBe(
      true,
    );
    const forEver = createStrategy(ROTATION_STRATEGIES, {
      type: 'time',
      config: { rotation_period: absurd },
    });
    expect(forEver?.lasts?.({ messagesPerDay: 1, bytesPerDay: 1 })).toBeGreaterThan(1e15);
    const config = { index_lifetime_min: 'P30D', index_lifetime_max: absurd };
    expect(ROTATION_STRATEGIES.find('lifetime')?.problemsOf(config)).toEqual([]);
    expect(due('lifetime', config, '2999-01-01T00:00:00Z')).toBe(false);
  });

  test('refuses what is not a period', () => {
    expect(ROTATION_STRATEGIES.find('time')?.problemsOf({ rotation_period: 'tomorrow' })).toEqual([
      {
        path: 'rotation_period',
        message: 'must be an ISO 8601 period such as P1D or PT2H, not "tomorrow"',
      },
    ]);
    expect(() => due('time', { rotation_period: 'tomorrow' })).toThrow('rotation_period: must be');
  });
});

describe('retention', () => {
  const retention = (type: string, config = {}) => createStrategy(RETENTION_STRATEGIES, { type, config });

  test('deletes, closes or does nothing, and keeps as many indices as configured', () => {
    expect(retention('delete')).toEqual({ action: 'delete', keep: 20 });
    expect(retention('close', { max_number_of_indices: 7 })).toEqual({ action: 'close', keep: 7 });
    expect(retention('none')).toEqual({ action: undefined, keep: 2_147_483_647 });
  });
});

test('strategies are found by short id, class name and the class name of their configuration', () => {
  for (const strategies of [ROTATION_STRATEGIES, RETENTION_STRATEGIES]) {
    for (const strategy of strategies.types) {
      for (const name of [strategy.id, strategy.wireType, strategy.configWireType]) {
        expect<unknown>(strategies.find(name)).toBe(strategy);
      }
    }
  }
  expect(ROTATION_STRATEGIES.find('no.such.Class')).toBeUndefined();
  expect(createStrategy(ROTATION_STRATEGIES, { type: 'no.such.Class', config: {} })).toBeUndefined();
});

test('the JSON Schema of a strategy is what clients build forms from', () => {
  const time = ROTATION_STRATEGIES.find('time');
  expect(time && strategyView(time)).toEqual({
    type: 'org.graylog2.indexer.rotation.strategies.TimeBasedRotationStrategy',
    name: 'After a time',
    description:
      'Begins a new index after a period, at full hours, days, weeks, months or years in UTC. Periods that fit no such grid, such as P10D, follow one another.',
    default_config: {
      type: 'org.graylog2.indexer.rotation.strategies.TimeBasedRotationStrategyConfig',
      rotation_period: 'P1D',
      max_rotation_period: null,
      rotate_empty_index_set: false,
    },
    json_schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        rotation_period: {
          title: 'Rotation period',
          default: 'P1D',
          description: 'ISO 8601: PT1H is an hour, P1D a day, P1W a week, P1M a month.',
          type: 'string',
          maxLength: 40,
        },
        max_rotation_period: {
          title: 'Maximum rotation period',
          default: null,
          description: 'The longest period that counts.',
          anyOf: [{ type: 'string', maxLength: 40 }, { type: 'null' }],
        },
        rotate_empty_index_set: {
          title: 'Rotate an empty index set',
          default: false,
          description: 'Also when nothing was stored.',
          type: 'boolean',
        },
      },
    },
  });
  const size = ROTATION_STRATEGIES.find('size');
  expect(size && strategyView(size).json_schema).toMatchObject({
    properties: {
      max_size: {
        default: 1_073_741_824,
        description: 'Bytes of an index on disk.',
        type: 'integer',
        minimum: 1,
        maximum: 9_007_199_254_740_991,
      },
    },
  });
});
