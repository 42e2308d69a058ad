import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { CODECS, createDecoder, type DecodeResult } from '#codecs/index.ts';
import {
  type Clock,
  createComponentRegistry,
  createFieldLayouts,
  type FrameSource,
  InvalidConfiguration,
  type JournalWriter,
  type RawConfiguration,
  systemClock,
} from '#core/index.ts';
import {
  createCertificateStore,
  INPUT_TYPES,
  type Input,
  type InputContext,
  type InputType,
  type Listening,
} from '#inputs/index.ts';
import { type JournalFileSystem, type JournalPartition, openPartition } from '#journal/index.ts';
import { createMetrics, type Metrics } from '#telemetry/index.ts';
import { localByteBudget } from './local-byte-budget.ts';

export interface ReceivedFrame {
  readonly text: string;
  readonly bytes: Buffer;
  readonly source: FrameSource;
  readonly receivedAt: number;
}

/** A real journal in a directory of its own, as inputs in a worker have it. */
export interface IntakeFixture {
  readonly directory: string;
  readonly journal: JournalPartition;
  readonly metrics: Metrics;
  readonly logLines: string[];
  /** What a host or a test needs to make inputs; parts of it can be replaced. */
  context(overrides?: Partial<InputContext>): InputContext;
  /** A started input on a free port of the loopback address. */
  start(
    type: string,
    configuration?: RawConfiguration,
    overrides?: Partial<InputContext>,
  ): Promise<StartedInput>;
  /** The next frames in the journal, exactly that many; they are committed. */
  take(count: number): Promise<ReceivedFrame[]>;
  /** The same, decoded. */
  takeMessages(count: number): Promise<DecodeResult[]>;
  /** The count of a counter; 0 when there is none of that name. */
  count(name: string): number;
  /** Stops everything and removes the directory. */
  close(): Promise<void>;
}

export interface StartedInput {
  readonly input: Input;
  readonly listening: Listening;
  readonly port: number;
}

export interface IntakeFixtureOptions {
  readonly journalBytes?: number;
  readonly clock?: Clock;
  readonly files?: JournalFileSystem;
  readonly retryDelayMs?: number;
  readonly maxPendingBytes?: number;
  /** Input types beside the built-in ones. */
  readonly types?: readonly InputType[];
  /** For every input of this fixture. */
  readonly context?: Partial<InputContext>;
}

export const TEST_INPUT_ID = '65a1b2c3d4e5f60718293a4b';

export async function createIntakeFixture(options: IntakeFixtureOptions = {}): Promise<IntakeFixture> {
  const directory = await mkdtemp(path.join(tmpdir(), 'millrace-intake-'));
  const clock = options.clock ?? systemClock;
  const metrics = createMetrics();
  const logLines: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void logLines.push(line) });
  const inputs: Input[] = [];
  const types = createComponentRegistry('input', [...INPUT_TYPES.types, ...(options.types ?? [])]);
  const journal = await openJournal(directory, clock, options);

  function context(overrides: Partial<InputContext> = {}): InputContext {
    return {
      inputId: TEST_INPUT_ID,
      codecId: 0,
      journal: journal.writer as JournalWriter,
      metrics,
      logger,
      clock,
      shared: false,
      udpReceiveBufferBytes: 262_144,
      selfSignedCertificate: createCertificateStore({ clock }, { directory }),
      failed: (reason) => logLines.push(reason),
      ...options.context,
      ...overrides,
    };
  }

  async function start(
    type: string,
    configuration: RawConfiguration = {},
    overrides: Partial<InputContext> = {},
  ): Promise<StartedInput> {
    const created = types.find(type)?.create(context(overrides), {
      bind_address: '127.0.0.1',
      port: 0,
      ...configuration,
    });
    if (created === undefined) throw new Error(`there is no input type ${type}`);
    if (created instanceof InvalidConfiguration) throw new Error(created.text);
    inputs.push(created);
    const listening = await created.start();
    return { input: created, listening, port: listening.port };
  }

  const take = (count: number) => takeFrames(journal, count);

  return {
    directory,
    journal,
    metrics,
    logLines,
    context,
    start,
    take,
    async takeMessages(count) {
      const layouts = createFieldLayouts();
      const decoders = new Map(
        CODECS.types.map((codec) => [codec.journalId, createDecoder(codec, { layouts })]),
      );
      const frames = await take(count);
      return frames.map(({ bytes, source, receivedAt }) => {
        const decoder = decoders.get(source.codecId);
        if (decoder === undefined) throw new Error(`there is no codec number ${source.codecId}`);
        return decoder.decode(bytes, source, receivedAt);
      });
    },
    count(name) {
      const metric = metrics.get(name)?.metric;
      return metric !== undefined && 'count' in metric ? Number(metric.count) : 0;
    },
    async close() {
      await Promise.all(inputs.map((input) => input.stop()));
      await journal.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function openJournal(
  directory: string,
  clock: Clock,
  { files, journalBytes, retryDelayMs, maxPendingBytes }: IntakeFixtureOptions,
): Promise<JournalPartition> {
  return openPartition(
    {
      clock,
      budget: localByteBudget(journalBytes ?? 1024 ** 3),
      report: () => undefined,
      ...(files === undefined ? {} : { files }),
      tuning: {
        ...(retryDelayMs === undefined ? {} : { retryDelayMs }),
        ...(maxPendingBytes === undefined ? {} : { maxPendingBytes }),
      },
    },
    { directory: path.join(directory, 'partition-0'), flushAgeMs: 1, fullPolicy: 'block' },
  );
}

async function takeFrames(journal: JournalPartition, count: number): Promise<ReceivedFrame[]> {
  const frames: ReceivedFrame[] = [];
  while (frames.length < count) {
    const batch = journal.reader.read({ records: count - frames.length });
    if (batch === undefined) {
      if (journal.reader.closed) throw new Error(`closed after ${frames.length} of ${count} frames`);
      await journal.reader.whenReadable();
      continue;
    }
    for (let i = 0; i < batch.count; i++) {
      const bytes = Buffer.from(batch.bytes.subarray(batch.frameStarts[i], batch.frameEnds[i]));
      const source = batch.sources[i] as FrameSource;
      frames.push({ text: bytes.toString(), bytes, source, receivedAt: batch.receivedAt[i] as number });
    }
    journal.reader.commit(batch.endOffset);
    batch.release();
  }
  return frames;
}
