import type { Facet } from './queries.ts';

export interface ChangedValue {
  readonly value: string;
  readonly count: number;
  /** In the period before; undefined when only the most frequent values are known, and it is none of them. */
  readonly before: number | undefined;
}

/** The values of two periods, those that grew most first. */
export function changesOf(now: Facet, before: Facet, size: number): ChangedValue[] {
  const counts = (facet: Facet) => new Map(facet.values.map(({ value, count }) => [value, count]));
  const [current, earlier] = [counts(now), counts(before)];
  const isWhole = (facet: Facet) => facet.distinct <= facet.values.length;
  return [...new Set([...current.keys(), ...earlier.keys()])]
    .filter((value) => current.has(value) || isWhole(now))
    .map((value) => ({
      value,
      count: current.get(value) ?? 0,
      before: earlier.get(value) ?? (isWhole(before) ? 0 : undefined),
    }))
    .sort((a, b) => growth(b) - growth(a) || b.count - a.count)
    .slice(0, size);
}

function growth({ count, before }: ChangedValue): number {
  return count - (before ?? count);
}
