import type { IncomingMessage, ServerResponse } from 'node:http';
import { createDecompressionAllowance, createGelfCheck } from '#codecs/index.ts';
import {
  type FrameBatch,
  type FrameSource,
  type JournalRefusal,
  machineMemoryBytes,
  monotonicClock,
} from '#core/index.ts';
import type { InputContext } from '../input.ts';
import { dropReasonOf, type InputDropReason, type InputMetrics } from '../input-metrics.ts';
import { bytesOf } from '../net/append.ts';
import { freeBuffer } from '../net/free-buffer.ts';
import { createSharedMemory, type MemoryShare, type SharedMemory } from '../net/shared-memory.ts';
import { type AppendOutcome, createAcknowledgedAppend } from './acknowledged-append.ts';
import { type Refusal, refuse, refuseAndClose, refuseUnread } from './answer.ts';
import { bodyMemoryBytes } from './body-memory.ts';
import type { GelfHttpConfig } from './config.ts';
import { type BodyDecompressor, createBodyDecompressor, isCompressed } from './decompress-body.ts';
import { createCrossOrigin, createGate, type GateResult, maxBodyBytes, tooLarge } from './gate.ts';
import { type BodyEncoding, type BodyFault, readBody } from './read-body.ts';
import { type SplitSettings, splitBody } from './split-body.ts';

/** Takes requests from their head to their answer: head, body, messages, journal, answer. */
export interface Receiver {
  receive(request: IncomingMessage, response: ServerResponse, source: FrameSource): void;
  /** Whether the head of the request passes. If not, the request has been answered. */
  admit(request: IncomingMessage, response: ServerResponse): boolean;
  /**
   * Takes the message of a plain request, in `bytes` from `start` on. False when the body is not a single message or is
   * refused: then nothing was kept or counted. Otherwise `settled` is called once, when it is known whether the message
   * is on disk. If it is not, nothing was counted unless the sender is gone.
   */
  receivePlain(bytes: Buffer, start: number, from: PlainSender, settled: (durable: boolean) => void): boolean;
  /** Of the memory of all bodies. */
  openShare(address: string): MemoryShare;
  /** Requests without an answer yet. */
  readonly active: number;
  /** After `leave`. */
  readonly isLeaving: boolean;
  /** From now on connections are closed after their answer. */
  leave(): void;
  close(): void;
}

/** Where plain requests come from; `share` counts the one that is under way. */
export interface PlainSender {
  readonly source: FrameSource;
  readonly share: MemoryShare;
  /** It cannot get an answer any more. */
  readonly isGone: boolean;
}

const MAX_BULK_MESSAGES = 100_000;

const RETRY_AFTER_SECONDS: Record<JournalRefusal, number> = {
  backlogged: 1,
  full: 10,
  failing: 5,
  closed: 5,
};
const UNAVAILABLE: Record<JournalRefusal, string> = {
  backlogged: 'The journal is busy. Nothing was stored; send it again later.',
  full: 'The journal is full. Nothing was stored; send it again later.',
  failing: 'The journal cannot be written. Nothing was stored; send it again later.',
  closed: 'The node is stopping. Nothing was stored; send it again later.',
};
interface Fault {
  readonly reason: InputDropReason;
  readonly refusal: Refusal;
}

const FAULTS: Record<BodyFault, Fault> = {
  'too-large': { reason: 'too_large', refusal: { status: 413, message: 'The body is too large.' } },
  corrupt: {
    reason: 'corrupt_compression',
    refusal: { status: 400, message: 'The body cannot be decompressed: it is damaged or encoded otherwise.' },
  },
  'memory-limit': {
    reason: 'memory_limit',
    refusal: {
      status: 503,
      message: 'Too many large requests at once. Nothing was stored; send it again later.',
      headers: { 'Retry-After': '1' },
    },
  },
  'senders-decompression-limit': decompressionFault('this sender has used up its allowance'),
  'overall-decompression-limit': decompressionFault('all senders together have used up the allowance'),
  incomplete: {
    reason: 'incomplete_body',
    refusal: { status: 400, message: 'The body ended before it was complete.' },
  },
};

export function createReceiver(
  context: InputContext,
  metrics: InputMetrics,
  config: GelfHttpConfig,
): Receiver {
  return new GelfReceiver(context, metrics, config);
}

class GelfReceiver implements Receiver {
  readonly #context: InputContext;
  readonly #metrics: InputMetrics;
  readonly #config: GelfHttpConfig;
  readonly #gate: (request: IncomingMessage) => GateResult;
  readonly #crossOrigin: (request: IncomingMessage) => Record<string, string> | undefined;
  readonly #journal;
  readonly #memory: SharedMemory;
  readonly #decompressor: BodyDecompressor;
  readonly #splitSettings: SplitSettings;
  readonly #check = createGelfCheck();
  isLeaving = false;
  active = 0;

  constructor(context: InputContext, metrics: InputMetrics, config: GelfHttpConfig) {
    this.#context = context;
    this.#metrics = metrics;
    this.#config = config;
    this.#memory = createSharedMemory(
      { monotonic: monotonicClock },
      {
        limitBytes: bodyMemoryBytes(context.machineMemoryBytes ?? machineMemoryBytes(), maxBodyBytes(config)),
      },
    );
    this.#decompressor = createBodyDecompressor(
      { allowance: createDecompressionAllowance({ monotonic: monotonicClock }) },
      { maxBytes: config.decompress_size_limit },
    );
    this.#splitSettings = {
      allowBulk: config.enable_bulk_receiving,
      maxMessages: MAX_BULK_MESSAGES,
      maxMessageBytes: config.max_chunk_size,
    };
    this.#gate = createGate(config);
    this.#crossOrigin = createCrossOrigin(config);
    this.#journal = createAcknowledgedAppend(context.journal);
  }

  leave(): void {
    this.isLeaving = true;
  }

  close(): void {
    this.#journal.close();
  }

  admit(request: IncomingMessage, response: ServerResponse): boolean {
    return this.#pass(request, response) !== undefined;
  }

  receive(request: IncomingMessage, response: ServerResponse, source: FrameSource): void {
    const passed = this.#pass(request, response);
    if (passed === undefined) return;
    const { encoding, maxBytes } = passed;
    this.active += 1;
    readBody(request, maxBytes, this.#memory, source.remoteAddress, (body) => {
      if (typeof body !== 'string') {
        const { bytes, share } = body;
        this.#metrics.readBytes(bytes.length);
        this.#receiveBody(new Exchange(response, source, bytes.length, share), bytes, encoding);
        return;
      }
      this.active -= 1;
      const { reason, refusal } = body === 'too-large' ? tooLargeFault(maxBytes) : FAULTS[body];
      this.#metrics.dropped(reason, 1, 0);
      if (body !== 'incomplete') refuseAndClose(request, response, refusal);
    });
  }

  openShare(address: string): MemoryShare {
    return this.#memory.open(address, () => undefined);
  }

  receivePlain(
    bytes: Buffer,
    start: number,
    from: PlainSender,
    settled: (durable: boolean) => void,
  ): boolean {
    if (this.isLeaving) return false;
    const body = bytes.subarray(start);
    if (body.length > maxBodyBytes(this.#config)) return false;
    if (isCompressed(body, 'identity')) return false;
    const split = splitBody(body, this.#splitSettings);
    if (split.kind !== 'single' || split.end - split.start > this.#config.max_chunk_size) return false;
    const { source, share } = from;
    const receivedAt = this.#context.clock.now();
    const frame = body.subarray(split.start, split.end);
    if (this.#check(frame, source, receivedAt) !== undefined) return false;
    share.resize(bytes.length);
    if (!share.isOpen) return false;
    // The journal copies what it needs before it returns.
    const starts = [split.start];
    const ends = [split.end];
    const isTaken = this.#journal.appendNow(
      { source, receivedAt, bytes: body, starts, ends, count: 1 },
      (durable) => {
        this.active -= 1;
        share.resize(0);
        // One that failed is received again by Node's server, and counted there.
        if (durable || from.isGone) this.#metrics.readBytes(body.length);
        if (durable) this.#metrics.accepted(1, frame.length);
        else if (from.isGone) this.#metrics.dropped(dropReasonOf('failing'), 1, body.length);
        settled(durable);
      },
    );
    if (isTaken) this.active += 1;
    else share.resize(0);
    return isTaken;
  }

  /** Answers the request if its head decides the answer. */
  #pass(request: IncomingMessage, response: ServerResponse): PassedGate | undefined {
    const result = this.#gate(request);
    const crossOrigin = this.#crossOrigin(request);
    if (crossOrigin !== undefined) {
      for (const [name, value] of Object.entries(crossOrigin)) response.setHeader(name, value);
    }
    if (this.isLeaving) response.setHeader('Connection', 'close');
    if (result.kind === 'pass') return result;
    if (result.kind === 'options') {
      response.writeHead(200, { Allow: 'POST, OPTIONS', 'Content-Length': 0 });
      response.end();
      return undefined;
    }
    if ('error' in result.counted) this.#metrics.error(result.counted.error, 'connection');
    else this.#metrics.dropped(result.counted.dropped, 1, 0);
    refuseUnread(request, response, result.refusal);
    return undefined;
  }

  #receiveBody(exchange: Exchange, body: Buffer, encoding: BodyEncoding): void {
    if (isCompressed(body, encoding)) void this.#receiveCompressed(exchange, body, encoding);
    else this.#receiveMessages(exchange, body);
  }

  async #receiveCompressed(exchange: Exchange, body: Buffer, encoding: BodyEncoding): Promise<void> {
    const limit = this.#config.decompress_size_limit;
    const decompressed = await this.#decompressor.decompress(body, encoding, exchange.source.remoteAddress);
    if (typeof decompressed !== 'string') {
      exchange.share.resize(exchange.bytes + decompressed.length);
      if (exchange.share.isOpen) this.#receiveMessages(exchange, decompressed);
      else this.#refuse(exchange, 'memory_limit', 1, FAULTS['memory-limit'].refusal);
      return;
    }
    const { reason, refusal } = decompressed === 'too-large' ? tooLargeFault(limit) : FAULTS[decompressed];
    this.#refuse(exchange, reason, 1, refusal);
  }

  #receiveMessages(exchange: Exchange, body: Buffer): void {
    exchange.body = body;
    const split = splitBody(body, this.#splitSettings);
    switch (split.kind) {
      case 'single':
        this.#receiveSingle(exchange, body, split.start, split.end);
        break;
      case 'bulk':
        this.#receiveBulk(exchange, body, split.starts, split.ends);
        break;
      case 'broken':
        this.#refuse(exchange, 'invalid_message', 1, { status: 400, message: sentence(split.reason) });
        break;
      case 'too-many': {
        const message = `The body has more than ${MAX_BULK_MESSAGES} messages.`;
        this.#refuse(exchange, 'too_large', MAX_BULK_MESSAGES, { status: 413, message });
      }
    }
  }

  #receiveSingle(exchange: Exchange, body: Buffer, start: number, end: number): void {
    const limit = this.#config.max_chunk_size;
    if (end - start > limit) {
      const message = `The message is larger than ${limit} bytes.`;
      this.#refuse(exchange, 'too_large', 1, { status: 413, message });
      return;
    }
    const frame = start === 0 && end === body.length ? body : body.subarray(start, end);
    const receivedAt = this.#context.clock.now();
    const problem = this.#check(frame, exchange.source, receivedAt);
    if (problem !== undefined) {
      this.#refuse(exchange, 'invalid_message', 1, { status: 400, message: sentence(problem.detail) });
      return;
    }
    this.#append(exchange, {
      source: exchange.source,
      receivedAt,
      bytes: body,
      starts: [start],
      ends: [end],
      count: 1,
    });
  }

  #receiveBulk(exchange: Exchange, body: Buffer, starts: readonly number[], ends: readonly number[]): void {
    const limit = this.#config.max_chunk_size;
    const count = starts.length;
    const tooLong = starts.findIndex((start, index) => (ends[index] ?? 0) - start > limit);
    if (tooLong >= 0) {
      const message = `Message ${tooLong + 1} of the body is larger than ${limit} bytes; none was stored.`;
      this.#refuse(exchange, 'too_large', count, { status: 413, message });
      return;
    }
    const receivedAt = this.#context.clock.now();
    this.#append(exchange, { source: exchange.source, receivedAt, bytes: body, starts, ends, count });
  }

  #append(exchange: Exchange, frames: FrameBatch): void {
    this.#journal.append(frames, (outcome) => this.#appended(exchange, frames, outcome));
  }

  #appended(exchange: Exchange, frames: FrameBatch, outcome: AppendOutcome): void {
    if (outcome === 'durable') {
      this.#metrics.accepted(frames.count, bytesOf(frames));
      this.#done(exchange);
      exchange.response.writeHead(202, ACCEPTED_HEADERS);
      exchange.response.end();
      return;
    }
    this.#refuse(exchange, dropReasonOf(outcome), frames.count, {
      status: 503,
      message: UNAVAILABLE[outcome],
      headers: { 'Retry-After': String(RETRY_AFTER_SECONDS[outcome]) },
    });
  }

  #refuse(exchange: Exchange, reason: InputDropReason, messages: number, refusal: Refusal): void {
    this.#metrics.dropped(reason, messages, exchange.bytes);
    this.#done(exchange);
    refuse(exchange.response, refusal);
  }

  #done(exchange: Exchange): void {
    this.active -= 1;
    exchange.share.close();
    if (exchange.body.length > WORTH_FREEING_BYTES) freeBuffer(exchange.body);
    if (this.isLeaving && !exchange.response.headersSent) exchange.response.setHeader('Connection', 'close');
  }
}

const NO_BODY = Buffer.alloc(0);
const WORTH_FREEING_BYTES = 16 * 1024;
const ACCEPTED_HEADERS = { 'Content-Length': 0 };

type PassedGate = Extract<GateResult, { kind: 'pass' }>;

/** A request whose body has been read. */
class Exchange {
  readonly response: ServerResponse;
  readonly source: FrameSource;
  /** Size of the body as sent. */
  readonly bytes: number;
  /** Decompressed. */
  body: Buffer = NO_BODY;
  /** Of the memory of all bodies. */
  readonly share: MemoryShare;

  constructor(response: ServerResponse, source: FrameSource, bytes: number, share: MemoryShare) {
    this.response = response;
    this.source = source;
    this.bytes = bytes;
    this.share = share;
  }
}

function tooLargeFault(limit: number): Fault {
  return { reason: 'too_large', refusal: tooLarge(limit) };
}

function decompressionFault(why: string): Fault {
  return {
    reason: 'decompression_limit',
    refusal: {
      status: 503,
      message:
        `The body decompresses to many times its size, and ${why} for such bodies. ` +
        'Nothing was stored; send it again later.',
      headers: { 'Retry-After': '10' },
    },
  };
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
