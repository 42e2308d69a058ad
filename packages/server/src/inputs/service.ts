/**
 * The inputs of the cluster as people manage them: stored in the metadata database, run by the
 * workers of this node, shown and changed through the API.
 */
import { randomUUID } from 'node:crypto';
import type {
  Input,
  InputPage,
  InputRequest,
  InputState as InputStateView,
  InputType as InputTypeView,
  PagingQuery,
  Problem,
  StaticFieldRequest,
} from '@millrace/contract';
import {
  type AuditLog,
  type Caller,
  type Clock,
  type ComponentSecrets,
  ConflictError,
  createComponentSecrets,
  createPeriodicJob,
  InvalidError,
  isFieldName,
  isProtectedFieldName,
  NotFoundError,
  newEntityId,
  type Principal,
  type RawConfiguration,
  requireRevision,
  requireStorable,
  type SecretCipher,
  type Startable,
} from '#core/index.ts';
import type { InputRecord, Metadata } from '#metadata/index.ts';
import type { Notifications, SystemMessages } from '#system/service.ts';
import { componentPrefix, type Logger, type Metrics } from '#telemetry/index.ts';
import type { InputType } from './input.ts';
import { inputMetricsPrefix } from './input-metrics.ts';
import { type DefaultInputsConfig, defaultInputs } from './management/default-inputs.ts';
import { pageOfInputs } from './management/input-page.ts';
import { encryptStoredSecrets } from './management/input-secrets.ts';
import { inputRevision, inputStateView, inputTypeView, inputView } from './management/input-view.ts';
import { createInputWatch } from './management/input-watch.ts';
import { createNodeInputs, type InputWorkers, type NodeInputs } from './management/node-inputs.ts';
import { createPortClaims, type PortClaims } from './management/port-claims.ts';
import { sendTestMessage } from './management/test-messages.ts';
import { INPUT_TYPES } from './registry.ts';

export type { InputStateReport, WantedInput } from './host.ts';
export type { InputWorkers } from './management/node-inputs.ts';

/** Inputs the reader may not read are left out. Nobody sees secrets. */
type Reader = Pick<Principal, 'can'>;

export interface InputsService extends Startable {
  /** All inputs that the reader may read, of all nodes, oldest first. */
  list(reader: Reader): Promise<Input[]>;
  /** @param states those of all nodes */
  page(reader: Reader, states: readonly InputStateView[], query: PagingQuery): Promise<InputPage>;
  get(id: string): Promise<Input>;
  /** Stores and starts it. Resolves with its id. */
  create(caller: Caller, request: InputRequest): Promise<string>;
  /** Replaces title, type, node and configuration. Restarts the input when they have changed. */
  change(caller: Caller, id: string, request: InputRequest): Promise<void>;
  remove(caller: Caller, id: string): Promise<void>;
  setStaticField(caller: Caller, id: string, request: StaticFieldRequest): Promise<void>;
  removeStaticField(caller: Caller, id: string, name: string): Promise<void>;
  /** The inputs of this node that the reader may read, with their states. */
  states(reader: Reader): InputStateView[];
  state(id: string): InputStateView;
  /** The inputs of this node, for the announcement at start. */
  overview(): InputOverview[];
  /** Undefined for an input this node does not know. */
  title(id: string): string | undefined;
  /** Lasts beyond restarts and applies to all nodes that have the input. */
  startInput(caller: Caller, id: string): Promise<void>;
  stopInput(caller: Caller, id: string): Promise<void>;
  types(): InputTypeView[];
  /** By class name or short id. */
  type(name: string): InputTypeView;
  /** Sends a message to an input of this node through its socket. Resolves with the query that finds it. */
  sendTestMessage(caller: Caller, id: string): Promise<string>;
  /** What is wrong with a configuration for inputs of that type; a masked password counts as set. */
  problemsOf(type: string, configuration: RawConfiguration): readonly Problem[];
}

export interface InputOverview {
  readonly title: string;
  /** The short id of its type. */
  readonly type: string;
  readonly state: InputStateView['state'];
  readonly listening: { readonly address: string; readonly port: number } | undefined;
  readonly detailedMessage: string | undefined;
}

export interface InputsServiceDeps {
  readonly metadata: Metadata;
  readonly workers: InputWorkers;
  readonly audit: AuditLog;
  readonly notifications: Notifications;
  readonly systemMessages: SystemMessages;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Encrypts the secrets in stored configurations. */
  readonly cipher: SecretCipher;
  readonly claims?: PortClaims;
}

export interface InputsServiceConfig {
  readonly nodeId: string;
  readonly rootUsername: string;
  /** Undefined: none are created. */
  readonly defaultInputs: DefaultInputsConfig | undefined;
  /** How often to look for changes that other nodes made; undefined when there are no others. */
  readonly refreshIntervalMs: number | undefined;
}

const DEFAULT_INPUTS_CREATED = 'default_inputs_created';

/** What the parts of the service share. */
interface Context {
  readonly deps: InputsServiceDeps;
  readonly config: InputsServiceConfig;
  readonly nodeInputs: NodeInputs;
  readonly secrets: ComponentSecrets;
  /** The inputs as they were last read. */
  known(): readonly InputRecord[];
  /** Reads what is stored and applies it to the workers. */
  refresh(): Promise<void>;
  record(caller: Caller, action: string, before?: InputRecord, after?: InputRecord): Promise<void>;
}

export function createInputsService(deps: InputsServiceDeps, config: InputsServiceConfig): InputsService {
  const logger = deps.logger.child({ component: 'inputs' });
  const secrets = createComponentSecrets(deps.cipher, 'input');
  const watch = createInputWatch({ ...deps, logger }, config);
  const nodeInputs = createNodeInputs({
    workers: deps.workers,
    claims: deps.claims ?? createPortClaims(),
    clock: deps.clock,
    findType: INPUT_TYPES.find,
    secrets,
    changed: watch.changed,
  });
  let known: readonly InputRecord[] = [];
  let refreshing: Promise<void> = Promise.resolve();

  async function read(): Promise<void> {
    known = await deps.metadata.repositories.inputs.list();
    await nodeInputs.apply(known.filter((input) => runsHere(input, config.nodeId)));
  }

  /** One after the other: an older list must never follow a newer one. */
  function refresh(): Promise<void> {
    refreshing = refreshing.then(read, read);
    return refreshing;
  }

  const { refreshIntervalMs } = config;
  const polling =
    refreshIntervalMs === undefined
      ? undefined
      : createPeriodicJob(
          { run: refresh, logger },
          { name: 'refreshing inputs', intervalMs: refreshIntervalMs },
        );

  const context: Context = {
    deps,
    config,
    nodeInputs,
    secrets,
    known: () => known,
    refresh,
    record: ({ principal, remoteAddress }, action, before, after) =>
      deps.audit.record({
        actor: principal.username,
        address: remoteAddress,
        action: `input.${action}`,
        objectType: 'input',
        objectId: (after ?? before)?.id,
        before: before && publicView(before),
        after: after && publicView(after),
      }),
  };

  return {
    name: 'inputs',
    async start() {
      const { inputs } = deps.metadata.repositories;
      await encryptStoredSecrets({ secrets, findType: INPUT_TYPES.find }, { inputs, logger });
      await createDefaultInputs(deps, config);
      await refresh();
      await watch.started();
      polling?.start();
    },
    async stop() {
      await polling?.stop();
      watch.stop();
      await refreshing.catch(() => {});
      await nodeInputs.stop();
    },
    ...createReads(context),
    ...createChanges(context),
    ...createStaticFieldChanges(context),
    ...createStateChanges(context),
    types: () => INPUT_TYPES.types.map(inputTypeView),
    type: (name) => inputTypeView(requireType(name)),
    problemsOf: (name, configuration) => requireType(name).problemsOf(configuration),
  };
}

/** Once in the life of a cluster: when somebody deletes them, they stay deleted. */
async function createDefaultInputs(deps: InputsServiceDeps, config: InputsServiceConfig): Promise<void> {
  const wanted = config.defaultInputs;
  if (wanted === undefined) return;
  await deps.metadata.transaction(async ({ repositories }) => {
    // When nodes start together, one is first. The others wait here and find its mark.
    const mark = randomUUID();
    const { clusterSettings } = repositories;
    if ((await clusterSettings.setIfAbsent(DEFAULT_INPUTS_CREATED, mark)) !== mark) return;
    for (const { title, type, configuration } of defaultInputs(wanted)) {
      await repositories.inputs.insert({
        title,
        type,
        configuration: storable(requireType(type), { ...configuration }),
        global: true,
        nodeId: null,
        creator: config.rootUsername,
        contentPack: null,
        desiredState: 'running',
      });
    }
  });
}

function createReads(context: Context) {
  const { deps, config, nodeInputs } = context;
  const view = (input: InputRecord): Input => inputView(input, INPUT_TYPES.find(input.type));

  function stateView(input: InputRecord): InputStateView[] {
    const state = nodeInputs.state(input.id);
    if (state === undefined) return [];
    return [inputStateView(input, INPUT_TYPES.find(input.type), state, deps.metrics)];
  }

  const list = async (reader: Reader): Promise<Input[]> => {
    const all = await deps.metadata.repositories.inputs.list();
    return all.filter(({ id }) => reader.can('inputs:read', id)).map(view);
  };

  return {
    list,

    page: async (reader: Reader, states: readonly InputStateView[], query: PagingQuery) =>
      pageOfInputs(await list(reader), states, query),
    async get(id: string): Promise<Input> {
      return view(await requireInput(deps.metadata, id));
    },
    states: (reader: Reader): InputStateView[] =>
      context
        .known()
        .filter(({ id }) => reader.can('inputs:read', id))
        .flatMap(stateView),
    title: (id: string) => context.known().find((input) => input.id === id)?.title,
    overview: (): InputOverview[] =>
      context.known().flatMap(({ id, title, type }) => {
        const state = nodeInputs.state(id);
        return state === undefined ? [] : [{ title, type, ...state }];
      }),
    state(id: string): InputStateView {
      const input = context.known().find((candidate) => candidate.id === id);
      const [state] = input === undefined ? [] : stateView(input);
      if (state === undefined) throw notOnThisNode(id, config.nodeId);
      return state;
    },
  };
}

function createChanges(context: Context) {
  const { deps, config, record, secrets } = context;
  const { metadata, logger } = deps;

  /** The properties a request asks for, checked, as they are stored. */
  async function propertiesOf(id: string, request: InputRequest, before?: InputRecord) {
    const type = requireType(request.type);
    const storedType = before && INPUT_TYPES.find(before.type);
    const stored = storedType && {
      ownerId: before.id,
      fields: storedType.fields,
      configuration: before.configuration,
    };
    const raw = secrets.keep(type.fields, request.configuration, stored);
    const global = request.global ?? false;
    return {
      title: request.title,
      type: type.id,
      global,
      nodeId: global ? null : await requireNode(metadata, request.node ?? config.nodeId, config.nodeId),
      configuration: secrets.encrypt(id, type.fields, storable(type, raw)),
    };
  }

  return {
    async create(caller: Caller, request: InputRequest): Promise<string> {
      const id = newEntityId(deps.clock.now());
      const input = await metadata.repositories.inputs.insert({
        id,
        ...(await propertiesOf(id, request)),
        creator: caller.principal.username,
        contentPack: null,
        desiredState: 'running',
      });
      await record(caller, 'create', undefined, input);
      await context.refresh();
      return input.id;
    },

    async change(caller: Caller, id: string, request: InputRequest): Promise<void> {
      const before = await requireInput(metadata, id);
      const properties = await propertiesOf(id, request, before);
      const after = await metadata.repositories.inputs.update(id, properties, (stored) =>
        requireRevision({
          what: `input "${stored.title}"`,
          revision: inputRevision(stored),
          wanted: request.revision,
        }),
      );
      if (after === undefined) throw inputNotFound(id);
      await record(caller, 'update', before, after);
      await context.refresh();
    },

    async remove(caller: Caller, id: string): Promise<void> {
      const before = await requireInput(metadata, id);
      const { inputs, extractors } = metadata.repositories;
      const removed = await extractors.list(id);
      if (!(await inputs.remove(id))) throw inputNotFound(id);
      // Its extractors go with it, and so does what operators were told of them.
      for (const extractor of removed) await deps.notifications.fix('extractor_disabled', extractor.id);
      await record(caller, 'delete', before);
      await context.refresh();
      forgetMetrics(deps.metrics, before);
      logger.info({ input: id, title: before.title }, 'input deleted');
    },
  };
}

function createStaticFieldChanges({ deps, refresh, record }: Context) {
  const { inputs } = deps.metadata.repositories;
  return {
    async setStaticField(caller: Caller, id: string, { key, value }: StaticFieldRequest): Promise<void> {
      const before = await requireInput(deps.metadata, id);
      checkStaticField(key, value);
      await inputs.setStaticField(id, key, value).catch((error: unknown) => {
        throw error instanceof ConflictError ? inputNotFound(id) : error;
      });
      await record(caller, 'staticfield.set', before, await inputs.find(id));
      await refresh();
    },

    async removeStaticField(caller: Caller, id: string, name: string): Promise<void> {
      const before = await requireInput(deps.metadata, id);
      if (!(await inputs.removeStaticField(id, name))) {
        throw new NotFoundError(`The input ${id} has no static field "${name}".`);
      }
      await record(caller, 'staticfield.delete', before, await inputs.find(id));
      await refresh();
    },
  };
}

function createStateChanges({ deps, config, nodeInputs, secrets, refresh, record }: Context) {
  const { inputs } = deps.metadata.repositories;

  async function requireHere(id: string): Promise<InputRecord> {
    const input = await requireInput(deps.metadata, id);
    if (!runsHere(input, config.nodeId)) throw notOnThisNode(id, config.nodeId);
    return input;
  }

  return {
    async startInput(caller: Caller, id: string): Promise<void> {
      const before = await requireHere(id);
      if (before.desiredState === 'stopped') {
        await inputs.setDesiredState(id, 'running');
        await record(caller, 'start', before, { ...before, desiredState: 'running' });
      }
      await refresh();
      // Started by hand: do not wait for the next attempt.
      if (nodeInputs.state(id)?.state === 'FAILED') await nodeInputs.restart(id);
    },

    async sendTestMessage(caller: Caller, id: string): Promise<string> {
      const input = await requireHere(id);
      const query = await sendTestMessage(
        { nodeInputs, secrets, clock: deps.clock, findType: INPUT_TYPES.find },
        input,
        caller,
      );
      await record(caller, 'test_message', input);
      return query;
    },

    async stopInput(caller: Caller, id: string): Promise<void> {
      const before = await requireHere(id);
      if (before.desiredState === 'running') {
        await inputs.setDesiredState(id, 'stopped');
        await record(caller, 'stop', before, { ...before, desiredState: 'stopped' });
      }
      await refresh();
    },
  };
}

/** Removes what workers that have ended counted for it. */
function forgetMetrics(metrics: Metrics, { id, type }: InputRecord): void {
  metrics.remove(componentPrefix({ kind: 'input', type, id }));
  const wireType = INPUT_TYPES.find(type)?.wireType;
  if (wireType !== undefined) metrics.remove(inputMetricsPrefix({ wireType, inputId: id }));
}

function runsHere(input: InputRecord, nodeId: string): boolean {
  return input.global || input.nodeId === nodeId;
}

/** For the audit log: never with passwords. */
function publicView(input: InputRecord): unknown {
  const view = inputView(input, INPUT_TYPES.find(input.type));
  return { ...view, desired_state: input.desiredState };
}

function requireType(name: string): InputType {
  const type = INPUT_TYPES.find(name);
  if (type !== undefined) return type;
  const known = INPUT_TYPES.types.map(({ id, wireType }) => `${wireType} (${id})`).join(', ');
  throw new NotFoundError(`There is no input type "${name}". There are: ${known}.`);
}

async function requireInput(metadata: Metadata, id: string): Promise<InputRecord> {
  const input = id.includes('\0') ? undefined : await metadata.repositories.inputs.find(id);
  if (input === undefined) throw inputNotFound(id);
  return input;
}

async function requireNode(metadata: Metadata, wanted: string, ownId: string): Promise<string> {
  if (wanted === ownId) return wanted;
  const node = wanted.includes('\0') ? undefined : await metadata.repositories.nodes.find(wanted);
  if (node !== undefined) return wanted;
  throw new InvalidError(
    `node: there is no node "${wanted}" in this cluster. Leave it out for this node (${ownId}), or set global to true for all nodes.`,
    { path: 'node' },
  );
}

function checkStaticField(name: string, value: string): void {
  if (name === '' || !isFieldName(name)) {
    throw new InvalidError(
      `key: "${name}" is not a field name. Letters, digits, underscores, dots and dashes are allowed.`,
      { path: 'key' },
    );
  }
  if (isProtectedFieldName(name)) {
    throw new InvalidError(`key: "${name}" is a field that Millrace sets itself. Choose another name.`, {
      path: 'key',
    });
  }
  if (value === '') throw new InvalidError('value: a static field needs a value.', { path: 'value' });
}

function inputNotFound(id: string): NotFoundError {
  return new NotFoundError(`Input ${id} not found!`);
}

function notOnThisNode(id: string, nodeId: string): NotFoundError {
  return new NotFoundError(`There is no input ${id} on node ${nodeId}.`);
}

/** Clients compare what they read with what they sent: nothing is added. Defaults are applied where it runs. */
function storable(type: InputType, raw: RawConfiguration): RawConfiguration {
  return requireStorable(type, raw, `a ${type.name} input`);
}
