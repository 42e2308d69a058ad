import type { InputLoss } from '@millrace/contract';
import type { Counter, Metrics } from '#telemetry/index.ts';
import type { InputDropReason, InputErrorType } from './input-metrics.ts';

interface Loss {
  readonly what: string;
  readonly remedy: string;
}

/** What people are told about each loss. Blank messages are not one. */
const DROPS: Record<Exclude<InputDropReason, 'empty'>, Loss> = {
  journal_full: {
    what: 'the journal is full',
    remedy: 'find out why messages are not stored, or raise message_journal_max_size',
  },
  journal_backlogged: { what: 'the journal cannot keep up', remedy: 'use a faster disk or more workers' },
  journal_failing: { what: 'the journal cannot be written', remedy: 'check the disk of the journal' },
  journal_closed: { what: 'the node was stopping', remedy: 'nothing needs to be done' },
  too_large: {
    what: 'messages were too large',
    remedy: 'raise the size limits of the input or send less at once',
  },
  invalid_message: {
    what: 'requests were not GELF',
    remedy: 'correct the sender, which was told what is wrong',
  },
  invalid_request: {
    what: 'requests broke the rules of HTTP',
    remedy: 'correct the sender, which was told what is wrong',
  },
  unauthorized: {
    what: 'requests lacked the required header',
    remedy: 'give senders the value of authorization_header_value',
  },
  corrupt_compression: { what: 'compressed data was damaged', remedy: 'check the sender' },
  unsupported_encoding: {
    what: 'requests had an unknown content encoding',
    remedy: 'let senders use gzip, deflate or none',
  },
  decompression_limit: {
    what: 'a sender, or all together, used up the allowance for bodies that decompress to many times their size',
    remedy: 'let senders send less repetitive data at a time, or without compression',
  },
  incomplete_body: {
    what: 'senders disconnected before their request was complete',
    remedy: 'check their timeouts and the network',
  },
  memory_limit: {
    what: 'unfinished messages used up their memory, so those that held most for longest were given up',
    remedy: 'look for senders that do not end their messages or send very slowly',
  },
  incomplete_chunks: {
    what: 'chunks of messages did not arrive in time',
    remedy: 'check the network, or send by TCP',
  },
};

export const NEWLINES: Loss = {
  what: 'a connection ends its messages with newlines, but the input expects null bytes, so only its first message is taken',
  remedy:
    'set use_null_delimiter of the input to false, or detect_delimiter to true for both kinds of senders',
};
export const LOSS_OF_DELIMITER = 'errors.newline_delimited';

const ERRORS: Partial<Record<InputErrorType, Loss & { readonly stage: 'connection' | 'framing' }>> = {
  connection_limit: {
    stage: 'connection',
    what: 'connections were refused because too many were open',
    remedy: 'raise max_connections, or lower idle_timeout',
  },
  decompression_limit: {
    stage: 'framing',
    what: 'a sender, or all together, used up the allowance for payloads that decompress to many times their size; they are failures',
    remedy: 'look at the stream "Processing failures" for who sends them',
  },
  newline_delimited: { stage: 'framing', ...NEWLINES },
  frame_timeout: {
    stage: 'connection',
    what: 'messages were not complete in time',
    remedy: 'let senders end each message with the delimiter of the input, or raise frame_timeout',
  },
};

interface CountedLoss extends Loss {
  /** Of the counter, below the prefix of the input. */
  readonly name: string;
  readonly reason: string;
}

/** Not counted among the messages that are lost: they are stored, without these fields. */
const DROPPED_FIELDS: CountedLoss = {
  name: 'dropped.bad_field_name.fields',
  reason: 'dropped.bad_field_name',
  what: 'fields were dropped because of their names; the messages are stored without them',
  remedy: 'let senders use names of letters, digits, dots, dashes and underscores',
};

export function droppedFieldCounter(metrics: Pick<Metrics, 'counter'>, prefix: string): Counter {
  return metrics.counter(`${prefix}.${DROPPED_FIELDS.name}`, { help: 'Fields dropped for their names' });
}

const LOSSES: readonly CountedLoss[] = [
  ...Object.entries(DROPS).map(([reason, loss]) => ({
    ...loss,
    name: `dropped.${reason}.events`,
    reason: `dropped.${reason}`,
  })),
  ...Object.entries(ERRORS).map(([type, { stage, ...loss }]) => ({
    ...loss,
    name: `errors.${type}.${stage}`,
    reason: `errors.${type}`,
  })),
];

function countOf(metrics: Pick<Metrics, 'get'>, name: string): number {
  const metric = metrics.get(name)?.metric;
  return metric !== undefined && 'count' in metric ? Number(metric.count) : 0;
}

/**
 * What an input has lost since the node started, the most first. `prefix` is that of its component metrics,
 * `droppedField` an example of a field that was dropped for its name.
 */
export function lossesOf(
  metrics: Pick<Metrics, 'get'>,
  prefix: string,
  droppedField?: string | undefined,
): InputLoss[] {
  return [...LOSSES, DROPPED_FIELDS]
    .map((loss) => ({
      reason: loss.reason,
      unit: loss === DROPPED_FIELDS ? ('fields' as const) : ('events' as const),
      count: countOf(metrics, `${prefix}.${loss.name}`),
      what: loss.what,
      remedy: loss.remedy,
      example: (loss === DROPPED_FIELDS ? droppedField : undefined) ?? null,
    }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}

/** How long a loss is shown after it last happened. */
const SHOWN_FOR_MS = 60_000;

/** Tells people that an input loses messages, why, and what to do about it. */
export interface LossWatch {
  check(nowMs: number): RecentLosses;
}

export interface RecentLosses {
  /** For the state of the input; undefined when nothing was lost of late. */
  readonly text: string | undefined;
  /** As in `InputLoss.reason`. */
  readonly reasons: readonly string[];
}

/** `prefix` is that of the input's component metrics. */
export function createLossWatch(metrics: Pick<Metrics, 'get'>, prefix: string): LossWatch {
  const losses = LOSSES.map(follow);

  function follow({ name, reason, what, remedy }: CountedLoss) {
    let seen = countOf(metrics, `${prefix}.${name}`);
    let lastAt = Number.NEGATIVE_INFINITY;
    const loss = { reason, text: `${what} (${name}); ${remedy}` };

    return (nowMs: number): typeof loss | undefined => {
      const now = countOf(metrics, `${prefix}.${name}`);
      if (now > seen) lastAt = nowMs;
      seen = now;
      return nowMs - lastAt < SHOWN_FOR_MS ? loss : undefined;
    };
  }

  return {
    check(nowMs) {
      const recent = losses.map((loss) => loss(nowMs)).filter((loss) => loss !== undefined);
      const texts = recent.map(({ text }) => text).join('. Also: ');
      return {
        text: recent.length === 0 ? undefined : `messages were lost or refused: ${texts}`,
        reasons: recent.map(({ reason }) => reason),
      };
    },
  };
}
