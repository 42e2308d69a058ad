import type { JournalRefusal } from '#core/index.ts';
import type { Metrics } from '#telemetry/index.ts';

/** Why a message that reached an input did not reach the journal. A closed list: each is a series. */
export const INPUT_DROP_REASONS = [
  /** The journal had no room or a failing disk, and the protocol cannot wait. HTTP senders were told. */
  'journal_full',
  'journal_backlogged',
  'journal_failing',
  'journal_closed',
  'empty',
  /** GELF UDP: more than 128 chunks. */
  'too_large',
  /** HTTP only; the sender was told. */
  'invalid_message',
  'invalid_request',
  'unauthorized',
  'corrupt_compression',
  'unsupported_encoding',
  'incomplete_body',
  /** The body decompresses to many times its size, and its sender or all together have used up the allowance for that. */
  'decompression_limit',
  /** Bodies, unfinished frames of all connections or chunks that wait for others reached their bound together. */
  'memory_limit',
  /** Chunks of messages that were never completed. */
  'incomplete_chunks',
] as const;
export type InputDropReason = (typeof INPUT_DROP_REASONS)[number];

/** What went wrong with a connection or a payload, without a message being lost. */
export const INPUT_ERROR_TYPES = [
  'connection_limit',
  'connection_error',
  'idle_timeout',
  /** A large frame was not complete in time. What had arrived is journaled and becomes a visible failure. */
  'frame_timeout',
  /** A connection of an input for null bytes ends its messages with newlines: they are one frame. */
  'newline_delimited',
  'tls_handshake',
  'client_certificate',
  'unreadable_request',
  'unknown_path',
  'unknown_method',
  /** Journaled as it is, so that it becomes a visible failure. */
  'corrupt_compression',
  'decompressed_too_large',
  'decompression_limit',
  'unsupported_payload',
  'truncated_datagram',
] as const;
export type InputErrorType = (typeof INPUT_ERROR_TYPES)[number];

export const INPUT_STAGES = ['connection', 'framing'] as const;
export type InputStage = (typeof INPUT_STAGES)[number];

/**
 * What every input counts. Call once per batch. The names are Graylog's where it has one: below
 * `<wire type>.<input id>`, and below `org.graylog2` for the node as a whole.
 */
export interface InputMetrics {
  /** The journal took these messages. */
  accepted(messages: number, bytes: number): void;
  dropped(reason: InputDropReason, messages: number, bytes: number): void;
  error(type: InputErrorType, stage: InputStage, count?: number): void;
  /** Bytes from the network, used or not. */
  readBytes(bytes: number): void;
  connectionOpened(): void;
  connectionClosed(): void;
  /** Reading stops until the journal has room. */
  readPaused(): void;
  /** The prefix for metrics that only one input type has. */
  readonly prefix: string;
}

export interface InputIdentity {
  readonly typeId: string;
  readonly wireType: string;
  readonly inputId: string;
}

export function inputMetricsPrefix({
  wireType,
  inputId,
}: Pick<InputIdentity, 'wireType' | 'inputId'>): string {
  return `${wireType}.${inputId}`;
}

export function dropReasonOf(refusal: JournalRefusal | undefined): InputDropReason {
  return `journal_${refusal ?? 'backlogged'}`;
}

export function createInputMetrics(metrics: Metrics, identity: InputIdentity): InputMetrics {
  const prefix = inputMetricsPrefix(identity);
  const component = metrics.component({
    kind: 'input',
    type: identity.typeId,
    id: identity.inputId,
    dropReasons: INPUT_DROP_REASONS,
    errorTypes: INPUT_ERROR_TYPES,
    stages: INPUT_STAGES,
  });
  const incoming = metrics.meterWithRate(`${prefix}.incomingMessages`, {
    help: 'Messages an input received',
  });
  const empty = metrics.counter(`${prefix}.emptyMessages`, { help: 'Empty messages an input ignored' });
  const read = metrics.counterWithRate(`${prefix}.read_bytes_total`, { help: 'Bytes an input read' });
  const total = metrics.counter(`${prefix}.total_connections`, { help: 'Connections an input accepted' });
  const pauses = metrics.counter(`${prefix}.read_pauses`, {
    help: 'How often an input stopped reading a connection until the journal had room',
  });
  const throughput = metrics.counterWithRate('org.graylog2.throughput.input', {
    help: 'Messages all inputs received',
  });
  const traffic = metrics.counter('org.graylog2.traffic.input', { help: 'Bytes of all messages received' });
  let open = 0;
  metrics.gauge(`${prefix}.open_connections`, () => open, { merge: 'sum', help: 'Open connections' });

  function received(messages: number, bytes: number): void {
    component.received(messages, bytes);
    incoming.mark(messages);
    throughput.increment(messages);
  }

  return {
    prefix,
    accepted(messages, bytes) {
      received(messages, bytes);
      component.sent(messages, bytes);
      traffic.increment(bytes);
    },
    dropped(reason, messages, bytes) {
      received(messages, bytes);
      component.dropped(reason, messages, bytes);
      if (reason === 'empty') empty.increment(messages);
    },
    error: (type, stage, count) => component.error(type, stage, count),
    readBytes: (bytes) => read.increment(bytes),
    connectionOpened() {
      open += 1;
      total.increment();
    },
    connectionClosed() {
      open -= 1;
    },
    readPaused: () => pauses.increment(),
  };
}
