/** Messages with every kind of value, and how to count them by hand: to compare aggregations with. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { DEFAULT_STREAM_ID, type FieldValue } from '#core/index.ts';
import type { FixtureMessage } from './search-fixture.ts';

const DAY = 86_400_000;
/** In Berlin this day has 23 hours. */
const SPRING = Date.UTC(2026, 2, 29);

export interface Sample extends FixtureMessage {
  readonly timestamp: number;
  readonly source: string;
  readonly level: number;
  readonly fields: Record<string, FieldValue>;
}

/** Any message of these has its own mix of fields; `mixed` is of every type, `big` beyond what a double holds. */
const samples: fc.Arbitrary<Sample> = fc.record({
  timestamp: fc.integer({ min: SPRING - 40 * DAY, max: SPRING + 40 * DAY }),
  source: fc.constantFrom('web-1', 'web-2', "it's", '日本', '🦀', 'a b'),
  level: fc.integer({ min: 0, max: 7 }),
  streams: fc.constantFrom([DEFAULT_STREAM_ID], ['web'], [DEFAULT_STREAM_ID, 'web'], ['web', 'audit']),
  fields: fc
    .record(
      {
        took_ms: fc.integer({ min: -50, max: 5000 }),
        ratio: fc.double({ min: -1000, max: 1000, noNaN: true }),
        status: fc.constantFrom<FieldValue>(200, 404, '404', 500, 'unknown'),
        mixed: fc.constantFrom<FieldValue>(1, 1.5, '1.5', 'x', '', true, false, 'true', 2n ** 60n),
        'user.id': fc.constantFrom<FieldValue>('u1', 'u2', 'u3'),
        text: fc.constantFrom<FieldValue>('a', 'b'),
      },
      { requiredKeys: [] },
    )
    .map((fields) => fields as Record<string, FieldValue>),
});
const INDEX_SETS: Readonly<Record<string, readonly string[]>> = {
  [DEFAULT_STREAM_ID]: ['millrace'],
  [`${DEFAULT_STREAM_ID},web`]: ['millrace', 'web'],
  web: ['web'],
  'web,audit': ['web', 'audit'],
};

export const messages: Sample[] = fc
  .sample(samples, { numRuns: 600, seed: 4711 })
  .map((sample) => ({ ...sample, indexSets: INDEX_SETS[String(sample.streams)] ?? [] }));

/** What the engine groups by: every value as a text. */
export function text(value: FieldValue | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}

function number(value: FieldValue | undefined): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

export function fieldOf(message: Sample, field: string): FieldValue | undefined {
  if (field === 'source') return message.source;
  if (field === 'level') return message.level;
  return message.fields[field];
}

export function numbersOf(field: string, of: readonly Sample[] = messages): number[] {
  return of.flatMap((message) => number(fieldOf(message, field)) ?? []);
}

export function counts(values: readonly string[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1);
  return found;
}

export const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);
/** Bytes, as the engine compares texts. */
export const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

export function close(actual: number | 'NaN' | undefined, expected: number): void {
  expect(typeof actual).toBe('number');
  const scale = Math.max(1, Math.abs(expected));
  expect(Math.abs(Number(actual) - expected) / scale).toBeLessThan(1e-9);
}
