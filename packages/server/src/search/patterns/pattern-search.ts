/** Finds patterns in the messages of a search. */

import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  formatTimestamp,
  type MessagePattern,
  PATTERN_TREND_PARTS,
  type PatternRequest,
  type PatternResponse,
} from '@millrace/contract';
import { type Clock, messageIdText } from '#core/index.ts';
import { textOf } from '../aggregation/field-values.ts';
import {
  createSearchSlots,
  type PreparedSearch,
  type RunOptions,
  type Searches,
} from '../execution/index.ts';
import { missingIn, rangeOf, type SearchCaller, searchInputOf } from '../search-caller.ts';
import type { TimeSpan } from '../time/index.ts';
import { MAX_CHARACTERS } from './masking.ts';
import { createPatternFinder, type FoundPattern } from './pattern-finder.ts';
import { patternQuery } from './pattern-query.ts';
import { summarisePattern, templateText } from './pattern-summary.ts';

/**
 * Contract: reads all messages up to the sample size, beyond that a sample, which is the same for the same request.
 * Rejects as `Searches` does. Lets other work run every few milliseconds.
 */
export interface PatternSearch {
  find(caller: SearchCaller, request: PatternRequest): Promise<PatternResponse>;
}

export interface PatternSearchDeps {
  readonly searches: Searches;
  readonly clock: Clock;
}

/** The size of all texts of a sample, which are held in memory. */
const MAX_SAMPLE_CHARACTERS = 64 * 2 ** 20;
/** For all users of a node together, because the samples are in memory at the same time. */
const MAX_PARALLEL = 2;
const EVERYBODY = 'everybody';
const CHARACTERS_BETWEEN_TURNS = 100_000;
/** The resolution of a sample's share. */
const SAMPLE_PARTS = 2 ** 32;
const READ_SETTINGS = { output_format_json_quote_64bit_integers: 0 } as const;

interface SampleRow {
  readonly value: string;
  readonly time: number;
  readonly level: number;
  readonly source: string;
  readonly set_number: number;
  readonly index_number: number;
  readonly received: number;
  readonly id_partition: number;
  readonly id_offset: number;
}

export function createPatternSearch({ searches, clock }: PatternSearchDeps): PatternSearch {
  const turns = createSearchSlots({
    maxParallel: MAX_PARALLEL,
    refusalMessage: `This node is already finding patterns for ${MAX_PARALLEL} searches, which is its limit. Try again in a few seconds.`,
  });

  function sampleRows(
    search: PreparedSearch,
    request: PatternRequest,
    total: number,
    options: RunOptions,
  ): AsyncIterable<SampleRow[]> | SampleRow[][] {
    return total === 0 ? [] : searches.stream(search, sampleSql(search, request, total), options);
  }

  return {
    async find(caller, request) {
      const turn = await turns.enter(EVERYBODY, caller.signal);
      try {
        return await findInTurn(caller, request);
      } finally {
        turn.release();
      }
    },
  };

  async function findInTurn(caller: SearchCaller, request: PatternRequest): Promise<PatternResponse> {
    const started = clock.now();
    const { principal, signal } = caller;
    const search = await searches.prepare(principal, searchInputOf(request));
    const slot = await searches.enter({ principal, signal });
    try {
      const options = { principal, signal, slot, settings: READ_SETTINGS };
      const [counted] = await searches.rows<{ total: number }>(
        search,
        countSql(search, request.field),
        options,
      );
      const total = counted?.total ?? 0;
      const finder = createPatternFinder();
      const sample: SampleRow[] = [];
      let untilTurn = CHARACTERS_BETWEEN_TURNS;
      for await (const row of limited(sampleRows(search, request, total, options))) {
        finder.add(row.value);
        sample.push(row);
        if (finder.isNearlyFull()) await inTurns(finder.compact(), signal);
        // Short texts cost time, too.
        untilTurn -= row.value.length + 100;
        if (untilTurn > 0) continue;
        untilTurn = CHARACTERS_BETWEEN_TURNS;
        await nextTurn();
      }
      const found = await inTurns(finder.finish(), signal);
      const patterns = found.filter(({ words }) => words !== undefined);
      const scale = sample.length === 0 ? 1 : total / sample.length;
      const span = spanOf(search, sample);
      const shown: MessagePattern[] = [];
      for (const pattern of patterns.slice(0, request.size)) {
        shown.push(await describe(pattern, { request, search, sample, scale, span, signal }));
      }
      return {
        patterns: shown,
        total,
        sample_size: sample.length,
        sampled: sample.length < total,
        total_patterns: patterns.length,
        unmatched: found.find(({ words }) => words === undefined)?.messages.length ?? 0,
        effective_timerange: rangeOf(search.span),
        ...missingIn(search),
        time: Math.max(0, Math.round(clock.now() - started)),
      };
    } finally {
      slot.release();
    }
  }
}

function countSql(search: PreparedSearch, field: string): string {
  return `SELECT count(value) AS total FROM ${search.source([`${field === 'message' ? 'toNullable(1)' : textOf(field)} AS value`])}`;
}

/**
 * A hash of the id decides whether a message is in the sample: random, but always the same. The condition is inside each
 * table, so that the texts of other messages are not read.
 */
function sampleSql(search: PreparedSearch, request: PatternRequest, total: number): string {
  const text = request.field === 'message' ? 'message' : textOf(request.field);
  const share = request.sample / Math.max(1, total);
  const isSampled = () => {
    const limit = search.parameters.add(Math.floor(share * SAMPLE_PARTS), 'UInt64');
    return `cityHash64(received_at, id_partition, id_offset) % ${SAMPLE_PARTS} < ${limit}`;
  };
  const columns = [
    `leftUTF8(assumeNotNull(${text}), ${MAX_CHARACTERS}) AS value`,
    'toUnixTimestamp64Milli(timestamp) AS time',
    'level',
    'source',
    'index_number',
    'toUnixTimestamp64Milli(received_at) AS received',
    'id_partition',
    'id_offset',
  ];
  const conditions = [
    ...(request.field === 'message' ? [] : [`isNotNull(${text})`]),
    ...(share >= 1 ? [] : [isSampled()]),
  ];
  const source = search.source(columns, { conditions, withSetNumber: true });
  return `SELECT * FROM ${source} LIMIT ${request.sample}`;
}

/** Yields rows until their texts exceed the limit. */
async function* limited(
  batches: AsyncIterable<SampleRow[]> | SampleRow[][],
): AsyncGenerator<SampleRow, void, undefined> {
  let characters = 0;
  for await (const batch of batches) {
    for (const row of batch) {
      characters += row.value.length;
      if (characters > MAX_SAMPLE_CHARACTERS) return;
      yield row;
    }
  }
}

async function inTurns<T>(steps: Generator<void, T>, signal: AbortSignal | undefined): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await nextTurn();
    signal?.throwIfAborted();
  }
}

interface Result {
  readonly request: PatternRequest;
  readonly search: PreparedSearch;
  readonly sample: readonly SampleRow[];
  readonly scale: number;
  readonly span: TimeSpan;
  readonly signal: AbortSignal | undefined;
}

async function describe(pattern: FoundPattern, result: Result): Promise<MessagePattern> {
  const { request, sample, search } = result;
  const rows = pattern.messages.flatMap((message) => sample[message] ?? []);
  const texts = rows.map(({ value }) => value);
  const template = await inTurns(summarisePattern(pattern.words ?? [], texts, request.values), result.signal);
  const newest = rows.reduce((latest, row) => (row.time > latest.time ? row : latest));
  const oldest = rows.reduce((earliest, row) => (row.time < earliest.time ? row : earliest));
  return {
    pattern: templateText(template),
    template: template.map((part) => ('text' in part ? part : { ...part, values: [...part.values] })),
    count: Math.max(1, Math.round(rows.length * result.scale)),
    sample_count: rows.length,
    share: rows.length / sample.length,
    first_seen: formatTimestamp(oldest.time),
    last_seen: formatTimestamp(newest.time),
    trend: trendOf(rows, result.span),
    levels: levelsOf(rows),
    example: {
      id: messageIdText({
        receivedAt: newest.received,
        partition: newest.id_partition,
        offset: newest.id_offset,
      }),
      index: search.indexName(newest),
      timestamp: formatTimestamp(newest.time),
      source: newest.source,
      message: newest.value,
    },
    query: patternQuery(request.field, template, texts.some(isPadded)) ?? null,
  };
}

function isPadded(text: string): boolean {
  return text.trim() !== text;
}

function levelsOf(rows: readonly SampleRow[]): MessagePattern['levels'] {
  const counts = new Map<number, number>();
  for (const { level } of rows) counts.set(level, (counts.get(level) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => a - b).map(([level, count]) => ({ level, count }));
}

/** A range without a start begins with the first message. */
function spanOf({ span }: PreparedSearch, sample: readonly SampleRow[]): TimeSpan {
  if (span.from > 0) return span;
  return { from: sample.reduce((first, { time }) => Math.min(first, time), span.to), to: span.to };
}

function trendOf(rows: readonly SampleRow[], { from, to }: TimeSpan): number[] {
  const counts = new Array<number>(PATTERN_TREND_PARTS).fill(0);
  for (const { time } of rows) {
    const part = Math.floor(((time - from) / (to - from + 1)) * PATTERN_TREND_PARTS);
    const at = Math.min(PATTERN_TREND_PARTS - 1, Math.max(0, part));
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}
