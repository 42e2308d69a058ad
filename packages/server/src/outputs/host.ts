import { readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import {
  type ComponentRegistry,
  createPeriodicJob,
  errorCode,
  errorMessage,
  type OutputSink,
  type PeriodicJob,
} from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { HostedOutput, type HostedOutputDeps } from './hosted-output.ts';
import type { OutputType } from './output.ts';
import type { OutputReport, WantedOutput } from './output-state.ts';
import { QueueMemory } from './queue/queue-memory.ts';
import { queueDirectory } from './queue-delivery.ts';
import { OUTPUT_TYPES } from './registry.ts';
import { createSharedEncodings } from './shared-encodings.ts';

/** A journal partition whose messages go to outputs. */
export interface HostedPartition {
  readonly partition: number;
  /** The offset after the last record the partition has now. */
  readonly journalEnd: () => number;
  /** Called with the sinks of all outputs, by id, whenever there are others. */
  readonly useOutputs: (sinks: ReadonlyMap<string, OutputSink>) => void;
}

/** All outputs of one worker. An output that misbehaves never affects another. */
export interface OutputHost {
  /** Makes these the outputs of the worker. Resolves when their sinks are in use. */
  apply(wanted: readonly WantedOutput[]): Promise<void>;
  /** Resolves when the sinks of all outputs that are known by now are in use for this partition. */
  openPartition(partition: HostedPartition): Promise<void>;
  /** The partition is gone for good. What is queued for it is still sent. */
  closePartition(partition: number): Promise<void>;
  reports(): OutputReport[];
  /** Sends for at most `graceMs` what is queued. The rest stays queued. */
  stop(graceMs: number): Promise<void>;
}

export interface OutputHostDeps extends Omit<HostedOutputDeps, 'types' | 'encodings' | 'memory'> {
  /** Partitions that no longer exist and may have left queues behind. */
  readonly orphans: readonly number[];
  /** The types that exist; all of them unless told otherwise. */
  readonly types?: ComponentRegistry<OutputType>;
}

const ORPHAN_CHECK_MS = 2000;

export function createOutputHost(deps: OutputHostDeps): OutputHost {
  const hostedDeps: HostedOutputDeps = {
    ...deps,
    types: deps.types ?? OUTPUT_TYPES,
    encodings: createSharedEncodings(),
    memory: new QueueMemory(),
  };
  const outputs = new Map<string, HostedOutput>();
  const partitions = new Map<number, HostedPartition>();
  const orphans = new Set(deps.orphans);
  let work: Promise<void> = Promise.resolve();

  /** One change after the other: sinks must be open before the streams that need them are used. */
  function inTurn(change: () => Promise<void>): Promise<void> {
    work = work.then(change, change);
    return work;
  }

  function useSinks({ partition, useOutputs }: HostedPartition): void {
    const sinks = [...outputs].flatMap(([id, output]): [string, OutputSink][] => {
      const sink = output.sink(partition);
      return sink === undefined ? [] : [[id, sink]];
    });
    useOutputs(new Map(sinks));
  }

  async function openQueues(output: HostedOutput, id: string): Promise<void> {
    for (const { partition, journalEnd } of partitions.values()) {
      await output.openPartition({ partition, journalEnd: journalEnd() });
    }
    for (const partition of orphans) {
      if (!(await exists(queueDirectory(deps.directory, id, partition)))) continue;
      await output.openPartition({ partition, journalEnd: Number.POSITIVE_INFINITY });
    }
  }

  async function apply(wanted: readonly WantedOutput[]): Promise<void> {
    const wantedIds = new Set(wanted.map(({ id }) => id));
    const gone = [...outputs].filter(([id]) => !wantedIds.has(id));
    for (const [id] of gone) outputs.delete(id);
    for (const partition of partitions.values()) useSinks(partition);
    await Promise.all([
      ...gone.map(([, output]) => output.terminate()),
      ...wanted.map(async (each) => {
        const output = outputs.getOrInsertComputed(each.id, () => new HostedOutput(hostedDeps, each));
        await output.want(each);
        await openQueues(output, each.id);
      }),
    ]);
    for (const partition of partitions.values()) useSinks(partition);
    await removeForgotten(deps, wantedIds, [...partitions.keys(), ...orphans]);
  }

  const orphanChecks = createOrphanChecks(deps.logger, orphans, outputs);
  orphanChecks.start();

  return {
    apply: (wanted) => inTurn(() => apply(wanted)),
    openPartition: (partition) =>
      inTurn(async () => {
        partitions.set(partition.partition, partition);
        await Promise.all([...outputs].map(([id, output]) => openQueues(output, id)));
        useSinks(partition);
      }),
    closePartition: (partition) =>
      inTurn(async () => {
        partitions.delete(partition);
        orphans.add(partition);
      }),
    reports: () => [...outputs.values()].flatMap((output) => output.reports()),
    async stop(graceMs) {
      await orphanChecks.stop();
      await inTurn(async () => {
        await Promise.all([...outputs.values()].map((output) => output.shutDown(graceMs)));
      });
    },
  };
}

/** Deletes the queues of partitions that no longer exist as soon as they are sent. */
function createOrphanChecks(
  logger: Logger,
  orphans: Set<number>,
  outputs: ReadonlyMap<string, HostedOutput>,
): PeriodicJob {
  return createPeriodicJob(
    {
      logger,
      async run() {
        for (const partition of orphans) {
          const empty = await Promise.all([...outputs.values()].map((each) => each.removeIfEmpty(partition)));
          if (outputs.size > 0 && empty.every(Boolean)) orphans.delete(partition);
        }
      },
    },
    { name: 'sending what former journal partitions left in queues', intervalMs: ORPHAN_CHECK_MS },
  );
}

async function exists(directory: string): Promise<boolean> {
  return (await readdir(directory).catch(() => undefined)) !== undefined;
}

/** Queues of outputs that were deleted while the node did not run. */
async function removeForgotten(
  { directory, logger }: OutputHostDeps,
  wantedIds: ReadonlySet<string>,
  partitions: readonly number[],
): Promise<void> {
  const names = await readdir(directory).catch((): string[] => []);
  for (const id of names.filter((name) => !wantedIds.has(name))) {
    try {
      for (const partition of partitions) {
        await rm(queueDirectory(directory, id, partition), { recursive: true, force: true });
      }
      await rmdir(path.join(directory, id));
      logger.info({ output: id }, 'removed the queue of a deleted output');
    } catch (error) {
      // Other workers have queues in it, too.
      if (errorCode(error) === 'ENOTEMPTY' || errorCode(error) === 'ENOENT') continue;
      logger.warn({ output: id }, `cannot remove the queue of a deleted output: ${errorMessage(error)}`);
    }
  }
}
