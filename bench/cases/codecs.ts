/**
 * What framing, decompression, chunks and decoding cost for one message, beside `JSON.parse` of the same
 * payload in the same run: µs of the thread's CPU, so that other work on the machine disturbs little.
 */
import {
  compressPayload,
  createDecoder,
  createDelimitedFramer,
  createGelfChunkAssembler,
  type DecodeResult,
  decompressPayload,
  type FrameColumns,
  gelfCodec,
  splitIntoChunks,
} from '../../packages/server/src/codecs/index.ts';
import { createFieldLayouts, Message } from '../../packages/server/src/core/index.ts';

const MESSAGES = 2048;
const ROUNDS = 5;
const ROUND_MICROSECONDS = 100_000;
const START = Date.UTC(2026, 0, 1);
/** Keeps the compiler from dropping work whose result nobody reads. */
let outcome: unknown;
const SOURCE = { inputId: '68a1b2c3d4e5f60718293a4b', remoteAddress: '192.0.2.7', remotePort: 40000 };

function hexDigits(seed: number, length: number): string {
  let text = '';
  for (let state = seed + 1; text.length < length; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += state.toString(16).padStart(8, '0');
  }
  return text.slice(0, length);
}

function uuid(seed: number): string {
  const digits = hexDigits(seed, 32);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
}

/** About 366 bytes, 7 additional fields, one a UUID. */
function webMessage(i: number): object {
  return {
    version: '1.1',
    host: `web-${i % 20}.example.org`,
    short_message: `GET /api/v1/items/${(i * 37) % 10007} answered 200 in ${i % 500} ms`,
    timestamp: (START + i) / 1000,
    level: 6,
    _method: 'GET',
    _path: `/api/v1/items/${(i * 37) % 10007}`,
    _status: 200,
    _duration_ms: (i % 500) + 0.25,
    _client_ip: `10.${i % 256}.${(i * 7) % 256}.${(i * 13) % 256}`,
    _user_agent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/126.0',
    _request_id: uuid(i),
  };
}

/** About 286 bytes, 3 additional fields. */
function textMessage(i: number): object {
  return {
    version: '1.1',
    host: 'combo.example.org',
    short_message:
      `sshd(pam_unix)[${20000 + i}]: authentication failure; logname= uid=0 euid=0 tty=NODEVssh ruser= ` +
      `rhost=218.188.${i % 256}.${(i * 5) % 256} user=root`,
    timestamp: (START + i) / 1000,
    level: 4,
    _application: 'sshd',
    _process_id: 20000 + i,
    _facility: 'authpriv',
  };
}

/** About 1780 bytes, some 50 fields, a 64-bit integer, a nested array, backslashes: a Windows event. */
function wideMessage(i: number): string {
  const fields: Record<string, unknown> = {
    version: '1.1',
    host: `desk-${i % 30}.example.org`,
    short_message: `Process accessed: C:\\Windows\\System32\\svchost.exe by process ${i}`,
    timestamp: (START + i) / 1000,
    level: 6,
    _Keywords: 'KEYWORDS',
    _EventID: 10,
    _SourceImage: 'C:\\Program Files\\Agent_2.7.41491.993\\Agent.exe',
    _ProviderGuid: `{${uuid(i % 7)}}`,
    _tags: ['windows', 'sysmon'],
    _Success: true,
  };
  for (let k = 0; k < 42; k++) {
    const names = [`ProcessId${k}`, `TargetImage${k}`, `Account${k}`, `LogonGuid${k}`];
    const values = [i * k, `C:\\Windows\\${k}.exe`, `user ${i % 100} of ${k}`, hexDigits(i + k, 18)];
    fields[`_${names[k % 4]}`] = values[k % 4];
  }
  return JSON.stringify(fields).replace('"KEYWORDS"', '-9223372036854775808');
}

/** All three in turn: what happens when no message is like the one before. */
function mixedMessage(i: number): object | string {
  return [webMessage, textMessage, wideMessage][i % 3]?.(i) ?? {};
}

const MIXES: Record<string, (i: number) => object | string> = {
  web: webMessage,
  text: textMessage,
  wide: wideMessage,
  mixed: mixedMessage,
};

function cpuMicroseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

/** µs of one message; `work` handles all of them and gives something that depends on the outcome. */
function measure(work: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = cpuMicroseconds();
    let spent = 0;
    let times = 0;
    // The clock may be as coarse as 4 ms. The first round warms up the compiler and is not the best anyway.
    while (spent < ROUND_MICROSECONDS) {
      outcome = work() ?? outcome;
      times += 1;
      spent = cpuMicroseconds() - before;
    }
    best = Math.min(best, spent / times / MESSAGES);
  }
  return Math.round(best * 1000) / 1000;
}

/** As the journal hands them out: in one buffer, with something else between them. */
function asColumns(payloads: readonly Buffer[]): FrameColumns {
  const gap = Buffer.alloc(60, 1);
  const frameStarts = new Uint32Array(payloads.length);
  const frameEnds = new Uint32Array(payloads.length);
  let at = 0;
  payloads.forEach((payload, index) => {
    frameStarts[index] = at + gap.length;
    at += gap.length + payload.length;
    frameEnds[index] = at;
  });
  const bytes = Buffer.concat(payloads.flatMap((payload) => [gap, payload]));
  const receivedAt = new Float64Array(payloads.length).fill(START);
  const sources = payloads.map(() => SOURCE);
  return { bytes, frameStarts, frameEnds, receivedAt, sources };
}

function measureDecoding(payloads: readonly Buffer[]): Record<string, number> {
  const texts = payloads.map(String);
  const decoder = createDecoder(gelfCodec, { layouts: createFieldLayouts() });
  const columns = asColumns(payloads);
  const encoder = gelfCodec.createEncoder?.();
  if (encoder === undefined) throw new Error('the codec has no encoder');
  const decodeBatch = (): DecodeResult[] => {
    const results: DecodeResult[] = [];
    decoder.decodeBatch(columns, 0, payloads.length, results);
    return results;
  };
  const messages = decodeBatch().filter((result) => result instanceof Message);
  if (messages.length !== payloads.length) throw new Error('not every payload was decoded');
  return {
    json_parse: measure(() => {
      for (const text of texts) outcome = JSON.parse(text);
    }),
    json_parse_from_bytes: measure(() => {
      for (const payload of payloads) outcome = JSON.parse(payload.toString('utf8'));
    }),
    decode_batch: measure(decodeBatch),
    decode_one: measure(() => {
      for (const payload of payloads) outcome = decoder.decode(payload, SOURCE, START);
    }),
    encode: measure(() => {
      for (const message of messages) outcome = encoder.encode(message);
    }),
  };
}

function measureFraming(payloads: readonly Buffer[], delimiter: 'null' | 'newline'): number {
  const end = Buffer.from(delimiter === 'null' ? '\0' : '\n');
  const stream = Buffer.concat(payloads.flatMap((payload) => [payload, end]));
  const chunks: Buffer[] = [];
  for (let at = 0; at < stream.length; at += 65_536) chunks.push(stream.subarray(at, at + 65_536));
  const framer = createDelimitedFramer({ delimiter });
  return measure(() => {
    let bytes = 0;
    for (const chunk of chunks) {
      framer.push(chunk, (frames) => {
        for (let i = 0; i < frames.count; i++) bytes += (frames.ends[i] ?? 0) - (frames.starts[i] ?? 0);
      });
    }
    return bytes;
  });
}

function measureDatagrams(payloads: readonly Buffer[]): Record<string, number> {
  const gzip = payloads.map((payload) => compressPayload(payload, 'gzip'));
  const zlib = payloads.map((payload) => compressPayload(payload, 'zlib'));
  const chunked = payloads.map((payload, i) => {
    const id = Buffer.alloc(8);
    id.writeUInt32BE(i, 4);
    return splitIntoChunks(payload, id, Math.ceil(payload.length / 4) + 12);
  });
  let pass = 0;
  let now = 0;
  const assembler = createGelfChunkAssembler();
  return {
    gunzip: measure(() => {
      for (const payload of gzip) outcome = decompressPayload(payload);
    }),
    inflate: measure(() => {
      for (const payload of zlib) outcome = decompressPayload(payload);
    }),
    plain_detection: measure(() => {
      for (const payload of payloads) outcome = decompressPayload(payload);
    }),
    reassembly_of_4_chunks: measure(() => {
      pass += 1;
      for (const chunks of chunked) {
        now += 1;
        for (const chunk of chunks) {
          // Ids must be new in every pass.
          chunk.writeUInt32BE(pass, 2);
          outcome = assembler.push(chunk, SOURCE, now);
        }
      }
      assembler.expire(now);
    }),
  };
}

export async function run(): Promise<void> {
  const result: Record<string, unknown> = { unit: 'CPU µs per message' };
  for (const [name, make] of Object.entries(MIXES)) {
    const payloads = Array.from({ length: MESSAGES }, (_, i) => {
      const made = make(i);
      return Buffer.from(typeof made === 'string' ? made : JSON.stringify(made));
    });
    const decoding = measureDecoding(payloads);
    const figures = {
      bytes: Math.round(payloads.reduce((sum, payload) => sum + payload.length, 0) / payloads.length),
      ...decoding,
      decode_batch_per_json_parse:
        Math.round((100 * (decoding.decode_batch ?? 0)) / (decoding.json_parse ?? 1)) / 100,
      framing_null: measureFraming(payloads, 'null'),
      framing_newline: measureFraming(payloads, 'newline'),
      ...measureDatagrams(payloads),
    };
    console.log(name, figures);
    result[name] = figures;
  }
  if (outcome === undefined) throw new Error('nothing was measured');
  console.log(JSON.stringify(result));
}
