import type { RemoteInfo } from 'node:dgram';
import {
  createGelfChunkAssembler,
  type DecompressionFailure,
  decompressPayload,
  isGelfChunk,
} from '#codecs/index.ts';
import type { FrameSource } from '#core/index.ts';
import { defineInputType, type Input, type InputContext } from '../input.ts';
import { createInputMetrics, type InputErrorType, type InputMetrics } from '../input-metrics.ts';
import { DatagramBatch } from '../net/datagram-batch.ts';
import { Peers } from '../net/peers.ts';
import { createUdpSocket } from '../net/udp-socket.ts';
import { createChunkMetrics } from './chunk-metrics.ts';
import { type GelfUdpConfig, gelfUdpFields } from './config.ts';

const TYPE_ID = 'gelf-udp';
const WIRE_TYPE = 'org.graylog2.inputs.gelf.udp.GELFUDPInput';
const EXPIRE_EVERY_MS = 1000;
const OPEN_BRACE = 0x7b;

export const gelfUdpInput = defineInputType({
  id: TYPE_ID,
  wireType: WIRE_TYPE,
  name: 'GELF UDP',
  transport: 'udp',
  fields: gelfUdpFields,
  create: createGelfUdpInput,
});

const ERROR_OF_FAILURE: Record<DecompressionFailure, InputErrorType> = {
  corrupt: 'corrupt_compression',
  'too-large': 'decompressed_too_large',
  unsupported: 'unsupported_payload',
};

/**
 * GELF datagrams: plain, gzip, zlib or chunks of any of them. A frame of the journal is the whole message,
 * decompressed. Decompression costs 9 µs wherever it is done; before the journal it costs the journal a few
 * hundred bytes more and spares every later reader of the frame the question what it is. A payload that
 * cannot be decompressed goes on as it came and becomes a failure with its raw bytes, like any other frame
 * that is no message.
 */
function createGelfUdpInput(context: InputContext, config: GelfUdpConfig): Input {
  const { clock } = context;
  const metrics = createInputMetrics(context.metrics, {
    typeId: TYPE_ID,
    wireType: WIRE_TYPE,
    inputId: context.inputId,
  });
  const peers = new Peers(context.inputId);
  const batch = new DatagramBatch(context.journal, metrics);
  const assembler = createGelfChunkAssembler();
  const chunkMetrics = createChunkMetrics(context.metrics, metrics.prefix, assembler);
  const socket = createUdpSocket(
    context,
    metrics,
    {
      bindAddress: config.bind_address,
      port: config.port,
      receiveBufferBytes: config.recv_buffer_size || context.udpReceiveBufferBytes,
    },
    receive,
  );
  let receivedAt = 0;
  let bytesRead = 0;
  let flushPending = false;
  let expireTimer: NodeJS.Timeout | undefined;
  let stopped: Promise<void> | undefined;

  function receive(datagram: Buffer, peer: RemoteInfo): void {
    if (!flushPending) {
      flushPending = true;
      receivedAt = clock.now();
      setImmediate(flush);
    }
    bytesRead += datagram.length;
    const source = peers.of(peer.address, peer.port);
    if (datagram[0] === OPEN_BRACE) batch.add(source, receivedAt, datagram);
    else receiveOther(datagram, source);
  }

  function receiveOther(datagram: Buffer, source: FrameSource): void {
    const payload = isGelfChunk(datagram)
      ? assembler.push(datagram, source.remoteAddress, receivedAt)
      : datagram;
    if (payload === undefined) return;
    if (isBlank(payload)) {
      metrics.dropped('empty', 1, payload.length);
      return;
    }
    batch.add(source, receivedAt, decompressed(payload, config.decompress_size_limit, metrics));
  }

  function flush(): void {
    flushPending = false;
    batch.flush();
    metrics.readBytes(bytesRead);
    bytesRead = 0;
  }

  function expire(): void {
    assembler.expire(clock.now());
    chunkMetrics.update();
  }

  async function close(): Promise<void> {
    await socket.close();
    clearInterval(expireTimer);
    flush();
    if (assembler.waitingMessages > 0) {
      metrics.dropped('incomplete_chunks', assembler.waitingMessages, assembler.waitingBytes);
    }
    chunkMetrics.update();
    chunkMetrics.end();
  }

  return {
    async start() {
      const listening = await socket.open();
      expireTimer = setInterval(expire, EXPIRE_EVERY_MS);
      expireTimer.unref();
      return listening;
    },
    stop() {
      stopped ??= close();
      return stopped;
    },
  };
}

function decompressed(payload: Buffer, maxBytes: number, metrics: InputMetrics): Buffer {
  const result = decompressPayload(payload, maxBytes);
  if (typeof result !== 'string') return result;
  metrics.error(ERROR_OF_FAILURE[result], 'framing');
  return payload;
}

/** Nothing but white space and null bytes, as some senders use for keeping a path open. */
function isBlank(payload: Buffer): boolean {
  for (const byte of payload) {
    if (byte !== 0 && byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return false;
  }
  return true;
}
