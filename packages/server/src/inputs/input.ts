import type { Codec } from '#codecs/index.ts';
import {
  type Clock,
  type ComponentDefinition,
  type ComponentType,
  type ConfigurationFields,
  type ConfigurationOf,
  defineComponent,
  InvalidError,
  type JournalWriter,
  parseConfiguration,
  type RawConfiguration,
} from '#core/index.ts';
import type { Logger, Metrics } from '#telemetry/index.ts';
import type { SocketCalls } from './net/socket-calls.ts';

/**
 * An input takes frames from a network and gives them to the journal. It knows bytes, not messages: what a
 * frame means is decoded after the journal, where the input's id leads to its static fields and the like.
 *
 * The acknowledgement rule: a protocol that answers (HTTP) says yes only after the journal said durable. A
 * protocol that does not (TCP) stops reading while the journal refuses, so that nothing that was read is
 * lost. A protocol that can do neither (UDP) counts what it had to drop. No bytes from the network ever
 * throw out of an input, stop it, or disturb another one.
 */
export interface Input {
  /**
   * Resolves when the input listens; rejects with an `InputStartError` when it cannot, having released
   * everything, so that a new instance may try again. Called at most once.
   */
  start(): Promise<Listening>;
  /**
   * Stops accepting, hands what was read to the journal, closes every connection and resolves. Never
   * rejects; may be called at any time, also before or during `start`, and more than once.
   */
  stop(): Promise<void>;
}

export interface ListeningAt {
  readonly address: string;
  readonly port: number;
}

export interface Listening extends ListeningAt {
  /** A warning for people although the input runs, such as a receive buffer that is smaller than asked for. */
  readonly notice?: string;
}

/** Why an input does not listen, in words for the person who configured it. */
export class InputStartError extends Error {
  override readonly name = 'InputStartError';
}

export interface CertificatePair {
  /** PEM. */
  readonly certificate: string;
  /** PEM, not encrypted. */
  readonly key: string;
}

/** What an input gets from its host. */
export interface HostContext {
  readonly inputId: string;
  readonly journal: JournalWriter;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Other workers of this node listen on the same port (`reusePort`). */
  readonly shared: boolean;
  /** Receive buffer of UDP sockets whose input does not set its own (`udp_recvbuffer_sizes`). */
  readonly udpReceiveBufferBytes: number;
  /** Overrides the memory of the machine, for tests. */
  readonly machineMemoryBytes?: number;
  /** Overrides how UDP sockets are read, for tests. */
  readonly udpReading?: UdpReading;
  /** The certificate of inputs with TLS that have no certificate files; the same in every worker. */
  readonly selfSignedCertificate: () => Promise<CertificatePair>;
  /** The input failed while it ran. It should be stopped and started again. */
  readonly failed: (reason: string) => void;
}

/** What an input works with. */
export interface InputContext extends HostContext {
  /** The number of the type's codec; every frame source carries it. */
  readonly codecId: number;
}

export interface UdpReading {
  /** Loads what `node:dgram` lacks, or undefined to do without it. */
  readonly loadCalls?: () => Promise<SocketCalls | undefined>;
  /** With at least this many datagrams in a millisecond, many are read at a time. */
  readonly busyDatagrams?: number;
}

/** What a test message says, in no format yet. */
export interface TestMessage {
  readonly source: string;
  readonly text: string;
  readonly fields: Readonly<Record<string, string>>;
}

export type InputTransport = 'udp' | 'tcp';

export interface InputType extends ComponentType<HostContext, Input> {
  readonly transport: InputTransport;
  /** Decodes the frames of this input. Its fields are among the fields of the type. */
  readonly codec: Codec;
  /**
   * Sends a message to such an input, the way senders do. Rejects with an error for people. Undefined for types that
   * cannot be sent to from here.
   */
  readonly sendTest:
    | ((listening: ListeningAt, message: TestMessage, raw: RawConfiguration) => Promise<void>)
    | undefined;
}

export interface InputTypeDefinition<Fields extends ConfigurationFields>
  extends ComponentDefinition<Fields, InputContext, Input> {
  readonly transport: InputTransport;
  readonly codec: Codec;
  readonly sendTest?: (
    listening: ListeningAt,
    message: TestMessage,
    config: ConfigurationOf<Fields>,
  ) => Promise<void>;
}

export function defineInputType<Fields extends ConfigurationFields>(
  definition: InputTypeDefinition<Fields>,
): InputType {
  const { transport, codec, sendTest } = definition;
  const component = defineComponent<Fields, HostContext, Input>({
    ...definition,
    fields: { ...codec.fields, ...definition.fields },
    create: (context, config) => definition.create({ ...context, codecId: codec.journalId }, config),
  });
  return {
    ...component,
    transport,
    codec,
    sendTest:
      sendTest &&
      (async (listening, message, raw) => {
        const parsed = parseConfiguration(definition.fields, raw);
        if (!parsed.ok) throw new InvalidError('The configuration of the input is not valid.', parsed);
        await sendTest(listening, message, parsed.config);
      }),
  };
}
