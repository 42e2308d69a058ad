import { OpaqueValue, type RuleContext, type Value } from '@millrace/rules';
import type { Message } from '#core/index.ts';
import type { RuleLookups } from './lookups.ts';

/** What rules may do with messages: the part of a batch that they see. */
export interface RuleBatch {
  readonly messages: readonly Message[];
  readonly targets: readonly { readonly streamIds: readonly string[] }[];
  addStream(index: number, streamId: string): boolean;
  removeStream(index: number, streamId: string): boolean;
  /** How many messages `clone` and `create` make of one record, and of all records of the batch. */
  readonly limits: { readonly perRecord: number; readonly perBatch: number };
  drop(index: number): void;
  clone(index: number): number;
  create(
    index: number,
    content: {
      readonly message: string;
      readonly source: string;
      readonly level: number;
      readonly timestamp: number;
    },
  ): number;
}

/** What rules know beside the message. */
export interface RuleEnvironment {
  readonly defaultStreamId: string;
  /** Ids of the streams with this name that run. */
  streamsNamed(name: string): readonly string[];
  /** Ids of the inputs with this name. */
  inputsNamed(name: string): readonly string[];
  /** Milliseconds since the epoch. */
  now(): number;
  readonly grokPatterns: ReadonlyMap<string, string>;
  /** Without it there are no lookup tables. */
  readonly lookups?: RuleLookups | undefined;
  /** What `debug()` writes. */
  debug(text: string): void;
  /** What `metric_counter_inc()` counts. */
  count(name: string, by: number): void;
}

/** A message as a value: the one that is processed, a clone, or one that a rule has created. */
export class MessageValue extends OpaqueValue {
  readonly index: number;
  readonly message: Message;

  constructor(message: Message, index: number) {
    super();
    this.message = message;
    this.index = index;
  }

  override toString(): string {
    return `message ${this.message.id}`;
  }
}

/** The evaluation of rules for one message. */
export interface PipelineContext extends RuleContext {
  readonly variables: Value[];
  readonly batch: RuleBatch;
  readonly environment: RuleEnvironment;
  /** The message that is processed. */
  readonly current: MessageValue;
  /** Whether the rule that runs has made this message as a copy. */
  isOwnClone(message: Message): boolean;
  /** The rule that runs has made this message as a copy. */
  cloned(message: Message): void;
  /** Called after every change of a message, so that what was known of it is looked at again. */
  changed(): void;
}
