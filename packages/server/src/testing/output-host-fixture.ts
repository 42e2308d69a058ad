import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Message, type OutputSink, systemClock } from '#core/index.ts';
import {
  createOutputHost,
  type OutputHost,
  type OutputReport,
  type RefusedMessage,
  type WantedOutput,
} from '#outputs/index.ts';
import { createLogger, createMetrics } from '#telemetry/index.ts';
import { anIdentified } from './output-fixture.ts';

/** The outputs of one worker as they are, on a real disk, with messages that come from no journal. */
export interface OutputHostFixture {
  readonly refused: RefusedMessage[];
  apply(...wanted: WantedOutput[]): Promise<void>;
  /** Gives each output these messages. Resolves when they are queued. */
  routeThese(messages: readonly Message[]): Promise<void>;
  /** Gives each output, or those that are named, this many messages, `message <number>`. Resolves when they are queued. */
  route(count: number, outputIds?: readonly string[]): Promise<void>;
  /** How many messages were routed. */
  readonly routed: number;
  report(outputId: string): OutputReport;
  /** Stops sending and starts again on the same disk. */
  restart(graceMs?: number): Promise<void>;
  close(): Promise<void>;
}

const ROUTED_TOGETHER = 500;

export async function createOutputHostFixture(
  options: { readonly directory?: string; readonly padding?: string } = {},
): Promise<OutputHostFixture> {
  const directory = options.directory ?? (await mkdtemp(path.join(os.tmpdir(), 'millrace-outputs-')));
  const refused: RefusedMessage[] = [];
  let wanted: readonly WantedOutput[] = [];
  let sinks: ReadonlyMap<string, OutputSink> = new Map();
  let routed = 0;
  let host = await open();

  async function open(): Promise<OutputHost> {
    const opened = createOutputHost({
      clock: systemClock,
      metrics: createMetrics({ clock: systemClock }),
      logger: createLogger({ level: 'silent', stream: { write: () => {} } }),
      refused: (message) => void refused.push(message),
      directory: path.join(directory, 'queues'),
      filesDirectory: path.join(directory, 'files'),
      shares: 1,
      // A busy machine reads nothing for a while, too.
      stallTimeoutMs: 600_000,
      orphans: [],
    });
    await opened.apply(wanted);
    await opened.openPartition({
      partition: 0,
      journalEnd: () => routed,
      useOutputs: (used) => {
        sinks = used;
      },
    });
    return opened;
  }

  async function append(messages: readonly Message[], outputIds?: readonly string[]): Promise<void> {
    const batch = { firstOffset: routed, endOffset: routed + messages.length, messages };
    routed += messages.length;
    const chosen = [...sinks].filter(([id]) => outputIds?.includes(id) ?? true);
    await Promise.all(chosen.map(([, sink]) => sink.append(batch)));
  }

  return {
    refused,
    get routed() {
      return routed;
    },
    async apply(...outputs) {
      wanted = outputs;
      await host.apply(outputs);
    },
    routeThese: (messages) => append(messages),
    async route(count, outputIds) {
      for (let left = count; left > 0; ) {
        const together = Math.min(left, ROUTED_TOGETHER);
        const messages = Array.from({ length: together }, (_, index) =>
          anIdentified(routed + index, options.padding === undefined ? {} : { padding: options.padding }),
        );
        left -= together;
        await append(messages, outputIds);
      }
    },
    report(outputId) {
      const found = host.reports().find(({ id }) => id === outputId);
      if (found === undefined) throw new Error(`there is no output ${outputId}`);
      return found;
    },
    async restart(graceMs = 0) {
      await host.stop(graceMs);
      host = await open();
    },
    async close() {
      await host.stop(0);
      if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}
