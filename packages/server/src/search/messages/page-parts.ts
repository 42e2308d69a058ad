/**
 * A page of the newest messages, part by part: the newest part of the time range first, then the one before it. What a
 * part has found can be shown while the next one is searched, and stays when the search is cancelled.
 */
import { instantSql, type SqlParameters } from '../query/index.ts';
import type { TimeSpan } from '../time/index.ts';

/** One part of the time range. */
export interface RangePart {
  /** SQL over the columns of a table: parts neither overlap nor leave a gap. */
  readonly condition: string;
  /** The search has looked at everything from here to the end of the range. */
  readonly from: number;
}

export interface PartPlan {
  /** Undefined when the whole range has been searched. */
  next(): RangePart | undefined;
  /** How long the last part took, which decides the length of the next one. */
  took(ms: number): void;
}

const FIRST_SHARE = 1 / 128;
const MAX_FIRST_MS = 3_600_000;
/**
 * Each part is longer than the one before it, so there are only a few, even when a busy engine takes long for every
 * statement, however small.
 */
const GROWTHS: readonly (readonly [tookAtMostMs: number, growth: number])[] = [
  [400, 8],
  [1500, 4],
  [Number.POSITIVE_INFINITY, 2],
];

export function planParts(span: TimeSpan, parameters: SqlParameters): PartPlan {
  let end: number | undefined;
  let length = Math.min(MAX_FIRST_MS, Math.max(1, Math.ceil((span.to - span.from) * FIRST_SHARE)));
  let isDone = false;
  return {
    next() {
      if (isDone) return undefined;
      const from = (end ?? span.to) - length;
      isDone = from <= span.from;
      const conditions = [
        ...(end === undefined ? [] : [`timestamp <= ${instantSql(end, parameters)}`]),
        ...(isDone ? [] : [`timestamp > ${instantSql(from, parameters)}`]),
      ];
      end = from;
      return { condition: conditions.join(' AND ') || '1', from: isDone ? span.from : from };
    },
    took(ms) {
      length *= GROWTHS.find(([atMost]) => ms <= atMost)?.[1] ?? 2;
    },
  };
}
