import type { Value } from '@millrace/rules';
import {
  errorMessage,
  type FaultCounter,
  type FieldReader,
  fieldReader,
  isProtectedFieldName,
  type Message,
} from '#core/index.ts';
import type { Timer } from '#telemetry/index.ts';
import { type GuardedWalkDeps, noteProcessingError, walkGuarded } from '../framework/index.ts';
import { removeField } from '../rules/index.ts';
import type { CompiledExtractor } from './compile.ts';
import { type Converted, convertValue, unconverted } from './convert.ts';
import type { Extracted } from './extractor-type.ts';
import type { ExtractorMeters } from './metrics.ts';
import { cutText, writeExtracted } from './write-extracted.ts';

export interface RunDeps extends GuardedWalkDeps {
  readonly faults: FaultCounter;
  /** What an extractor may take for one message. */
  readonly timeoutMs: number;
}

export interface RunnableExtractor {
  readonly id: string;
  readonly compiled: CompiledExtractor;
  readonly meters: ExtractorMeters;
  /** Reads the source field. */
  readonly read: FieldReader;
  /** Longer texts need the time guard. */
  readonly safeConditionLength: number;
  readonly safeLength: number;
}

export function runnableOf(
  id: string,
  compiled: CompiledExtractor,
  meters: ExtractorMeters,
  timeoutMs: number,
): RunnableExtractor {
  const { condition, extraction, sourceField } = compiled;
  return {
    id,
    compiled,
    meters,
    read: fieldReader(sourceField),
    // A message has the whole limit for both.
    safeConditionLength: condition?.safeLength(timeoutMs / 2) ?? Number.POSITIVE_INFINITY,
    safeLength: extraction.safeLength(timeoutMs / 2),
  };
}

/** Converters take no longer than a message may take for texts of this length. */
const SAFE_CONVERTER_LENGTH = 200;

const NOT_CONVERTED: readonly Converted[] = [];

/** A message and a text of it that is looked at. */
interface Candidate {
  readonly message: Message;
  readonly text: string;
}

/**
 * Runs one extractor over the messages of a batch that its input has received. Nothing is thrown: what goes wrong is
 * counted, and noted on the message.
 *
 * It does one thing for all messages before the next: first the condition, then reading, then converting, then writing.
 * So the times are taken once for a batch, and what the time guard may break off changes no message.
 */
export function runExtractor(
  deps: RunDeps,
  extractor: RunnableExtractor,
  messages: readonly Message[],
): void {
  if (deps.faults.isExceeded(extractor.id)) return;
  const { compiled, meters } = extractor;
  const { monotonic } = deps;
  const startedAt = monotonic.now();
  const matching = matchingOf(deps, extractor, messages);
  const matchedAt = monotonic.now();
  const found = extractFrom(deps, extractor, matching);
  const convertedAt = monotonic.now();
  writeFound(deps, extractor, found);
  const endedAt = monotonic.now();
  record(meters.conditionTime, matchedAt - startedAt, messages.length);
  record(meters.executionTime, endedAt - matchedAt, matching.length);
  if (compiled.conversions.length > 0) record(meters.converterTime, endedAt - convertedAt, found.length);
  record(meters.completeTime, endedAt - startedAt, messages.length);
}

/** Milliseconds of all together. */
function record(timer: Timer, elapsedMs: number, times: number): void {
  if (times > 0) timer.update((elapsedMs * 1000) / times, times);
}

function matchingOf(
  deps: RunDeps,
  extractor: RunnableExtractor,
  messages: readonly Message[],
): readonly Candidate[] {
  const { compiled, meters, read, safeConditionLength } = extractor;
  const candidates: Candidate[] = [];
  for (const message of messages) {
    const text = read(message);
    if (typeof text === 'string') candidates.push({ message, text });
  }
  const { condition } = compiled;
  if (condition === undefined) {
    meters.conditionMisses.increment(messages.length - candidates.length);
    return candidates;
  }
  const holds = forEachText(deps, extractor, candidates, safeConditionLength, ({ text }) =>
    condition.holds(text),
  );
  const matching = candidates.filter((_, index) => holds[index] === true);
  meters.conditionHits.increment(matching.length);
  meters.conditionMisses.increment(messages.length - matching.length);
  return matching;
}

interface Found extends Candidate {
  readonly pieces: readonly Extracted[];
}

function extractFrom(
  deps: RunDeps,
  extractor: RunnableExtractor,
  matching: readonly Candidate[],
): readonly Found[] {
  const { compiled, meters, safeLength } = extractor;
  const results = forEachText(
    deps,
    extractor,
    matching,
    safeLength,
    ({ text }) => compiled.extraction.extract(text) ?? 'unreadable',
  );
  const found: Found[] = [];
  for (const [index, { message, text }] of matching.entries()) {
    const pieces = results[index];
    if (pieces === 'unreadable') meters.exceptions.increment();
    else if (pieces !== undefined && pieces.length > 0) found.push({ message, text, pieces });
  }
  return found;
}

function writeFound(deps: RunDeps, extractor: RunnableExtractor, found: readonly Found[]): void {
  const { targetField, conversions } = extractor.compiled;
  if (conversions.length === 0) {
    for (const { message, text, pieces } of found) new Writing(extractor, message).write(text, pieces);
    return;
  }
  const extracted = found.map(({ pieces }) =>
    pieces.filter(({ field = targetField }) => field === targetField).map(({ value }) => value),
  );
  const converted = convertAll(deps, extractor, found, extracted);
  for (const [index, { message, text, pieces }] of found.entries()) {
    new Writing(extractor, message).write(text, pieces, converted[index] ?? []);
  }
  if (targetField === '') return;
  // Converters work on the target field, whoever has set it.
  const others = found.filter((_, index) => extracted[index]?.length === 0);
  const read = fieldReader(targetField);
  const present = others.map(({ message }) => [read(message)].filter((value) => typeof value === 'string'));
  const convertedPresent = convertAll(deps, extractor, others, present);
  for (const [index, { message }] of others.entries()) {
    for (const value of convertedPresent[index] ?? []) new Writing(extractor, message).writeConverted(value);
  }
}

/** What the converters make of the values of each message. A value for which they take too long stays as it is. */
function convertAll(
  deps: RunDeps,
  extractor: RunnableExtractor,
  found: readonly Candidate[],
  values: readonly (readonly Value[])[],
): readonly (readonly Converted[])[] {
  const { conversions } = extractor.compiled;
  const candidates = found.map(({ message }, index) => ({
    message,
    values: values[index] ?? [],
    text: longestText(values[index] ?? []),
  }));
  const converted = forEachText(deps, extractor, candidates, SAFE_CONVERTER_LENGTH, (candidate) =>
    candidate.values.map((value) => convertValue(conversions, value, candidate.message.receivedAt)),
  );
  return candidates.map((candidate, index) => converted[index] ?? candidate.values.map(unconverted));
}

function longestText(values: readonly Value[]): string {
  let longest = '';
  for (const value of values) {
    if (typeof value === 'string' && value.length > longest.length) longest = value;
  }
  return longest;
}

/**
 * The answers for all texts; undefined where it took too long or failed, which is noted. Short texts are answered
 * without the time guard.
 */
function forEachText<Answer, Each extends Candidate>(
  deps: RunDeps,
  { id, compiled, meters }: RunnableExtractor,
  candidates: readonly Each[],
  safeLength: number,
  answer: (candidate: Each) => Answer,
): readonly (Answer | undefined)[] {
  const answers = new Array<Answer | undefined>(candidates.length).fill(undefined);
  const failures = new Map<Candidate, string>();
  // Any expression may fail: V8 throws when it has no room left for the ways that it has not tried yet.
  const tryAnswer = (index: number) => {
    const candidate = candidates[index];
    if (candidate === undefined) return;
    try {
      answers[index] = answer(candidate);
    } catch (error) {
      failures.set(candidate, errorMessage(error));
    }
  };
  const long: number[] = [];
  for (const [index, { text }] of candidates.entries()) {
    if (text.length <= safeLength) tryAnswer(index);
    else long.push(index);
  }
  const { faults, timeoutMs } = deps;
  let isExceeded = false;
  walkGuarded(deps, {
    count: () => long.length,
    timeoutMs,
    work(at) {
      if (!isExceeded) tryAnswer(long[at] ?? 0);
    },
    interrupted(at) {
      const candidate = candidates[long[at] ?? 0];
      meters.exceptions.increment();
      if (candidate !== undefined) {
        noteProcessingError(candidate.message, errorText(compiled, `it took longer than ${timeoutMs} ms`));
      }
      isExceeded = faults.record(id);
    },
  });
  for (const [{ message }, problem] of failures) {
    meters.exceptions.increment();
    noteProcessingError(message, errorText(compiled, problem));
  }
  return answers;
}

function errorText({ title }: CompiledExtractor, problem: string): string {
  return `Extractor "${title}": ${problem}`;
}

/** Writes what an extractor has found into one message. */
class Writing {
  readonly #extractor: RunnableExtractor;
  readonly #message: Message;

  constructor(extractor: RunnableExtractor, message: Message) {
    this.#extractor = extractor;
    this.#message = message;
  }

  /** `converted` has what goes to the target field, in the order of the pieces. */
  write(text: string, pieces: readonly Extracted[], converted: readonly Converted[] = NOT_CONVERTED): void {
    const { targetField, sourceField, isCutting } = this.#extractor.compiled;
    const cuts = isCutting ? pieces.filter(({ begin }) => begin >= 0) : [];
    if (cuts.length > 0) this.#set(sourceField, cutText(text, cuts));
    const forTarget = converted.values();
    for (const { field = targetField, value } of pieces) {
      if (field !== targetField) this.#set(field, value);
      else this.writeConverted(forTarget.next().value ?? unconverted(value));
    }
  }

  writeConverted({ value, fields, failures }: Converted): void {
    const { targetField } = this.#extractor.compiled;
    for (const { converter, values } of fields) this.#addFields(converter, values);
    for (const { converter, problem } of failures) this.#failed(converter, problem);
    if (value === undefined) removeField(this.#message, targetField);
    // What the converter has said about a time is enough.
    else if (!(failures.length > 0 && targetField === 'timestamp')) this.#set(targetField, value);
  }

  /** What every message has is not changed by what a text happens to contain. */
  #addFields(converter: string, fields: ReadonlyMap<string, Value>): void {
    for (const [name, value] of fields) {
      if (isProtectedFieldName(name)) this.#extractor.meters.converterExceptions.increment();
      else if (name !== '') this.#set(name, value, converter);
    }
  }

  #set(field: string, value: Value, converter?: string): void {
    try {
      writeExtracted(this.#message, field, value);
    } catch (error) {
      if (converter === undefined) {
        const { compiled, meters } = this.#extractor;
        meters.exceptions.increment();
        noteProcessingError(this.#message, errorText(compiled, errorMessage(error)));
      } else this.#failed(converter, errorMessage(error));
    }
  }

  #failed(converter: string, problem: string): void {
    const { compiled, meters } = this.#extractor;
    meters.converterExceptions.increment();
    noteProcessingError(this.#message, errorText(compiled, `converter ${converter}: ${problem}`));
  }
}
