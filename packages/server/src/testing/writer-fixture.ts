import { createMessageEncoder } from '#codecs/index.ts';
import {
  createFieldLayouts,
  type JournalReader,
  monotonicClock,
  type RecordBatch,
  type RoutedBatch,
  type RoutingTarget,
} from '#core/index.ts';
import {
  type ClickHouse,
  createMessageWriter,
  type IndexSetSnapshot,
  type MessageWriter,
  type MessageWriterConfig,
  type SeenField,
} from '#storage/index.ts';
import { createLogger, createMetrics, type Metrics } from '#telemetry/index.ts';
import { testMessage, testMessageId, testTarget } from './messages.ts';

export const DEFAULT_SET = '000000000000000000000001';
export const FAILURE_SET = '000000000000000000000004';
export const OTHER_SET = '00000000000000000000000a';

/** A snapshot of the sets every test has; `active` numbers their active indices, all others are there too. */
export function testSnapshot(
  version: number,
  active: Readonly<Record<string, number>> = {},
  ids: readonly string[] = [DEFAULT_SET, OTHER_SET, FAILURE_SET],
): IndexSetSnapshot {
  return {
    revision: version,
    version,
    defaultIndexSetId: DEFAULT_SET,
    indexSets: ids.map((id) => ({
      id,
      table: `table_${id}`,
      indices: Array.from({ length: (active[id] ?? 0) + 1 }, (_, number) => ({
        number,
        // Each index of a test is made by the snapshot that first has it.
        version: number === 0 ? 1 : number === (active[id] ?? 0) ? version : 1,
      })),
    })),
  };
}

/** Routes by what a text begins with: `a` to the default set, `b` to the other one, `ab` to both. */
export function routeByText(text: string): RoutingTarget {
  const sets = [...(text.includes('a') ? [DEFAULT_SET] : []), ...(text.includes('b') ? [OTHER_SET] : [])];
  return testTarget(sets.length === 0 ? [DEFAULT_SET] : sets);
}

export type Route = (text: string) => RoutingTarget;

const layouts = createFieldLayouts();

/** What processing would make of records whose frames are plain texts: the text up to `-` decides the way. */
export function routedBatch(records: readonly RecordBatch[], route: Route): RoutedBatch {
  const first = records[0];
  const last = records.at(-1);
  if (first === undefined || last === undefined) throw new Error('no records');
  const rows = records.flatMap((batch) =>
    Array.from({ length: batch.count }, (_, index) => {
      const text = batch.bytes.toString('utf8', batch.frameStarts[index], batch.frameEnds[index]);
      const receivedAt = batch.receivedAt[index] ?? 0;
      const id = testMessageId(batch.firstOffset + index, receivedAt);
      const message = testMessage({ id, message: text, receivedAt, fields: { text } }, layouts);
      return { message, target: route(text.split('-')[0] ?? '') };
    }),
  );
  return {
    firstOffset: first.firstOffset,
    endOffset: last.endOffset,
    messages: rows.map(({ message }) => message),
    targets: rows.map(({ target }) => target),
  };
}

export interface TestWriter extends MessageWriter {
  readonly metrics: Metrics;
  readonly newFields: SeenField[];
  readonly crashes: readonly unknown[];
}

export function createTestWriter(
  reader: Pick<JournalReader, 'beginBatch' | 'commitBatch'>,
  clickhouse: () => ClickHouse | undefined,
  config: Partial<MessageWriterConfig> = {},
): TestWriter {
  const metrics = createMetrics();
  const newFields: SeenField[] = [];
  const crashes: unknown[] = [];
  const encoder = createMessageEncoder();
  const writer = createMessageWriter(
    {
      reader,
      clickhouse,
      metrics,
      logger: createLogger({ level: 'silent' }),
      monotonic: monotonicClock,
      failureMessage: ({ details, message }) =>
        testMessage({
          message: `failed: ${details}`,
          receivedAt: message.receivedAt,
          fields: { raw: encoder.encode(message).toString('base64') },
        }),
      failureTarget: testTarget([FAILURE_SET], ['000000000000000000000004']),
      newFields: (fields) => newFields.push(...fields),
      manyFieldNames() {},
      crashed: (error) => crashes.push(error),
    },
    {
      nodeId: 'node-1',
      database: 'test',
      maxAgeMs: 1,
      maxAgeBesideMs: 4,
      firstRetryMs: 1,
      maxRetryMs: 4,
      stopGraceMs: 200,
      ...config,
    },
  );
  return Object.assign(writer, { metrics, newFields, crashes });
}

/** Brings what is in the journal to the writer until the journal is closed: replays first. */
export async function pump(reader: JournalReader, writer: MessageWriter, route: Route): Promise<void> {
  for (;;) {
    const replay = await reader.nextReplay();
    if (replay === undefined) break;
    await writer.replay(routedBatch(replay.records, route), replay.token);
    for (const batch of replay.records) batch.release();
  }
  while (!reader.closed) {
    const records = reader.read();
    if (records === undefined) {
      await reader.whenReadable();
      continue;
    }
    const wait = writer.write(routedBatch([records], route));
    records.release();
    await wait;
  }
}
