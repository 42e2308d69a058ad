import { describe, expect, test } from 'vitest';
import { InvalidValue, Secret, type ValueType } from '#core/index.ts';

/** A type of value, and what it makes of written values. */
export type ValueTypeCase = [
  name: string,
  type: ValueType<unknown>,
  rows: [written: string, value: unknown][],
];

export const VALUE_CONTEXT = { cwd: '/home/miller' };
/** Stands in a table for a value that the type refuses. */
export const refused = Symbol('refused');

/** Secrets are shown, so that tables can hold what is expected of them. */
export function revealed(value: unknown): unknown {
  if (value instanceof InvalidValue) return refused;
  if (value instanceof Secret) return { secret: value.reveal() };
  if (Array.isArray(value)) return value.map(revealed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, revealed(part)]));
}

export function testValueTypes(cases: readonly ValueTypeCase[]): void {
  describe.each([...cases])('%s', (_name, type, rows) => {
    test.each(rows)('%j', (written, value) => {
      expect(revealed(type.parse(written, VALUE_CONTEXT))).toEqual(value);
    });
  });
}

/** What the types say they expected, for every value of the tables that they refuse. */
export function expectationsOf(cases: readonly ValueTypeCase[]): Set<string> {
  const parsed = cases.flatMap(([, type, rows]) =>
    rows.map(([written]) => type.parse(written, VALUE_CONTEXT)),
  );
  return new Set(parsed.filter((value) => value instanceof InvalidValue).map((value) => value.expected));
}
