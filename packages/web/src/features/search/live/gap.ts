/** What came while nobody followed, during a pause or while the connection was broken: it is searched for. */
import type { Dispatch } from 'react';
import { call } from '../../../lib/api/index.ts';
import { fromFound, type LogMessage } from '../../../lib/messages/index.ts';
import type { TimeSpan } from '../../../lib/time/index.ts';
import type { TailEvent } from './tail-state.ts';

export interface FollowedMessages {
  readonly query: string;
  readonly streams: readonly string[];
  readonly zone: string;
}

export interface Gap extends TimeSpan {
  /** How many came at least; undefined: nobody knows. */
  readonly expected: number | undefined;
  /** The ids of the messages that are shown already: some of them may be in the same time. */
  readonly known: ReadonlySet<string>;
}

interface Found {
  readonly messages: readonly LogMessage[];
  readonly total: number;
}

/** Searches for messages of this time, the oldest first. */
export type SearchTime = (span: TimeSpan, limit: number, signal: AbortSignal) => Promise<Found>;

/** Messages are stored after they are shown: most a moment later, on a busy node seconds later. How long each look waits. */
const LOOK_AFTER_MS = [1500, 1500, 3000, 6000, 12_000, 24_000];
/** Without a number to compare with, two looks that find the same say little before this one. */
const FIRST_LOOK_THAT_SETTLES = 3;
/** Somebody waits for it. */
const LOOK_WHEN_STOPPING_AFTER_MS = [1500, 1500, 2000, 4000];
const LONGEST_STOP_MS = 10_000;
/** More is not filled in but offered. */
const GAP_LIMIT = 1000;
/** The clocks of senders are a little slow. */
const EARLIER_MS = 1000;

/** Looks until everything is found, and tells what is there meanwhile. What is not found in the end is offered. */
export async function fillGap(
  search: SearchTime,
  gap: Gap,
  signal: AbortSignal,
  dispatch: Dispatch<TailEvent>,
): Promise<void> {
  let found: Found | undefined;
  for (const [index, ms] of LOOK_AFTER_MS.entries()) {
    await passed(ms, signal);
    const now = await lookInto(search, gap, signal);
    if (signal.aborted) return;
    if (now === undefined) continue;
    const isSettled = now.total === found?.total;
    if (isSettled && hasAll(gap, now, index + 1)) {
      dispatch(isWhole(now) ? filled(now, true) : offered(gap, now));
      return;
    }
    if (isWhole(now)) dispatch(filled(now, false));
    found = now;
  }
  // Without a number nothing is known to be missing.
  if (gap.expected === undefined && found !== undefined && isWhole(found)) dispatch(filled(found, true));
  else dispatch(offered(gap, found));
}

/** Until so many messages of this time are stored, or that takes long. */
export async function untilStored(
  search: SearchTime,
  { span, count }: { readonly span: TimeSpan; readonly count: number },
  signal: AbortSignal,
): Promise<void> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_STOP_MS)]);
  for (const ms of LOOK_WHEN_STOPPING_AFTER_MS) {
    await passed(ms, limited);
    const total = await search(span, 0, limited).then(
      (found) => found.total,
      () => 0,
    );
    if (limited.aborted || total >= count) return;
  }
}

/** The number of a pause is up to a second old: what came in that second is there when no look finds more. */
function hasAll(gap: Gap, found: Found, look: number): boolean {
  return gap.expected === undefined ? look >= FIRST_LOOK_THAT_SETTLES : newOnes(gap, found) >= gap.expected;
}

/** How many were not shown before. */
function newOnes({ known }: Gap, { messages, total }: Found): number {
  return total - messages.filter(({ id }) => known.has(id)).length;
}

function isWhole({ messages, total }: Found): boolean {
  return total <= messages.length;
}

function filled({ messages }: Found, isLast: boolean): TailEvent {
  return { type: 'gap', messages, isLast };
}

function offered(gap: Gap, found: Found | undefined): TailEvent {
  const { from, to, expected } = gap;
  return { type: 'offered', gap: { from, to, total: found && newOnes(gap, found), expected } };
}

/** Undefined when it cannot be searched for now. */
function lookInto(search: SearchTime, { from, to }: Gap, signal: AbortSignal): Promise<Found | undefined> {
  return search({ from: from - EARLIER_MS, to }, GAP_LIMIT, signal).catch(() => undefined);
}

/** At once when it is aborted. */
function passed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
  });
}

export function searchOf({ query, streams, zone }: FollowedMessages): SearchTime {
  return async ({ from, to }, limit, signal) => {
    const timerange = {
      type: 'absolute' as const,
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
    };
    const { messages, total_results: total } = await call('POST /messages/search', {
      body: { query, streams: [...streams], time_zone: zone, timerange, sort: 'timestamp:asc', limit },
      signal,
    });
    return { messages: messages.map(fromFound), total };
  };
}
