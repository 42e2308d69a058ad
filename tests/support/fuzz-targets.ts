/**
 * Every parser that reads what others wrote, with what must hold for any bytes: it answers or refuses, and what it
 * answers makes sense. A target throws for a fault and returns a word about the outcome, so that bytes with a new outcome
 * can be told from those with a known one.
 */
import assert from 'node:assert/strict';
import path from 'node:path';
import { completionAt, explainQuery, MAX_QUERY_LENGTH, parseQuery, printQuery } from '@millrace/query';
import { parseCron, scheduleOf } from '../../packages/server/src/alerts/evaluation/schedule.ts';
import { escapeJson } from '../../packages/server/src/alerts/notifications/template/escape.ts';
import { parseTemplate } from '../../packages/server/src/alerts/notifications/template/template.ts';
import { templateValue } from '../../packages/server/src/alerts/notifications/template/values.ts';
import { findJsonFault } from '../../packages/server/src/api/json-fault.ts';
import { parseAuthorization } from '../../packages/server/src/auth/credentials.ts';
import {
  createDecoder,
  createDelimitedFramer,
  createGelfCheck,
  createGelfChunkAssembler,
  DecodeFailure,
  type DecodeResult,
  type Delimiter,
  decompressPayload,
  gelfCodec,
} from '../../packages/server/src/codecs/index.ts';
import { createFieldLayouts, InvalidError, StartupError } from '../../packages/server/src/core/index.ts';
import { splitBody } from '../../packages/server/src/inputs/gelf-http/split-body.ts';
import { decodeSlot } from '../../packages/server/src/journal/checkpoint.ts';
import { segmentFileName } from '../../packages/server/src/journal/format.ts';
import { parseCursor } from '../../packages/server/src/search/messages/cursor.ts';
import { compilePredicate } from '../../packages/server/src/search/query/index.ts';
import { parseInstant, parseTimeRangeText, timeSpanOf } from '../../packages/server/src/search/time/index.ts';
import { messagesOfBlock } from '../../packages/server/src/storage/block-messages.ts';
import { readNativeBlock } from '../../packages/server/src/storage/clickhouse/index.ts';
import { parsePeriod } from '../../packages/server/src/storage/index-sets/period.ts';
import { createMessageBlock } from '../../packages/server/src/storage/message-block.ts';
import { parseFields } from '../../packages/server/src/storage/schema/fields.ts';
import { loadFile } from '../../packages/server/src/testing/config.ts';
import {
  JOURNAL_DIRECTORY,
  openTestJournal,
  textsOf,
} from '../../packages/server/src/testing/journal-fixture.ts';
import { aMessage } from '../../packages/server/src/testing/message-fixture.ts';
import { testMessageId, testTarget } from '../../packages/server/src/testing/messages.ts';
import { recordBatch } from '../../packages/server/src/testing/record-batch.ts';
import { SimulatedDisk } from '../../packages/server/src/testing/simulated-disk.ts';
import { parseSearch, stringifySearch } from '../../packages/web/src/lib/url/index.ts';

export type FuzzTarget = (bytes: Buffer) => string | Promise<string>;

const NOW = Date.UTC(2026, 5, 10, 12);
const CONTEXT = { now: NOW, timeZone: 'Europe/Berlin' };
const MAX_DECOMPRESSED = 64 * 1024;
const MAX_FRAME = 1000;

export const FUZZ_TARGETS: Readonly<Record<string, FuzzTarget>> = {
  gelf: decodeGelf,
  'gelf-scan': scanGelf,
  'gelf-chunks': assembleChunks,
  'stored-block': storeAndReadBack,
  'stored-fields': (bytes) =>
    refusedOr(SyntaxError, () => assert(parseFields(`{"a":${String(bytes)}}`) instanceof Map)),
  compression(bytes) {
    const result = decompressPayload(bytes, MAX_DECOMPRESSED);
    if (typeof result === 'string') return result;
    assert(result === bytes || result.length <= MAX_DECOMPRESSED);
    return result === bytes ? 'plain' : 'decompressed';
  },
  'tcp-frames': (bytes) => [...frame(bytes, 'null'), '|', ...frame(bytes, 'newline')].join(''),
  'http-body': splitHttpBody,
  query: understandQuery,
  'time-range': readTimes,
  'journal-segment': openJournal,
  'journal-checkpoint': (bytes) => (decodeSlot(bytes) === undefined ? 'refused' : 'read'),
  authorization: (bytes) => parseAuthorization(String(bytes)).kind,
  cursor: (bytes) => refusedOr(InvalidError, () => parseCursor(String(bytes))),
  configuration: (bytes) => refusedOr(StartupError, () => loadFile(String(bytes))),
  template: renderTemplate,
  cron: readCron,
  json(bytes) {
    const text = String(bytes);
    const fault = findJsonFault(text);
    const parsed = refusedOr(SyntaxError, () => JSON.parse(text));
    return `${fault === undefined ? 'no fault' : 'fault'}, ${parsed}`;
  },
  url(bytes) {
    const values = parseSearch(String(bytes));
    assert.deepEqual(parseSearch(stringifySearch(values)), values);
    return `${Math.min(Object.keys(values).length, 3)} values`;
  },
};

type ErrorClass = abstract new (...args: never[]) => Error;

function refusedOr(refusal: ErrorClass, parse: () => unknown): string {
  try {
    parse();
    return 'read';
  } catch (error) {
    if (!(error instanceof refusal)) throw error;
    return 'refused';
  }
}

const ORIGIN = { inputId: 'input-1', remoteAddress: '192.0.2.7', remotePort: 4711, codecId: 1 };

/** Alone and among others, the result is the same. */
function decodeGelf(bytes: Buffer): string {
  const decoder = createDecoder(gelfCodec, { layouts: createFieldLayouts() });
  const alone = decoder.decode(bytes, ORIGIN, NOW);
  const good = Buffer.from('{"version":"1.1","host":"web-1","short_message":"good"}');
  const results: DecodeResult[] = [];
  const columns = {
    bytes: Buffer.concat([good, bytes, good]),
    frameStarts: Uint32Array.of(0, good.length, good.length + bytes.length),
    frameEnds: Uint32Array.of(good.length, good.length + bytes.length, 2 * good.length + bytes.length),
    receivedAt: Float64Array.of(NOW, NOW, NOW),
    sources: [ORIGIN, ORIGIN, ORIGIN],
  };
  decoder.decodeBatch(columns, 0, 3, results);
  assert.deepEqual(shown(results[1]), shown(alone));
  assert.equal(results[2] instanceof DecodeFailure, false);
  return alone instanceof DecodeFailure ? alone.reason : `message with notes ${alone.notes}`;
}

const scanning = createDecoder(gelfCodec, { layouts: createFieldLayouts(), leaveInFrames: true });
const CLEAN = Buffer.from(
  '{"version":"1.1","host":"web-1","short_message":"good","timestamp":1,"level":6,"_a":"x","_b":1}',
);

/** Whether or not it stays in its frame, among others, a message is stored as what it is alone. */
function scanGelf(bytes: Buffer): string {
  const frames = Array.from({ length: 24 }, (_, index) => (index % 3 === 1 ? bytes : CLEAN));
  const results = decodedTogether(frames);
  const alone = createDecoder(gelfCodec, { layouts: createFieldLayouts() }).decode(bytes, ORIGIN, NOW);
  // From the third time on it scans what can be scanned.
  for (let round = 0; round < 3; round++)
    assert.equal(check(bytes, ORIGIN, NOW) === undefined, !(alone instanceof DecodeFailure));
  const isInFrame = results[1] instanceof DecodeFailure ? false : results[1]?.frames !== undefined;
  const target = testTarget(['set-1'], ['stream-1']);
  const block = createMessageBlock({ indexSetId: 'set-1', nodeId: 'node-1' });
  const expected = createMessageBlock({ indexSetId: 'set-1', nodeId: 'node-1' });
  for (const [index, result] of results.entries()) {
    const other = index % 3 === 1 ? alone : cleanMessage;
    if (result instanceof DecodeFailure) assert.deepEqual(shown(result), shown(other));
    else if (!(other instanceof DecodeFailure)) {
      block.append(result, target);
      expected.append(other, target);
    } else assert.fail(`it is a message among others, and alone ${other.detail}`);
  }
  block.settle();
  const [row, same] = [block, expected].map((each) => readNativeBlock(each.encode(7)));
  for (const name of [
    'text',
    'fields',
    'message_length',
    'full_message_length',
    'source',
    'timestamp',
    'level',
  ])
    assert.deepEqual(row?.column(name), same?.column(name));
  const kind = alone instanceof DecodeFailure ? alone.reason : `message with notes ${alone.notes}`;
  return isInFrame ? `in its frame, ${kind}` : kind;
}

const check = createGelfCheck();
const cleanMessage = createDecoder(gelfCodec, { layouts: createFieldLayouts() }).decode(CLEAN, ORIGIN, NOW);

/** Twice, so that the shapes of all frames are known. */
function decodedTogether(frames: readonly Buffer[]): DecodeResult[] {
  const decodeOnce = () => {
    const results: DecodeResult[] = [];
    const records = recordBatch(frames.map((frame) => ({ frame, receivedAt: NOW })));
    scanning.decodeBatch(records, 0, frames.length, results);
    return results;
  };
  decodeOnce();
  return decodeOnce();
}

function shown(result: DecodeResult | undefined): unknown {
  if (result === undefined || result instanceof DecodeFailure) return result?.reason;
  const fields: unknown[] = [];
  result.forEachField((name, value) => fields.push([name, value]));
  return [result.timestamp, result.source, result.message, result.fullMessage, result.level, fields];
}

/** What is written into a block for the engine comes back when single rows of it must be sent again. */
function storeAndReadBack(bytes: Buffer): string {
  const decoded = createDecoder(gelfCodec, { layouts: createFieldLayouts() }).decode(bytes, ORIGIN, NOW);
  if (decoded instanceof DecodeFailure) return decoded.reason;
  decoded.id = testMessageId(1, NOW);
  const target = testTarget(['set-1', 'set-2'], ['stream-1']);
  const block = createMessageBlock({ indexSetId: 'set-1', nodeId: 'node-1' });
  block.append(decoded, target);
  const [row, ...others] = messagesOfBlock(block.encode(7), 'set-1', createFieldLayouts());
  assert.deepEqual(shown(row?.message), shown(decoded));
  assert.equal(row?.message.id, decoded.id);
  assert.deepEqual(row?.target.streamIds, target.streamIds);
  assert.equal(others.length, 0);
  return `stored with notes ${decoded.notes}`;
}

/** Whatever values are put into a template, they stay inside the quotes that are around them. */
function renderTemplate(bytes: Buffer): string {
  const text = String(bytes);
  const model = { event: templateValue({ message: text, key: 'k', fields: { a: [1, 'two', null], b: {} } }) };
  const options = { escape: escapeJson, timeZone: CONTEXT.timeZone };
  return refusedOr(InvalidError, () => {
    const rendered = parseTemplate(text).render(model, options);
    assert(rendered.length <= 4 * 2 ** 20);
    JSON.parse(parseTemplate(`"\${event.message}"`).render(model, options));
  });
}

/** Any expression that is accepted has a next time, or none at all, and a usual time between two. */
function readCron(bytes: Buffer): string {
  const stored = { kind: 'cron', expression: String(bytes), timeZone: CONTEXT.timeZone } as const;
  if (refusedOr(Error, () => parseCron(stored.expression, stored.timeZone)) === 'refused') return 'refused';
  const schedule = scheduleOf(stored, 60_000, '');
  const next = schedule.nextEnd(NOW);
  assert(next > NOW, String(next));
  assert(schedule.intervalMs >= 1000, String(schedule.intervalMs));
  return next === Number.POSITIVE_INFINITY ? 'never' : 'read';
}

/** The first byte of each datagram is its length here. */
function assembleChunks(bytes: Buffer): string {
  const assembler = createGelfChunkAssembler({ maxBytes: 4096, maxMessages: 8 });
  let complete = 0;
  for (let at = 0, now = 0; at < bytes.length; now += 100) {
    const length = bytes[at] ?? 0;
    const datagram = bytes.subarray(at + 1, at + 1 + length);
    at += 1 + length;
    if (assembler.push(Buffer.from(datagram), ORIGIN, now) !== undefined) complete += 1;
    assert(assembler.waitingMessages <= 8);
  }
  return `${Math.min(complete, 3)} complete, ${Math.min(assembler.waitingMessages, 3)} waiting`;
}

/** However the bytes are cut on their way, the frames are the same. */
function frame(bytes: Buffer, delimiter: Delimiter): string {
  const whole = framesOf(bytes, delimiter, bytes.length);
  for (const step of [1, 3, 64]) assert.deepEqual(framesOf(bytes, delimiter, step), whole);
  return `${whole.at(-1) ?? ''} ${Math.min(whole.length, 4)}`;
}

function framesOf(bytes: Buffer, delimiter: Delimiter, step: number): string[] {
  const framer = createDelimitedFramer({ delimiter, maxFrameBytes: MAX_FRAME });
  const frames: string[] = [];
  const sink: Parameters<typeof framer.push>[1] = ({ bytes: buffer, starts, ends, count }) => {
    for (let i = 0; i < count; i++) frames.push(buffer.toString('hex', starts[i], ends[i]));
  };
  let result = 'ok';
  for (let at = 0; at < bytes.length && result === 'ok'; at += step) {
    result = framer.push(Buffer.from(bytes.subarray(at, at + step)), sink);
  }
  if (result === 'ok') result = framer.end(sink);
  return [...frames, result];
}

function splitHttpBody(bytes: Buffer): string {
  const result = splitBody(bytes, { allowBulk: true, maxMessages: 10, maxMessageBytes: 100 });
  if (result.kind !== 'bulk') return result.kind;
  let last = 0;
  for (const [i, start] of result.starts.entries()) {
    const end: number = result.ends[i] ?? 0;
    assert(start >= last && end >= start && end <= bytes.length);
    last = end;
  }
  assert(result.starts.length <= 10);
  return `bulk of ${result.starts.length}`;
}

/** A printed query means the same, and a message can be tested with it. */
function understandQuery(bytes: Buffer): string {
  const text = String(bytes);
  const { query, problems } = parseQuery(text);
  completionAt(text, Math.floor(text.length / 2));
  if (query === undefined)
    return (problems[0]?.message ?? 'no problem').replaceAll(/[^a-z ]/g, '').slice(0, 30);
  const printed = printQuery(query);
  // Written with all its operators, a query may be longer than what is allowed.
  if (printed.length > MAX_QUERY_LENGTH) return 'long';
  const again = parseQuery(printed).query;
  assert(again !== undefined, `${printed} cannot be read again`);
  assert.equal(printQuery(again), printed);
  explainQuery(query);
  compilePredicate(query, CONTEXT)(aMessage({ message: text, number: 17 }));
  return query.type;
}

function readTimes(bytes: Buffer): string {
  const text = String(bytes);
  parsePeriod(text);
  parseInstant(text, CONTEXT.timeZone);
  const keyword = refusedOr(InvalidError, () => {
    const { from, to } = timeSpanOf({ type: 'keyword', keyword: text }, CONTEXT);
    assert(from <= to);
  });
  return `${keyword}, ${refusedOr(InvalidError, () => timeSpanOf(parseTimeRangeText(text), CONTEXT))}`;
}

/** A journal opens whatever its segment holds, and takes messages again. */
async function openJournal(bytes: Buffer): Promise<string> {
  const disk = new SimulatedDisk();
  disk.replace(path.join(JOURNAL_DIRECTORY, segmentFileName(0)), bytes);
  const journal = await openTestJournal({ disk });
  const batch = journal.reader.read();
  const found = batch === undefined ? 0 : textsOf(batch).length;
  batch?.release();
  await journal.close();
  return `${Math.min(found, 3)} records, ${journal.incidents.map(({ kind }) => kind).join()}`;
}
