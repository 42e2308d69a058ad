import { formatTimestamp, type StreamPreviewView } from '@millrace/contract';
import type { SampledMessage } from './sampled-message.ts';

/** What a preview has found so far. */
export interface PreviewResult {
  add(
    message: SampledMessage,
    match: { readonly matches: boolean | undefined; readonly rules: readonly (boolean | undefined)[] },
  ): void;
  lookedAt(): number;
  timedOut(): number;
  /** There are more messages than it looked at. */
  stop(): void;
  /** The rules took too long too often. */
  disabled(): void;
  view(): Omit<StreamPreviewView, 'message'>;
}

/** The histogram needs no more than fits into a line of the page. */
const MAX_BARS = 60;
const MAX_SHOWN_CHARACTERS = 2000;

type Example = StreamPreviewView['examples']['matched'][number];

export function createPreviewResult(wanted: {
  readonly rules: number;
  readonly examples: number;
}): PreviewResult {
  const rules = new Array<number>(wanted.rules).fill(0);
  const examples: { readonly matched: Example[]; readonly missed: Example[] } = { matched: [], missed: [] };
  const times: number[] = [];
  const matchedTimes: number[] = [];
  let timedOut = 0;
  let isComplete = true;
  let isDisabled = false;

  return {
    add(message, match) {
      times.push(message.timestamp);
      if (match.matches === true) matchedTimes.push(message.timestamp);
      if (match.matches === undefined) timedOut += 1;
      for (const [rule, isMatch] of match.rules.entries()) if (isMatch) rules[rule] = (rules[rule] ?? 0) + 1;
      const list = match.matches === true ? examples.matched : examples.missed;
      if (list.length < wanted.examples) list.push(exampleOf(message));
    },
    lookedAt: () => times.length,
    timedOut: () => timedOut,
    stop() {
      isComplete = false;
    },
    disabled() {
      isComplete = false;
      isDisabled = true;
    },
    view: () => ({
      looked_at: times.length,
      matched: matchedTimes.length,
      is_complete: isComplete,
      timed_out: timedOut,
      would_be_disabled: isDisabled,
      rules: rules.map((matched) => ({ matched })),
      histogram: histogramOf(times, matchedTimes),
      examples,
    }),
  };
}

function histogramOf(times: readonly number[], matched: readonly number[]): StreamPreviewView['histogram'] {
  if (times.length === 0) return null;
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const time of times) {
    from = Math.min(from, time);
    to = Math.max(to, time);
  }
  const intervalMs = Math.max(1, Math.ceil((to - from + 1) / MAX_BARS));
  const bars = Math.floor((to - from) / intervalMs) + 1;
  const counts = (all: readonly number[]) => {
    const found = new Array<number>(bars).fill(0);
    for (const time of all) {
      const bar = Math.floor((time - from) / intervalMs);
      found[bar] = (found[bar] ?? 0) + 1;
    }
    return found;
  };
  return {
    from: formatTimestamp(from),
    to: formatTimestamp(to),
    interval_ms: intervalMs,
    looked_at: counts(times),
    matched: counts(matched),
  };
}

/** Long texts are cut: an example is a line in a list. */
function exampleOf({ id, index, timestamp, fields }: SampledMessage): Example {
  const shown = [...fields].map(([name, value]) => {
    if (typeof value === 'string') return [name, value.slice(0, MAX_SHOWN_CHARACTERS)];
    return [name, typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value];
  });
  return {
    index,
    message: { _id: id, timestamp: formatTimestamp(timestamp), ...Object.fromEntries(shown) },
  };
}
