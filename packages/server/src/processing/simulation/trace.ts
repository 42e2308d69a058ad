/** Notes what rules do to messages. */
import type { Clock, FieldValue } from '#core/index.ts';
import type { InterpreterBatch, ProgramRule, ProgramStage, RuleWatch } from '../pipelines/index.ts';
import type { AnswerRoom } from './answer-room.ts';
import { changesOf, type FieldChange, fieldsOf } from './simulated-message.ts';

/** One rule of one stage, for one message. */
export interface RuleTrace {
  readonly pipeline: string;
  readonly stage: number;
  readonly rule: string;
  /** 0 for the message that was given; those that rules made of it follow. */
  readonly message: number;
  matched: boolean;
  /** When it was asked, and how long its condition and its actions took together, in microseconds. */
  readonly at: number;
  took: number;
  changes: readonly FieldChange[];
  streams: { readonly before: readonly string[]; readonly after: readonly string[] } | undefined;
  isDropped: boolean;
  error: string | undefined;
}

/** What happened to one message of a simulation, and to those that were made of it. */
export interface MessageTrace {
  readonly rules: readonly RuleTrace[];
  /** False: there were more rules than are noted, or than the answer has room for. */
  readonly isComplete: boolean;
  /** Names of the rules that matched, each once. */
  readonly matched: readonly string[];
  readonly errors: readonly string[];
  readonly debug: readonly { readonly at: number; readonly text: string }[];
}

export interface TraceSettings {
  /** Note every rule, not only those that matched or failed. */
  readonly isDetailed: boolean;
}

const MAX_RULES = 2000;
const MAX_ERRORS = 20;
const MAX_ERROR_LENGTH = 2000;
const MAX_DEBUG = 100;
const MAX_DEBUG_LENGTH = 1000;

interface Noted {
  readonly rules: RuleTrace[];
  isComplete: boolean;
  readonly matched: Set<string>;
  readonly errors: string[];
  readonly debug: { at: number; text: string }[];
}

/** For the messages of one batch; `sources` says of which message each of them was made. */
export class RuleTracer implements RuleWatch {
  readonly #clock: Clock;
  readonly #settings: TraceSettings;
  #startedAt = 0;
  #noted: Noted[] = [];
  #sourceOf: (index: number) => number = (index) => index;
  #batch: InterpreterBatch | undefined = undefined;
  #index = 0;
  #number = 0;
  #current: Noted = emptyNote();
  #stage: ProgramStage | undefined = undefined;
  /** Of the rules of the stage. */
  #open = new Map<ProgramRule, RuleTrace>();
  #running: RuleTrace | undefined = undefined;
  #since = 0;
  #before: { readonly fields: Map<string, FieldValue>; readonly streams: readonly string[] } | undefined;

  constructor(clock: Clock, settings: TraceSettings) {
    this.#clock = clock;
    this.#settings = settings;
  }

  /** Before each batch. */
  start(messages: number, sourceOf: (index: number) => number): void {
    this.#noted = Array.from({ length: messages }, emptyNote);
    this.#sourceOf = sourceOf;
    this.#startedAt = this.#clock.now();
  }

  /** What is known of message `index` of the batch after it has run, as far as the answer has room. */
  of(index: number, room: AnswerRoom): MessageTrace {
    const { rules, isComplete, matched, errors, debug } = this.#noted[index] ?? emptyNote();
    const shown: RuleTrace[] = [];
    for (const rule of rules) {
      if (room.isUsedUp()) break;
      const { changes, streams, error } = rule;
      shown.push({
        ...rule,
        changes: room.changes(changes),
        streams: streams && { before: room.ids(streams.before), after: room.ids(streams.after) },
        error: error === undefined ? undefined : room.text(error),
      });
    }
    return {
      rules: shown,
      isComplete: isComplete && shown.length === rules.length,
      matched: [...matched],
      errors: errors.map((error) => error.slice(0, MAX_ERROR_LENGTH)),
      debug,
    };
  }

  message(batch: InterpreterBatch, index: number): void {
    const source = this.#sourceOf(index);
    this.#batch = batch;
    this.#index = index;
    this.#number = this.#settings.isDetailed ? this.#numberOf(batch, index, source) : 0;
    this.#current = this.#noted[source] ?? emptyNote();
    this.#running = undefined;
    this.#before = undefined;
  }

  stage(stage: ProgramStage): void {
    this.#stage = stage;
    this.#open.clear();
    // The index of rules passes over those that cannot match; a trace shows them too.
    if (this.#settings.isDetailed) for (const rule of new Set(stage.rules)) this.#note(rule);
  }

  asking(rule: ProgramRule): void {
    this.#running = this.#open.get(rule) ?? this.#note(rule);
    this.#since = this.#clock.now();
  }

  answered(rule: ProgramRule, holds: boolean): void {
    this.#addTime();
    if (this.#running !== undefined) this.#running.matched = holds;
    if (holds) this.#current.matched.add(rule.name);
    this.#running = undefined;
  }

  acting(rule: ProgramRule): void {
    this.#running = this.#open.get(rule);
    if (this.#settings.isDetailed) this.#before = this.#state();
    this.#since = this.#clock.now();
  }

  acted(): void {
    this.#addTime();
    this.#noteChanges();
    this.#running = undefined;
    this.#before = undefined;
  }

  /** The time guard may have ended the rule: then this is the last that is heard of it. */
  failed(text: string): void {
    if (this.#running !== undefined) this.#running.error ??= text;
    this.#noteChanges();
    if (this.#current.errors.length < MAX_ERRORS) this.#current.errors.push(text);
  }

  debug(text: string): void {
    const { debug } = this.#current;
    if (debug.length < MAX_DEBUG) debug.push({ at: this.#now(), text: text.slice(0, MAX_DEBUG_LENGTH) });
  }

  #note(rule: ProgramRule): RuleTrace | undefined {
    const stage = this.#stage;
    if (stage === undefined || !this.#settings.isDetailed) return undefined;
    const { rules } = this.#current;
    if (rules.length >= MAX_RULES) {
      this.#current.isComplete = false;
      return undefined;
    }
    const trace: RuleTrace = {
      pipeline: stage.pipelineName,
      stage: stage.number,
      rule: rule.name,
      message: this.#number,
      matched: false,
      at: this.#now(),
      took: 0,
      changes: [],
      streams: undefined,
      isDropped: false,
      error: undefined,
    };
    rules.push(trace);
    this.#open.set(rule, trace);
    return trace;
  }

  #noteChanges(): void {
    const running = this.#running;
    const before = this.#before;
    if (running === undefined || before === undefined) return;
    const after = this.#state();
    running.changes = changesOf(before.fields, after.fields);
    if (before.streams !== after.streams) running.streams = { before: before.streams, after: after.streams };
    running.isDropped = this.#batch?.isDropped(this.#index) ?? false;
  }

  #state() {
    const message = this.#batch?.messages[this.#index];
    return {
      fields: message === undefined ? new Map<string, FieldValue>() : fieldsOf(message),
      streams: this.#batch?.targets[this.#index]?.streamIds ?? [],
    };
  }

  /** Messages that were made of the same one have numbers in the order in which they were made. */
  #numberOf(batch: InterpreterBatch, index: number, source: number): number {
    let number = 0;
    if (index === source) return number;
    for (let each = 0; each <= index && each < batch.messages.length; each++) {
      if (each !== source && this.#sourceOf(each) === source) number += 1;
    }
    return number;
  }

  #addTime(): void {
    if (this.#running !== undefined) this.#running.took += (this.#clock.now() - this.#since) * 1000;
  }

  #now(): number {
    return (this.#clock.now() - this.#startedAt) * 1000;
  }
}

function emptyNote(): Noted {
  return { rules: [], isComplete: true, matched: new Set(), errors: [], debug: [] };
}
