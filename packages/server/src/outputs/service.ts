/**
 * The outputs of the cluster as people manage them: stored in the metadata database, run by the workers of every node,
 * attached to streams, shown and changed through the API.
 */
import type {
  OutputChanges,
  OutputPage,
  OutputRequest,
  OutputStateView,
  OutputStreams,
  OutputTypeView,
  Output as OutputView,
  PagingQuery,
} from '@millrace/contract';
import {
  type AllowedUrls,
  type AuditLog,
  type Caller,
  type Clock,
  type ComponentSecrets,
  ConflictError,
  createComponentSecrets,
  createPeriodicJob,
  errorMessage,
  InvalidError,
  NotFoundError,
  newEntityId,
  type Principal,
  type RawConfiguration,
  requireRevision,
  requireStorable,
  type SecretCipher,
  type Startable,
} from '#core/index.ts';
import type { Metadata, OutputRecord, StreamRecord } from '#metadata/index.ts';
import type { Notifications } from '#system/service.ts';
import { componentPrefix, type Logger, type Metrics } from '#telemetry/index.ts';
import { createNodeOutputs, type OutputWorkers } from './management/node-outputs.ts';
import { pageOfOutputs } from './management/output-page.ts';
import { outputRevision, outputTypeView, outputView } from './management/output-view.ts';
import { createOutputWatch } from './management/output-watch.ts';
import type { OutputType } from './output.ts';
import { OUTPUT_TYPES } from './registry.ts';

export type { OutputWorkers } from './management/node-outputs.ts';
export type { OutputReport, WantedOutput } from './output-state.ts';

/** Nobody sees secrets. */
export interface OutputsService extends Startable, StreamOutputs {
  list(): Promise<OutputView[]>;
  /** @param states those of all nodes */
  page(
    reader: Pick<Principal, 'can'>,
    states: readonly OutputStateView[],
    query: PagingQuery,
  ): Promise<OutputPage>;
  /** All of them by id. */
  views(): Promise<ReadonlyMap<string, OutputView>>;
  get(id: string): Promise<OutputView>;
  create(caller: Caller, request: OutputRequest): Promise<OutputView>;
  /** Replaces what the request has. Queued messages go to the new destination. */
  change(caller: Caller, id: string, request: OutputChanges): Promise<OutputView>;
  /** Also detaches it from all streams and deletes what is queued. */
  remove(caller: Caller, id: string): Promise<void>;
  /** A paused output only queues. Lasts beyond restarts. */
  pause(caller: Caller, id: string): Promise<void>;
  resume(caller: Caller, id: string): Promise<void>;
  types(): OutputTypeView[];
  /** All outputs, as this node runs them. */
  states(): OutputStateView[];
  /** The workers have these outputs when it resolves, if they are stored. */
  ensureKnown(outputIds: readonly string[]): Promise<void>;
}

/** Which outputs the messages of a stream go to. */
export interface StreamOutputs {
  ofStream(streamId: string): Promise<OutputView[]>;
  /** The streams that the reader may read, by the outputs that they have: none without stream_outputs:read. */
  byOutput(reader: Pick<Principal, 'can'>): Promise<OutputStreams['streams']>;
  oneOfStream(streamId: string, outputId: string): Promise<OutputView>;
  attach(caller: Caller, streamId: string, outputIds: readonly string[]): Promise<void>;
  detach(caller: Caller, streamId: string, outputId: string): Promise<void>;
}

export interface OutputsServiceDeps {
  readonly metadata: Metadata;
  readonly workers: OutputWorkers;
  readonly audit: AuditLog;
  readonly notifications: Notifications;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Encrypts the secrets in stored configurations. */
  readonly cipher: SecretCipher;
  /** Other outputs belong to a stream now: workers must route by that. */
  readonly streamsChanged: () => Promise<void>;
  /** Which URLs administrators let outputs call, and when that changes. */
  readonly urls?: AllowedUrls & { onChange(listener: () => void): void };
}

export interface OutputsServiceConfig {
  readonly nodeId: string;
  /** How often to look for changes that other nodes made; undefined when there are no others. */
  readonly refreshIntervalMs: number | undefined;
}

/** What the parts of the service share. */
interface Context {
  readonly deps: OutputsServiceDeps;
  readonly secrets: ComponentSecrets;
  /** Reads what is stored and applies it to the workers. */
  refresh(): Promise<void>;
  readonly record: RecordChange;
}

type RecordChange = (
  caller: Caller,
  action: string,
  before?: OutputRecord,
  after?: OutputRecord,
) => Promise<void>;

/** How long a change waits for the workers. */
const PATIENCE_MS = 3000;

export function createOutputsService(deps: OutputsServiceDeps, config: OutputsServiceConfig): OutputsService {
  const { clock, metrics, notifications, workers } = deps;
  const logger = deps.logger.child({ component: 'outputs' });
  const secrets = createComponentSecrets(deps.cipher, 'output');
  const nodeOutputs = createNodeOutputs(
    { workers, clock, findType: OUTPUT_TYPES.find, secrets, urls: deps.urls },
    config,
  );
  const watch = createOutputWatch({ notifications, clock }, config);
  let known: readonly OutputRecord[] = [];
  let applied = '';
  let refreshing: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function read(): Promise<void> {
    const before = known;
    known = await deps.metadata.repositories.outputs.list();
    for (const output of before) if (!known.some(({ id }) => id === output.id)) forget(output);
    const content = JSON.stringify([known, known.map(nodeOutputs.problemOfUrl)]);
    if (content === applied) return;
    applied = content;
    const done = nodeOutputs.apply(known);
    await Promise.race([done, clockDelay(PATIENCE_MS)]);
  }

  /** One after the other: an older list must never follow a newer one. */
  function refresh(): Promise<void> {
    refreshing = refreshing.then(read, read);
    return refreshing;
  }

  deps.urls?.onChange(() => void (isStopped || refresh().catch(refreshFailed(logger))));

  function forget({ id, type }: OutputRecord): void {
    watch.removed(id);
    metrics.remove(componentPrefix({ kind: 'output', type, id }));
  }

  const { refreshIntervalMs } = config;
  const polling =
    refreshIntervalMs === undefined
      ? undefined
      : createPeriodicJob(
          { run: refresh, logger },
          { name: 'refreshing outputs', intervalMs: refreshIntervalMs },
        );
  const states = (): OutputStateView[] => known.map((output) => nodeOutputs.state(output));
  workers.onReports(() => {
    if (!isStopped) watch.look(states());
  });

  const context: Context = { deps, secrets, refresh, record: recorder(deps.audit) };

  return {
    name: 'outputs',
    async start() {
      await refresh();
      polling?.start();
    },
    async stop() {
      isStopped = true;
      await polling?.stop();
      await refreshing.catch(() => {});
    },
    ...createReads(context),
    ...createChanges(context),
    ...createStateChanges(context),
    states,
    async ensureKnown(outputIds) {
      if (outputIds.some((wanted) => !known.some(({ id }) => id === wanted))) await refresh();
    },
  };
}

function createReads(context: Context) {
  const { metadata } = context.deps;
  const list = async () => (await metadata.repositories.outputs.list()).map(view);
  const types = () => OUTPUT_TYPES.types.map(outputTypeView);
  const streamOutputs = createStreamOutputs(context);
  return {
    list,
    async page(reader: Pick<Principal, 'can'>, states: readonly OutputStateView[], query: PagingQuery) {
      const known = { states, streams: await streamOutputs.byOutput(reader), types: types() };
      return pageOfOutputs(await list(), known, query);
    },
    views: async () => new Map((await list()).map((each) => [each.id, each])),
    get: async (id: string) => view(await requireOutput(metadata, id)),
    types,
    ...streamOutputs,
  };
}

function refreshFailed(logger: Logger): (error: unknown) => void {
  return (error) => logger.error({ reason: errorMessage(error) }, 'outputs could not be refreshed');
}

function recorder(audit: AuditLog): RecordChange {
  return ({ principal, remoteAddress }, action, before, after) =>
    audit.record({
      actor: principal.username,
      address: remoteAddress,
      action: `output.${action}`,
      objectType: 'output',
      objectId: (after ?? before)?.id,
      before: before && view(before),
      after: after && view(after),
    });
}

function view(output: OutputRecord): OutputView {
  return outputView(output, OUTPUT_TYPES.find(output.type));
}

function createChanges(context: Context) {
  const { deps, record, secrets } = context;
  const { outputs } = deps.metadata.repositories;

  function storedOf(before: OutputRecord) {
    const { fields } = OUTPUT_TYPES.find(before.type) ?? {};
    return fields && { ownerId: before.id, fields, configuration: before.configuration };
  }

  return {
    async create(caller: Caller, request: OutputRequest): Promise<OutputView> {
      const type = requireType(request.type);
      const id = newEntityId(deps.clock.now());
      const raw = secrets.keep(type.fields, request.configuration, undefined);
      const output = await outputs.insert({
        id,
        title: request.title,
        type: type.id,
        configuration: secrets.encrypt(id, type.fields, storable(type, raw)),
        creator: caller.principal.username,
        contentPack: null,
        desiredState: 'running',
      });
      await record(caller, 'create', undefined, output);
      await context.refresh();
      return view(output);
    },

    async change(caller: Caller, id: string, request: OutputChanges): Promise<OutputView> {
      const before = await requireOutput(deps.metadata, id);
      const type = requireType(before.type);
      if (request.type !== undefined && OUTPUT_TYPES.find(request.type) !== type) {
        throw new InvalidError(
          `type: an output cannot become ${JSON.stringify(request.type)}. Create another output of that type.`,
          { path: 'type' },
        );
      }
      const { configuration: raw } = request;
      const configuration =
        raw === undefined
          ? before.configuration
          : secrets.encrypt(
              id,
              type.fields,
              storable(type, secrets.keep(type.fields, raw, storedOf(before))),
            );
      const properties = { title: request.title ?? before.title, configuration };
      const after = await outputs.update(id, properties, (stored) =>
        requireRevision({
          what: `output "${stored.title}"`,
          revision: outputRevision(stored),
          wanted: request.revision,
        }),
      );
      if (after === undefined) throw outputNotFound(id);
      await record(caller, 'update', before, after);
      await context.refresh();
      return view(after);
    },

    async remove(caller: Caller, id: string): Promise<void> {
      const before = await requireOutput(deps.metadata, id);
      if (!(await outputs.remove(id))) throw outputNotFound(id);
      await record(caller, 'delete', before);
      // First nothing is routed to it, then it goes.
      await deps.streamsChanged();
      await context.refresh();
      deps.logger.info({ output: id, title: before.title }, 'output deleted');
    },
  };
}

function createStateChanges({ deps, record, refresh }: Context) {
  async function setState(caller: Caller, id: string, state: 'running' | 'paused', action: string) {
    const before = await requireOutput(deps.metadata, id);
    if (await deps.metadata.repositories.outputs.setDesiredState(id, state)) {
      await record(caller, action, before, { ...before, desiredState: state });
    }
    await refresh();
  }
  return {
    pause: (caller: Caller, id: string) => setState(caller, id, 'paused', 'pause'),
    resume: (caller: Caller, id: string) => setState(caller, id, 'running', 'resume'),
  };
}

function createStreamOutputs({ deps }: Context): StreamOutputs {
  const { metadata, audit } = deps;
  const { outputs, streams } = metadata.repositories;

  async function requireStream(id: string): Promise<StreamRecord> {
    const stream = id.includes('\0') ? undefined : await streams.find(id);
    if (stream === undefined) throw new NotFoundError(`Stream ${id} not found!`);
    return stream;
  }

  async function outputsOf({ outputIds }: StreamRecord): Promise<OutputView[]> {
    const all = new Map((await outputs.list()).map((output) => [output.id, output]));
    return outputIds.flatMap((id) => {
      const output = all.get(id);
      return output === undefined ? [] : [view(output)];
    });
  }

  async function changed({ principal, remoteAddress }: Caller, action: string, before: StreamRecord) {
    const after = await streams.find(before.id);
    await audit.record({
      actor: principal.username,
      address: remoteAddress,
      action: `stream.output.${action}`,
      objectType: 'stream',
      objectId: before.id,
      before: { outputs: before.outputIds },
      after: { outputs: after?.outputIds ?? [] },
    });
    await deps.streamsChanged();
  }

  return {
    ofStream: async (streamId) => outputsOf(await requireStream(streamId)),

    async byOutput(reader) {
      const byOutput: OutputStreams['streams'] = {};
      if (!reader.can('stream_outputs:read')) return byOutput;
      const readable = (await streams.list()).filter(({ id }) => reader.can('streams:read', id));
      for (const { id, title, outputIds } of readable.toSorted((a, b) => a.title.localeCompare(b.title))) {
        for (const outputId of outputIds) {
          byOutput[outputId] ??= [];
          byOutput[outputId].push({ id, title });
        }
      }
      return byOutput;
    },

    async oneOfStream(streamId, outputId) {
      const found = (await outputsOf(await requireStream(streamId))).find(({ id }) => id === outputId);
      if (found === undefined) throw notAttached(streamId, outputId);
      return found;
    },

    async attach(caller, streamId, outputIds) {
      const before = await requireStream(streamId);
      for (const id of outputIds) await requireOutput(metadata, id);
      await streams.attachOutputs(streamId, outputIds).catch((error: unknown) => {
        // One of them was deleted in this moment.
        throw error instanceof ConflictError ? outputNotFound(outputIds.join(', ')) : error;
      });
      await changed(caller, 'attach', before);
    },

    async detach(caller, streamId, outputId) {
      const before = await requireStream(streamId);
      if (!(await streams.detachOutput(streamId, outputId))) throw notAttached(streamId, outputId);
      await changed(caller, 'detach', before);
    },
  };
}

async function requireOutput(metadata: Metadata, id: string): Promise<OutputRecord> {
  const output = id.includes('\0') ? undefined : await metadata.repositories.outputs.find(id);
  if (output === undefined) throw outputNotFound(id);
  return output;
}

function requireType(name: string): OutputType {
  const type = OUTPUT_TYPES.find(name);
  if (type !== undefined) return type;
  const known = OUTPUT_TYPES.types.map(({ wireType }) => wireType).join(', ');
  throw new InvalidError(`type: there is no output type ${JSON.stringify(name)}. There are ${known}.`, {
    path: 'type',
  });
}

function outputNotFound(id: string): NotFoundError {
  return new NotFoundError(`Output ${id} not found!`);
}

function notAttached(streamId: string, outputId: string): NotFoundError {
  return new NotFoundError(`Stream ${streamId} does not have the output ${outputId}.`);
}

function clockDelay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

function storable(type: OutputType, raw: RawConfiguration): RawConfiguration {
  return requireStorable(type, raw, `a ${type.name} output`);
}
