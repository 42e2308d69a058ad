/**
 * Finds senders that put ids into field names. Every distinct name costs storage and memory, so an operator should know
 * which input they come from and what the names look like.
 */
import { type Clock, ExpiringMap } from '#core/index.ts';

export interface ManyFieldNames {
  /** The input whose message made a block too heavy. */
  readonly inputId: string;
  /** What most of the names look like, with `*` for the part that varies. */
  readonly pattern: string;
  /** How many distinct names of a block look like it. */
  readonly count: number;
  readonly examples: readonly string[];
}

export interface FieldNameWatch {
  /** To be called with the field names of a block that became too heavy. */
  observe(inputId: string, names: readonly string[]): void;
}

const MAX_INPUTS = 1000;
const REPORT_AGAIN_MS = 10 * 60_000;
const EXAMPLES = 3;
/** Digits, and letters of hexadecimal ids when there are digits among them. */
const VARYING = /[0-9a-f]*\d[0-9a-f]*/gi;

export function createFieldNameWatch(deps: {
  readonly clock: Clock;
  readonly report: (found: ManyFieldNames) => void;
}): FieldNameWatch {
  const reported = new ExpiringMap<string, true>(deps.clock, {
    maxEntries: MAX_INPUTS,
    maxAgeMs: REPORT_AGAIN_MS,
  });
  return {
    observe(inputId, names) {
      if (reported.get(inputId)) return;
      reported.set(inputId, true);
      const [pattern, alike] = mostFrequentPattern(names);
      deps.report({ inputId, pattern, count: alike.length, examples: alike.slice(0, EXAMPLES) });
    },
  };
}

function mostFrequentPattern(names: readonly string[]): readonly [string, readonly string[]] {
  const groups = Map.groupBy(names, (name) => name.replace(VARYING, '*').replace(/\*[*\-_.]*\*/g, '*'));
  let best: readonly [string, readonly string[]] = ['*', names];
  let most = 0;
  for (const [pattern, alike] of groups) {
    if (alike.length <= most) continue;
    most = alike.length;
    best = [pattern, alike];
  }
  // Names that have nothing in common: whatever pattern is the most frequent one says nothing.
  return most * 2 >= names.length ? best : ['*', names];
}
