/** Runs programs over messages. */
import type { Value } from '@millrace/rules';
import type { Message } from '#core/index.ts';
import { MessageValue, type PipelineContext, type RuleBatch, type RuleEnvironment } from '../rules/index.ts';
import type { SharedCondition } from './conditions.ts';
import type { PipelinePrograms, Program, ProgramRule, ProgramStage } from './program.ts';

/** Where errors of rules are kept on a message. */
export const PROCESSING_ERROR_FIELD = 'gl2_processing_error';
/** Longer texts are cut. */
const MAX_ERROR_LENGTH = 2000;

export interface InterpreterBatch extends RuleBatch {
  isDropped(index: number): boolean;
}

/** What a simulation wants to know. Not used when messages are processed. */
export interface Trace {
  stage(stage: ProgramStage, message: Message): void;
  condition(stage: ProgramStage, rule: ProgramRule, holds: boolean): void;
  ran(stage: ProgramStage, rule: ProgramRule, message: Message): void;
  failed(stage: ProgramStage, rule: ProgramRule, reason: string): void;
}

export interface InterpreterDeps {
  readonly programs: PipelinePrograms;
  readonly environment: RuleEnvironment;
  /** Whether a rule has had too many faults. */
  readonly isExceeded: (ruleId: string) => boolean;
  readonly ruleFailed: (rule: ProgramRule) => void;
  readonly trace?: Trace;
}

/**
 * State of one worker. Time guards may end `run` at any moment; `running` then is the rule that took too long, and the
 * next message starts anew.
 */
export class PipelineInterpreter implements PipelineContext {
  readonly variables: Value[] = [];
  readonly environment: RuleEnvironment;
  readonly #deps: InterpreterDeps;
  batch: RuleBatch;
  current: MessageValue;
  running: ProgramRule | undefined = undefined;
  /** Answers of conditions, and the moment at which they were given. */
  #answers: Uint8Array;
  #answeredAt: Float64Array;
  #moment = 0;
  #failed = '';

  constructor(deps: InterpreterDeps, batch: RuleBatch, message: Message) {
    this.#deps = deps;
    this.environment = deps.environment;
    this.batch = batch;
    this.current = new MessageValue(message, 0);
    this.#answers = new Uint8Array(deps.programs.conditionCount);
    this.#answeredAt = new Float64Array(deps.programs.conditionCount);
  }

  changed(): void {
    this.#moment += 1;
  }

  /** All pipelines of the message's streams, and of the streams that rules add it to. */
  run(batch: InterpreterBatch, index: number): void {
    const message = batch.messages[index];
    if (message === undefined) return;
    this.batch = batch;
    this.current = new MessageValue(message, index);
    this.changed();
    const first = batch.targets[index]?.streamIds ?? NO_STREAMS;
    let done = first;
    let streams = first;
    while (streams.length > 0) {
      const program = this.#deps.programs.programOf(streams);
      if (program.stages.length > 0) this.#runProgram(program, message);
      const after = batch.targets[index]?.streamIds ?? NO_STREAMS;
      // Nearly always: no rule has changed the streams.
      if (after === done || batch.isDropped(index)) return;
      const before = done;
      streams = after.filter((id) => !before.includes(id));
      done = [...before, ...streams];
    }
  }

  /** Notes on the message that the running rule took too long. */
  interrupted(batch: InterpreterBatch, index: number, limitMs: number): ProgramRule | undefined {
    const rule = this.running;
    const message = batch.messages[index];
    this.running = undefined;
    if (message !== undefined && rule !== undefined) {
      noteError(message, `Rule <${rule.name}> took longer than ${limitMs} ms`);
    }
    return rule;
  }

  #runProgram({ stages }: Program, message: Message): void {
    let stopped: Set<string> | undefined;
    for (let index = 0; index < stages.length; index++) {
      const stage = stages[index];
      if (stage === undefined || stopped?.has(stage.pipelineId) === true) continue;
      this.#deps.trace?.stage(stage, message);
      if (!this.#runStage(stage, message)) {
        stopped ??= new Set();
        stopped.add(stage.pipelineId);
      }
    }
  }

  /** Whether the pipeline goes on. */
  #runStage(stage: ProgramStage, message: Message): boolean {
    const { rules, match } = stage;
    const candidates = stage.index.candidates(message);
    const matching: ProgramRule[] = [];
    for (let index = 0; index < candidates.length; index++) {
      const rule = rules[candidates[index] ?? 0];
      if (rule === undefined) continue;
      const holds = this.#holds(rule, message);
      this.#deps.trace?.condition(stage, rule, holds);
      if (holds) matching.push(rule);
    }
    for (const rule of matching) if (!this.#act(stage, rule, message)) break;
    if (match === 'pass' || rules.length === 0) return true;
    return match === 'all' ? matching.length === rules.length : matching.length > 0;
  }

  #holds(rule: ProgramRule, message: Message): boolean {
    if (rule.isUnbounded) {
      if (this.#deps.isExceeded(rule.id)) return false;
      this.running = rule;
    }
    let holds = true;
    const { conditions } = rule;
    for (let index = 0; index < conditions.length && holds; index++) {
      const condition = conditions[index];
      if (condition !== undefined) holds = this.#answer(condition, rule, message);
    }
    this.running = undefined;
    return holds;
  }

  #answer(condition: SharedCondition, rule: ProgramRule, message: Message): boolean {
    const { index } = condition;
    if (index >= 0 && this.#answeredAt[index] === this.#moment) return this.#answers[index] === 1;
    let holds = false;
    try {
      holds = condition.test(this);
    } catch (error) {
      this.#fail(rule, message, 'when', error);
    }
    if (index >= 0) {
      this.#answers[index] = holds ? 1 : 0;
      this.#answeredAt[index] = this.#moment;
    }
    return holds;
  }

  /** False: an action failed. */
  #act(stage: ProgramStage, rule: ProgramRule, message: Message): boolean {
    if (rule.isUnbounded) this.running = rule;
    this.variables.length = 0;
    try {
      for (const action of rule.actions) action(this);
      this.#deps.trace?.ran(stage, rule, message);
      return true;
    } catch (error) {
      this.#fail(rule, message, 'then', error);
      this.#deps.trace?.failed(stage, rule, this.#failed);
      return false;
    } finally {
      this.running = undefined;
    }
  }

  #fail(rule: ProgramRule, message: Message, part: 'when' | 'then', error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    const where = part === 'when' ? 'condition' : 'actions';
    this.#failed = `For rule '${rule.name}' (${where}): ${reason}`;
    noteError(message, this.#failed);
    this.changed();
    this.#deps.ruleFailed(rule);
  }
}

const NO_STREAMS: readonly string[] = [];

function noteError(message: Message, text: string): void {
  const before = message.getField(PROCESSING_ERROR_FIELD);
  const whole = before === undefined ? text : `${before}, ${text}`;
  message.setField(PROCESSING_ERROR_FIELD, whole.slice(0, MAX_ERROR_LENGTH));
}
