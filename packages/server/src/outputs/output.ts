import type { Encoder } from '#codecs/index.ts';
import {
  type Clock,
  type ComponentDefinition,
  type ComponentType,
  type ConfigurationFields,
  type ConfigurationOf,
  defineComponent,
  InvalidConfiguration,
  parseConfiguration,
  type RawConfiguration,
} from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { type QueueConfig, queueFields } from './queue-fields.ts';

/**
 * An output sends messages to a destination. It knows its protocol and nothing else: messages wait in a queue on disk
 * (`queue/`), and `delivery/` takes them from there, retries, pauses and counts.
 *
 * The contract: calls come one at a time and in the order of the queue. What a call throws decides what happens next:
 * after a `RefusedError` or `SomeRefusedError` the messages concerned go to the stream "Processing failures" and the next ones are sent; after
 * anything else the same messages are sent again after a pause, so a destination that is away only delays them.
 * A destination may get messages twice, never out of order, and never one less.
 */
export interface Output {
  /**
   * Called before the first `send` and again after something was thrown: connects, or proves in another way that the
   * destination is there. An output without connection leaves it out.
   */
  connect?(signal: AbortSignal): Promise<void>;
  /** Resolves when the destination has the messages, as far as the protocol can tell. Keeps no reference to them. */
  send(messages: readonly OutgoingMessage[], signal: AbortSignal): Promise<void>;
  /**
   * For protocols without an answer: how long messages count as under way after `send`. When the connection breaks
   * (`OutputContext.lost`), what is under way is sent again.
   */
  readonly confirmAfterMs?: number;
  /** Ends the connection in an orderly way, as far as `signal` leaves time. True: the destination has read everything. */
  close(signal: AbortSignal): Promise<boolean>;
}

/** A message as it waits in the queue: already encoded. Valid until `send` has ended. */
export interface OutgoingMessage {
  /** The id of the message: the same when it is sent again. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly payload: Buffer;
  readonly payloadLength: number;
  /** Copies the payload, for less than it costs to ask for it, and returns its length. */
  copyPayload(target: Buffer, at: number): number;
}

/** The destination refuses these messages for good: sending them again is useless. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** Some of the messages are refused for good; all the others were sent. */
export class SomeRefusedError extends Error {
  override readonly name = 'SomeRefusedError';
  /** Reasons by the position of the message in what was to be sent. */
  readonly reasons: ReadonlyMap<number, string>;

  constructor(reasons: ReadonlyMap<number, string>) {
    super([...new Set(reasons.values())].join('; '));
    this.reasons = reasons;
  }
}

/** The destination asks to be left alone for some time. */
export class RetryAfterError extends Error {
  override readonly name = 'RetryAfterError';
  readonly delayMs: number;

  constructor(message: string, delayMs: number) {
    super(message);
    this.delayMs = delayMs;
  }
}

export interface OutputContext {
  readonly outputId: string;
  /** The journal partition whose messages it sends: an output runs once for each of them. */
  readonly partition: number;
  /** Below which outputs may write files. */
  readonly filesDirectory: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How long a destination may leave what is written to it unread; half a minute unless given. */
  readonly stallTimeoutMs?: number | undefined;
  /** The connection is gone. */
  readonly lost: (reason: string) => void;
}

/** How messages are turned into bytes. Outputs with the same key share the work. */
export interface Encoding {
  readonly key: string;
  create(): Encoder;
}

/** How many messages a `send` gets. */
export interface BatchLimits {
  readonly bytes: number;
  readonly messages: number;
  /** How long messages may wait for others. */
  readonly lingerMs: number;
}

/** What the worker needs of a configuration before there is an output. */
export interface OutputPlan {
  readonly encoding: Encoding;
  readonly limits: BatchLimits;
  readonly queue: QueueConfig;
  /** The pause before the first attempt after a failure. */
  readonly retryDelayMs: number;
}

export interface OutputType extends ComponentType<OutputContext, Output> {
  plan(raw: RawConfiguration): OutputPlan | InvalidConfiguration;
}

export interface OutputTypeDefinition<Fields extends ConfigurationFields>
  extends ComponentDefinition<Fields, OutputContext, Output> {
  encoding(config: ConfigurationOf<Fields>): Encoding;
  limits?(config: ConfigurationOf<Fields>): Partial<BatchLimits>;
  retryDelayMs?(config: ConfigurationOf<Fields>): number;
}

const DEFAULT_LIMITS: BatchLimits = { bytes: 256 * 1024, messages: 4096, lingerMs: 0 };
const DEFAULT_RETRY_DELAY_MS = 500;

export function defineOutputType<Fields extends ConfigurationFields>(
  definition: OutputTypeDefinition<Fields>,
): OutputType {
  const { encoding, limits, retryDelayMs, fields: ownFields } = definition;
  const fields = { ...ownFields, ...queueFields };
  const component = defineComponent<Fields, OutputContext, Output>({ ...definition, fields });
  return {
    ...component,
    plan(raw) {
      const problems = component.problemsOf(raw);
      const own = parseConfiguration(ownFields, raw);
      const queue = parseConfiguration(queueFields, raw);
      if (problems.length > 0 || !own.ok || !queue.ok) return new InvalidConfiguration(problems);
      return {
        encoding: encoding(own.config),
        limits: { ...DEFAULT_LIMITS, ...limits?.(own.config) },
        queue: queue.config,
        retryDelayMs: retryDelayMs?.(own.config) ?? DEFAULT_RETRY_DELAY_MS,
      };
    },
  };
}
