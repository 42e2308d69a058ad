/** Runs programs over messages. */
import type { Value } from '@millrace/rules';
import { errorMessage, type Message } from '#core/index.ts';
import { noteProcessingError } from '../framework/index.ts';
import { MessageValue, type PipelineContext, type RuleBatch, type RuleEnvironment } from '../rules/index.ts';
import type { SharedCondition } from './conditions.ts';
import type { PipelinePrograms, Program, ProgramRule, ProgramStage } from './program.ts';

export interface InterpreterBatch extends RuleBatch {
  isDropped(index: number): boolean;
}

export interface InterpreterDeps {
  readonly programs: PipelinePrograms;
  readonly environment: RuleEnvironment;
  /** Called for every error that is noted on a message. */
  readonly failed: () => void;
  /** Sees what every rule does. Only simulations have one. */
  readonly watch?: RuleWatch | undefined;
}

/** Is told what happens while it happens. Nothing here may throw. */
export interface RuleWatch {
  /** The pipelines of message `index` of the batch run. */
  message(batch: InterpreterBatch, index: number): void;
  /** Before the conditions of a stage are asked. */
  stage(stage: ProgramStage): void;
  asking(rule: ProgramRule): void;
  answered(rule: ProgramRule, holds: boolean): void;
  acting(rule: ProgramRule): void;
  acted(rule: ProgramRule): void;
  /** The rule that runs now failed. */
  failed(text: string): void;
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
  /** Ids of rules that have had too many faults. They do not match. */
  disabled: ReadonlySet<string> = new Set();
  /** Answers of conditions, and the moment at which they were given. */
  #answers: Uint8Array;
  #answeredAt: Float64Array;
  #moment = 0;
  /** How much the rules have made of the message. */
  #made = 0;
  /** Which rule has made a copy, by the copies. */
  readonly #clonedBy = new WeakMap<Message, string>();

  constructor(deps: InterpreterDeps, batch: RuleBatch, message: Message) {
    this.#deps = deps;
    this.environment = deps.environment;
    this.batch = batch;
    this.current = new MessageValue(message, 0);
    this.#answers = new Uint8Array(deps.programs.conditionCount);
    this.#answeredAt = new Float64Array(deps.programs.conditionCount);
  }

  made(size: number): void {
    this.#made += size;
    if (this.#made > MAX_MADE)
      throw new Error(`the rules have made more than ${MAX_MADE} characters for this message`);
  }

  isOwnClone(message: Message): boolean {
    const rule = this.#clonedBy.get(message);
    return rule !== undefined && rule === this.running?.id;
  }

  cloned(message: Message): void {
    if (this.running !== undefined) this.#clonedBy.set(message, this.running.id);
  }

  changed(): void {
    this.#moment += 1;
  }

  /**
   * All pipelines of the message's streams, and of the streams that rules add it to. Nothing that a rule or a message
   * does is thrown: the record would be read again for ever.
   */
  run(batch: InterpreterBatch, index: number): void {
    const message = batch.messages[index];
    if (message === undefined) return;
    try {
      this.#runMessage(batch, index, message);
    } catch (error) {
      this.#note(message, `Processing failed: ${errorMessage(error)}`);
    }
  }

  #runMessage(batch: InterpreterBatch, index: number, message: Message): void {
    this.batch = batch;
    this.current = new MessageValue(message, index);
    this.changed();
    if (this.#made > 0) this.#forgetMade();
    this.#deps.watch?.message(batch, index);
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

  /** Variables are not needed any more, and large ones would take up memory. */
  #forgetMade(): void {
    this.#made = 0;
    this.variables.length = 0;
  }

  /** Notes on the message that it took too long, and which rule was running. */
  interrupted(batch: InterpreterBatch, index: number, limitMs: number): ProgramRule | undefined {
    const rule = this.running;
    const message = batch.messages[index];
    this.running = undefined;
    if (message !== undefined) {
      const what = rule === undefined ? 'Processing' : `Rule <${rule.name}>`;
      this.#note(message, `${what} took longer than ${limitMs} ms`);
    }
    return rule;
  }

  #runProgram({ stages }: Program, message: Message): void {
    // Whatever its rules do with it.
    message.gelfFrame = -1;
    let stopped: Set<string> | undefined;
    for (let index = 0; index < stages.length; index++) {
      const stage = stages[index];
      if (stage === undefined || stopped?.has(stage.pipelineId) === true) continue;
      if (!this.#runStage(stage, message)) {
        stopped ??= new Set();
        stopped.add(stage.pipelineId);
      }
    }
  }

  /** Whether the pipeline goes on. */
  #runStage(stage: ProgramStage, message: Message): boolean {
    const { rules, match } = stage;
    const { watch } = this.#deps;
    watch?.stage(stage);
    const candidates = stage.index.candidates(message);
    let matching = NO_RULES;
    for (let index = 0; index < candidates.length; index++) {
      const rule = rules[candidates[index] ?? 0];
      if (rule === undefined) continue;
      watch?.asking(rule);
      const holds = this.#holds(rule, message);
      watch?.answered(rule, holds);
      if (!holds) continue;
      if (matching === NO_RULES) matching = [rule];
      else matching.push(rule);
    }
    for (let index = 0; index < matching.length; index++) {
      const rule = matching[index] as ProgramRule;
      watch?.acting(rule);
      const isDone = this.#act(rule, message);
      watch?.acted(rule);
      if (!isDone) break;
    }
    if (match === 'pass' || rules.length === 0) return true;
    return match === 'all' ? matching.length === rules.length : matching.length > 0;
  }

  #holds(rule: ProgramRule, message: Message): boolean {
    if (this.disabled.size > 0 && this.disabled.has(rule.id)) return false;
    this.running = rule;
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
      // Not remembered: every rule that asks is named.
      this.#fail(rule, message, 'when', error);
      return false;
    }
    if (index >= 0) {
      this.#answers[index] = holds ? 1 : 0;
      this.#answeredAt[index] = this.#moment;
    }
    return holds;
  }

  /** False: an action failed. */
  #act(rule: ProgramRule, message: Message): boolean {
    this.running = rule;
    const { actions } = rule;
    // A rule sets its variables before it reads them, so those of the rule before may stay.
    try {
      for (let index = 0; index < actions.length; index++) actions[index]?.(this);
      return true;
    } catch (error) {
      this.#fail(rule, message, 'then', error);
      return false;
    } finally {
      this.running = undefined;
    }
  }

  #fail(rule: ProgramRule, message: Message, part: 'when' | 'then', error: unknown): void {
    const where = part === 'when' ? 'condition' : 'actions';
    this.#note(message, `For rule '${rule.name}' (${where}): ${errorMessage(error)}`);
  }

  #note(message: Message, text: string): void {
    message.gelfFrame = -1;
    noteProcessingError(message, text);
    this.changed();
    this.#deps.watch?.failed(text);
    this.#deps.failed();
  }
}

/** Characters, of large values together. Each text has a limit of its own, but a rule can have thousands of them. */
const MAX_MADE = 64 * 1024 * 1024;
const NO_RULES: ProgramRule[] = [];
const NO_STREAMS: readonly string[] = [];
