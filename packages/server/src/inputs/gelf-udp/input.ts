import {
  createDecompressionAllowance,
  createGelfChunkAssembler,
  type DecompressionAllowance,
  type DecompressionFailure,
  decompressPayload,
  gelfCodec,
  isGelfChunk,
  payloadKind,
} from '#codecs/index.ts';
import {
  type Clock,
  createPeriodicJob,
  type FrameSource,
  monotonicClock,
  type PeriodicJob,
} from '#core/index.ts';
import { defineInputType, type Input, type InputContext, type InputType, type Listening } from '../input.ts';
import { createInputMetrics, type InputErrorType, type InputMetrics } from '../input-metrics.ts';
import { DatagramBatch } from '../net/datagram-batch.ts';
import type { DatagramSink, Datagrams } from '../net/datagrams.ts';
import { isBlank } from '../net/frame-queue.ts';
import { gelfTestFrame } from '../net/gelf-test.ts';
import { sendDatagram } from '../net/send-test.ts';
import { createUdpSocket, type UdpSocket } from '../net/udp-socket.ts';
import { type ChunkMetrics, createChunkMetrics } from './chunk-metrics.ts';
import { CHUNK_STEERING } from './chunk-steering.ts';
import { type GelfUdpConfig, gelfUdpFields } from './config.ts';
import { gelfUdpExamples } from './examples.ts';

const TYPE_ID = 'gelf-udp';
const WIRE_TYPE = 'org.graylog2.inputs.gelf.udp.GELFUDPInput';
const EXPIRE_EVERY_MS = 1000;
const OPEN_BRACE = 0x7b;
const MIB = 1024 * 1024;
/** The journal holds 16 MiB that are not on disk yet. While it is full, datagrams of all senders are lost. */
const RATIONS = {
  perSender: { bytesPerSecond: 2 * MIB, maxBytes: 8 * MIB },
  overall: { bytesPerSecond: 4 * MIB, maxBytes: 8 * MIB },
};

interface GelfUdpDeps {
  /** For the window of chunks and for allowances: nobody loses messages when the machine's time is set. */
  readonly monotonic: Clock;
}

export function createGelfUdpInputType(deps: GelfUdpDeps): InputType {
  return defineInputType({
    id: TYPE_ID,
    wireType: WIRE_TYPE,
    name: 'GELF UDP',
    description:
      'Takes GELF messages in datagrams: plain, compressed or in chunks. Fast, without acknowledgement.',
    transport: 'udp',
    codec: gelfCodec,
    fields: gelfUdpFields,
    examples: gelfUdpExamples,
    create: (context, config) => new GelfUdpInput(deps, context, config),
    sendTest: (listening, message) => sendDatagram(listening, gelfTestFrame(message)),
  });
}

export const gelfUdpInput = createGelfUdpInputType({ monotonic: monotonicClock });

const ERROR_OF_FAILURE: Record<DecompressionFailure, InputErrorType> = {
  corrupt: 'corrupt_compression',
  'too-large': 'decompressed_too_large',
  unsupported: 'unsupported_payload',
};

/**
 * GELF datagrams: plain, gzip, zlib or chunks of any of them. A frame of the journal is the whole message,
 * decompressed. Decompression costs 9 µs wherever it is done. Before the journal it costs the journal a few hundred
 * bytes more, and no later reader has to know about compression. A payload that cannot be decompressed is journaled
 * as it came and becomes a failure with its raw bytes, like any other frame that is not a message.
 */
class GelfUdpInput implements Input, DatagramSink {
  readonly #clock: Clock;
  readonly #decompressLimit: number;
  readonly #monotonic: Clock;
  readonly #allowance: DecompressionAllowance;
  readonly #metrics: InputMetrics;
  readonly #batch: DatagramBatch;
  readonly #assembler = createGelfChunkAssembler();
  readonly #chunkMetrics: ChunkMetrics;
  readonly #socket: UdpSocket;
  readonly #expiry: PeriodicJob;
  /** When the first datagram after a flush arrived. Datagrams up to the next flush get the same time. */
  #receivedAt: number | undefined;
  #bytesRead = 0;
  #stopped: Promise<void> | undefined;

  constructor(deps: GelfUdpDeps, context: InputContext, config: GelfUdpConfig) {
    const { inputId } = context;
    this.#clock = context.clock;
    this.#monotonic = deps.monotonic;
    this.#allowance = createDecompressionAllowance(deps, RATIONS);
    this.#decompressLimit = config.decompress_size_limit;
    this.#metrics = createInputMetrics(context.metrics, { typeId: TYPE_ID, wireType: WIRE_TYPE, inputId });
    this.#batch = new DatagramBatch(context.journal, this.#metrics);
    this.#chunkMetrics = createChunkMetrics(context.metrics, this.#metrics, this.#assembler);
    this.#socket = createUdpSocket(
      context,
      this.#metrics,
      {
        bindAddress: config.bind_address,
        port: config.port,
        receiveBufferBytes: config.recv_buffer_size || context.udpReceiveBufferBytes,
        steering: CHUNK_STEERING,
      },
      this,
    );
    this.#expiry = createPeriodicJob(
      { run: () => this.#expire(), logger: context.logger },
      { name: 'dropping incomplete chunked messages', intervalMs: EXPIRE_EVERY_MS, jitter: 0 },
    );
  }

  async start(): Promise<Listening> {
    const listening = await this.#socket.open();
    this.#expiry.start();
    return listening;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#close();
    return this.#stopped;
  }

  async #close(): Promise<void> {
    await this.#socket.close();
    await this.#expiry.stop();
    this.#assembler.giveUp();
    this.#chunkMetrics.update();
    this.#chunkMetrics.end();
  }

  receive(datagrams: Datagrams): void {
    this.#receivedAt ??= this.#clock.now();
    const receivedAt = this.#receivedAt;
    const { bytes, starts, ends, sources, from, to } = datagrams;
    // Consecutive plain messages of one sender are appended together.
    let first = from;
    for (let i = from; i < to; i += 1) {
      const start = starts[i] as number;
      const end = ends[i] as number;
      this.#bytesRead += end - start;
      const isPlain = end > start && bytes[start] === OPEN_BRACE;
      if (isPlain && sources[i] === sources[first]) continue;
      this.#batch.addRun(datagrams, first, i, receivedAt);
      first = i;
      if (isPlain) continue;
      this.#receiveOther(datagrams, i, receivedAt);
      first = i + 1;
    }
    this.#batch.addRun(datagrams, first, to, receivedAt);
  }

  #receiveOther({ bytes, starts, ends, sources, isReused }: Datagrams, i: number, receivedAt: number): void {
    const source = sources[i] as FrameSource;
    const there = bytes.subarray(starts[i], ends[i]);
    // Chunks are kept until their message is complete.
    const datagram = isReused ? Buffer.from(there) : there;
    const payload = isGelfChunk(datagram)
      ? this.#assembler.push(datagram, source, this.#monotonic.now())
      : datagram;
    if (payload === undefined) return;
    if (isBlank(payload, 0, payload.length)) {
      this.#metrics.dropped('empty', 1, payload.length);
      return;
    }
    this.#batch.add(source, receivedAt, this.#decompress(payload, source.remoteAddress));
  }

  #decompress(payload: Buffer, sender: string): Buffer {
    if (payloadKind(payload) === 'plain') return payload;
    const allowed = this.#allowance.limitFor(sender, payload.length);
    const limit = Math.min(this.#decompressLimit, allowed.bytes);
    const result = decompressPayload(payload, limit);
    if (typeof result !== 'string') this.#allowance.spend(sender, payload.length, result.length);
    // Damage is found early as a rule. It must not cost what the payload might have become.
    else if (result === 'too-large' || decompressPayload(payload, allowed.freeBytes) === 'too-large')
      this.#allowance.spend(sender, payload.length, limit);
    if (typeof result !== 'string') return result;
    const isRationed = result === 'too-large' && limit < this.#decompressLimit;
    this.#metrics.error(isRationed ? 'decompression_limit' : ERROR_OF_FAILURE[result], 'framing');
    return payload;
  }

  truncated(): void {
    this.#metrics.error('truncated_datagram', 'framing');
  }

  flush(): void {
    this.#receivedAt = undefined;
    this.#batch.flush();
    this.#metrics.readBytes(this.#bytesRead);
    this.#bytesRead = 0;
  }

  #expire(): void {
    this.#assembler.expire(this.#monotonic.now());
    this.#chunkMetrics.update();
  }
}
