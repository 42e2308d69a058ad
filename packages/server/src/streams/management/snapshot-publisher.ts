import { DEFAULT_STREAM_ID, FAILURE_STREAM_ID, type FaultLedger, readAfterChanges } from '#core/index.ts';
import type { Metadata, Repositories, StreamRecord } from '#metadata/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { RoutableStream, StreamRule } from '../index.ts';
import type { ProcessingSnapshot, RunningStream, SnapshotInput } from '../snapshot.ts';
import { readExtractors } from './extractor-settings.ts';
import { readPipelines, readProcessorOrder } from './pipeline-settings.ts';
import { isBuiltIn } from './view.ts';

export interface SnapshotSettings {
  readonly nodeId: string;
  readonly streamTimeoutMs: number;
  readonly maxFaults: number;
}

/** Keeps the workers' snapshot in step with the database. */
export interface SnapshotPublisher {
  /** Reads the database; listeners get a new snapshot if its content has changed. */
  refresh(): Promise<void>;
  /** The same, if a cheap check shows that something has changed. */
  refreshIfChanged(): Promise<void>;
  /** Undefined before the first refresh. */
  current(): ProcessingSnapshot | undefined;
  /** Called at once with the current snapshot, and with every later one. */
  onSnapshot(listener: (snapshot: ProcessingSnapshot) => void): () => void;
}

export interface PublisherDeps {
  readonly metadata: Metadata;
  readonly ledger: FaultLedger;
  readonly logger: Logger;
}

export function createSnapshotPublisher(deps: PublisherDeps, settings: SnapshotSettings): SnapshotPublisher {
  const { repositories } = deps.metadata;
  const listeners = new Set<(snapshot: ProcessingSnapshot) => void>();
  const readState = readAfterChanges(deps.metadata, () => stateOf(repositories));
  let current: ProcessingSnapshot | undefined;
  let currentContent = '';
  let knownState: string | undefined;
  let queue: Promise<void> = Promise.resolve();

  async function read(): Promise<void> {
    await followDefaultIndexSet(repositories);
    // Before the content, so that a change in between is noticed the next time.
    const state = await readState();
    const content = await readContent(deps, settings);
    knownState = state;
    publish(content);
  }

  function publish(content: Omit<ProcessingSnapshot, 'version'>): void {
    const text = JSON.stringify(content);
    if (text === currentContent) return;
    resetResumed(deps.ledger, current, content);
    currentContent = text;
    current = { ...content, version: (current?.version ?? 0) + 1 };
    for (const listener of [...listeners]) listener(current);
  }

  /** One at a time: an older state must never follow a newer one. */
  function enqueue(work: () => Promise<void>): Promise<void> {
    queue = queue.then(work, work);
    return queue;
  }

  return {
    refresh: () => enqueue(read),
    refreshIfChanged: () =>
      enqueue(async () => {
        if ((await readState()) !== knownState) await read();
      }),
    current: () => current,
    onSnapshot(listener) {
      const entry = (snapshot: ProcessingSnapshot) => listener(snapshot);
      listeners.add(entry);
      if (current !== undefined) entry(current);
      return () => void listeners.delete(entry);
    },
  };
}

/** A text that changes whenever the snapshot could. */
async function stateOf(repositories: Repositories): Promise<string> {
  const { streams, inputs, indexSets } = repositories;
  const revision = await streams.revision();
  const order = await readProcessorOrder(repositories);
  const sets = (await indexSets.list()).map(({ id, isDefault, deleting }) => [id, isDefault, deleting]);
  return JSON.stringify([revision, order, sets, await readInputs(inputs)]);
}

async function readInputs(inputs: Repositories['inputs']): Promise<SnapshotInput[]> {
  return (await inputs.list()).map(({ id, staticFields, configuration }) => ({
    id,
    staticFields,
    overrideSource: nonBlank(configuration.override_source),
    configuration,
  }));
}

/** "All messages" is stored in whichever index set is the default one. */
async function followDefaultIndexSet({ streams, indexSets }: Repositories): Promise<void> {
  const wanted = (await indexSets.list()).find((set) => set.isDefault && !set.deleting);
  const stream = await streams.find(DEFAULT_STREAM_ID);
  if (wanted === undefined || stream === undefined || stream.indexSetId === wanted.id) return;
  await streams.update(DEFAULT_STREAM_ID, { indexSetId: wanted.id });
}

async function readContent(
  { metadata, ledger, logger }: PublisherDeps,
  settings: SnapshotSettings,
): Promise<Omit<ProcessingSnapshot, 'version'>> {
  const { streams: streamTable, indexSets, inputs } = metadata.repositories;
  const all = await streamTable.list();
  const usableSets = new Set((await indexSets.list()).filter((set) => !set.deleting).map(({ id }) => id));
  const running = all.filter((stream) => stream.state === 'running' && !isBuiltIn(stream.id));
  const streams = running.filter((stream) => {
    if (usableSets.has(stream.indexSetId)) return true;
    // Its messages could not be stored, and those of other streams would wait for them.
    logger.error(
      { stream: stream.id, indexSet: stream.indexSetId },
      'a stream does not route because its index set no longer exists',
    );
    return false;
  });
  // Rules may name "All messages", which is not among the streams that route.
  const named = [...all.filter(({ id }) => id === DEFAULT_STREAM_ID), ...streams];
  return {
    nodeId: settings.nodeId,
    streams: streams.map((stream) => runningStream(stream, ledger)),
    streamIds: all.map(({ id }) => id),
    defaultStream: requireStream(all, DEFAULT_STREAM_ID),
    failureStream: requireStream(all, FAILURE_STREAM_ID),
    inputs: await readInputs(inputs),
    extractors: await readExtractors(metadata.repositories, ledger),
    messageProcessors: await readProcessorOrder(metadata.repositories),
    pipelines: await readPipelines(metadata.repositories, ledger, named),
    streamTimeoutMs: settings.streamTimeoutMs,
    maxFaults: settings.maxFaults,
    faults: ledger.memory,
  };
}

function runningStream(stream: StreamRecord, ledger: FaultLedger): RunningStream {
  return {
    id: stream.id,
    matchingType: stream.matchingType,
    removeMatchesFromDefault: stream.removeMatches,
    indexSetId: stream.indexSetId,
    outputIds: stream.outputIds,
    rules: stream.rules.map(ruleOf),
    faultSlot: ledger.slotOf(stream.id),
  };
}

/** A type of a newer version or of a missing plugin is kept; the worker cannot compile it, so the rule never matches. */
export function ruleOf({ id, type, field, value, inverted }: StreamRule): StreamRule {
  return { id, type, field, value, inverted };
}

/** A stream that runs again, and a rule or extractor that was changed, starts without faults, whichever node did it. */
function resetResumed(
  ledger: FaultLedger,
  before: ProcessingSnapshot | undefined,
  after: Pick<ProcessingSnapshot, 'streams' | 'pipelines' | 'extractors'>,
): void {
  const wasRunning = new Set(before?.streams.map(({ id }) => id));
  for (const { id } of after.streams) {
    if (!wasRunning.has(id)) ledger.set(id, 0);
  }
  const sources = new Map(before?.pipelines.rules.map(({ id, source }) => [id, source]));
  for (const { id, source } of after.pipelines.rules) if (sources.get(id) !== source) ledger.set(id, 0);
  const extractors = new Set(before?.extractors.map((each) => JSON.stringify(each)));
  for (const extractor of after.extractors) {
    if (!extractors.has(JSON.stringify(extractor))) ledger.set(extractor.id, 0);
  }
}

function requireStream(all: readonly StreamRecord[], id: string): RoutableStream {
  const stream = all.find((candidate) => candidate.id === id);
  if (stream === undefined) throw new Error(`the built-in stream ${id} is missing`);
  return { id, indexSetId: stream.indexSetId, outputIds: stream.outputIds };
}

function nonBlank(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
