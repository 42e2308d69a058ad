import { describe, expect, test } from 'vitest';
import { InvalidConfiguration, type RawConfiguration } from '#core/index.ts';
import type { IndexFigures, Retention, Rotation, StrategyType } from '#storage/service.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 0, 31);

function figures(changes: Partial<IndexFigures> = {}): IndexFigures {
  return { number: 3, messages: 0, bytes: 0, createdAt: NOW, ...changes };
}

/** What `Rotation` demands of every rotation strategy. */
export function rotationSuite(type: StrategyType<Rotation>, configuration: RawConfiguration): void {
  describe(`${type.id} keeps the contract of rotation strategies`, () => {
    test('it says when it is time and why, and keeps no state', () => {
      const rotation = created(type, configuration);
      for (const messages of [0, 1, 1e12]) {
        for (const createdAt of [NOW, NOW - DAY_MS, NOW - 5000 * DAY_MS]) {
          const index = figures({ messages, bytes: messages * 500, createdAt });
          const why = rotation.due(index, NOW);
          expect(rotation.due(index, NOW)).toBe(why);
          expect(created(type, configuration).due(index, NOW)).toBe(why);
          if (why !== undefined) expect(why.trim()).not.toBe('');
        }
      }
    });

    test('an index that has just begun is left alone', () => {
      expect(created(type, configuration).due(figures(), NOW)).toBeUndefined();
    });
  });
}

/** What `Retention` demands of every retention strategy. */
export function retentionSuite(type: StrategyType<Retention>, configuration: RawConfiguration): void {
  test(`the retention strategy ${type.id} deletes or closes, and keeps at least the active index`, () => {
    const { action, keep } = created(type, configuration);
    expect([undefined, 'delete', 'close']).toContain(action);
    if (action !== undefined) expect(keep).toBeGreaterThanOrEqual(1);
  });
}

function created<Strategy>(type: StrategyType<Strategy>, configuration: RawConfiguration): Strategy {
  const strategy = type.create(undefined, configuration);
  if (strategy instanceof InvalidConfiguration) throw new Error(strategy.text);
  return strategy;
}
