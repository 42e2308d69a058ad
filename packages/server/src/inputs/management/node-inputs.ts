import { setTimeout as delay } from 'node:timers/promises';
import {
  type Clock,
  type ComponentSecrets,
  createBackoff,
  effectiveConfiguration,
  type RawConfiguration,
  unreadableSecrets,
} from '#core/index.ts';
import type { InputRecord } from '#metadata/index.ts';
import type { InputState, InputStateReport, WantedInput } from '../host.ts';
import type { InputType } from '../input.ts';
import {
  aggregateInputState,
  NOT_RUNNING,
  type NodeInputState,
  type WorkerInputStatus,
} from './aggregate-state.ts';
import type { PortClaims, PortWish } from './port-claims.ts';

/** The workers, as far as inputs are concerned. */
export interface InputWorkers {
  /**
   * Makes these the inputs of all workers. Resolves when every worker has done what can be done now; a
   * worker that is down gets them when it is back.
   */
  apply(inputs: readonly WantedInput[]): Promise<void>;
  /** What each listening worker reports, by input; undefined for a worker that is down. */
  statuses(): readonly (ReadonlyMap<string, InputStateReport> | undefined)[];
  /** Calls `listener` after every change of what `statuses` shows. */
  onStatuses(listener: () => void): void;
}

export interface ShownState extends NodeInputState {
  /** When it entered the state, milliseconds since the epoch. */
  readonly since: number;
}

/** Called with every change of state or message; `now` is undefined for an input that is gone. */
export type StateListener = (input: InputRecord, now: ShownState | undefined) => void;

/** The inputs of this node: makes the workers follow what is stored. */
export interface NodeInputs {
  /** Applies this list. Resolves when that is done, or after some seconds when it takes longer. */
  apply(inputs: readonly InputRecord[]): Promise<void>;
  /** Stops an input and starts it again, whatever it does now. */
  restart(id: string): Promise<void>;
  state(id: string): ShownState | undefined;
  stop(): Promise<void>;
}

export interface NodeInputsDeps {
  readonly workers: InputWorkers;
  readonly claims: PortClaims;
  readonly clock: Clock;
  readonly findType: (type: string) => InputType | undefined;
  /** Workers get the secrets in clear. */
  readonly secrets: ComponentSecrets;
  readonly changed: StateListener;
}

export interface NodeInputsConfig {
  /** How long a change waits for the workers' answer. */
  readonly patienceMs?: number;
  /** The wait before a port in use is tried again. It doubles each time, up to the maximum. */
  readonly retryDelayMs?: number;
  readonly maxRetryDelayMs?: number;
}

interface Entry {
  readonly stored: InputRecord;
  /** Problems the main thread found, so that the workers need not try. */
  readonly fault: { readonly state: InputState; readonly message: string } | undefined;
}

const DEFAULT_PATIENCE_MS = 3000;
const DEFAULT_RETRY_DELAY_MS = 1000;
const DEFAULT_MAX_RETRY_DELAY_MS = 15_000;

export function createNodeInputs(deps: NodeInputsDeps, config: NodeInputsConfig = {}): NodeInputs {
  const patienceMs = config.patienceMs ?? DEFAULT_PATIENCE_MS;
  const retryDelay = createBackoff({
    firstMs: config.retryDelayMs ?? DEFAULT_RETRY_DELAY_MS,
    maxMs: config.maxRetryDelayMs ?? DEFAULT_MAX_RETRY_DELAY_MS,
  });
  const board = createStateBoard(deps);
  let entries = new Map<string, Entry>();
  let running: readonly WantedInput[] = [];
  let work: Promise<void> = Promise.resolve();
  let retryTimer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function tell(inputs: readonly WantedInput[]): Promise<void> {
    running = inputs;
    const gaveUp = new AbortController();
    const done = deps.workers.apply(inputs).finally(() => gaveUp.abort());
    await Promise.race([done, delay(patienceMs, undefined, { signal: gaveUp.signal }).catch(() => done)]);
  }

  /** A port is free only when the workers have closed it: inputs that leave are stopped first. */
  async function letGo(wanted: ReadonlyMap<string, PortWish>): Promise<void> {
    const leaving = running.map(({ id }) => id).filter((id) => deps.claims.isOutdated(id, wanted.get(id)));
    if (leaving.length === 0) return;
    await tell(running.map((input) => (leaving.includes(input.id) ? { ...input, started: false } : input)));
    for (const id of leaving) deps.claims.release(id);
  }

  async function reconcile(inputs: readonly InputRecord[]): Promise<void> {
    if (stopped) return;
    clearTimeout(retryTimer);
    // From here on the states are those of the new list. Problems are looked for again below.
    entries = new Map(inputs.map((stored) => [stored.id, { stored, fault: entries.get(stored.id)?.fault }]));
    const readInputs = inputs.map((stored) => readInput(deps, stored));
    const wishes = new Map(readInputs.flatMap(wishOf));
    await letGo(wishes);
    const found = await findFaults(deps, readInputs, wishes);
    entries = found.entries;
    await tell(found.wanted);
    board.evaluate(entries);
    scheduleRetry();
  }

  function scheduleRetry(): void {
    const isWaiting = [...entries.values()].some(({ fault }) => fault?.state === 'FAILED');
    if (!isWaiting || stopped) {
      retryDelay.reset();
      return;
    }
    retryTimer = setTimeout(() => void inTurn(() => reconcile(storedInputs())), retryDelay.next());
    retryTimer.unref();
  }

  const storedInputs = (): InputRecord[] => [...entries.values()].map(({ stored }) => stored);

  function inTurn(step: () => Promise<void>): Promise<void> {
    work = work.then(step, step);
    return work;
  }

  deps.workers.onStatuses(() => {
    if (!stopped) board.evaluate(entries);
  });

  return {
    apply: (inputs) => inTurn(() => reconcile(inputs)),
    restart: (id) =>
      inTurn(async () => {
        await tell(running.map((input) => (input.id === id ? { ...input, started: false } : input)));
        deps.claims.release(id);
        await reconcile(storedInputs());
      }),
    state: (id) => board.state(id),
    async stop() {
      stopped = true;
      clearTimeout(retryTimer);
      await work.catch(() => {});
    },
  };
}

/** Which inputs can run, and what the workers should do. */
async function findFaults(
  deps: NodeInputsDeps,
  inputs: readonly ReadInput[],
  wishes: ReadonlyMap<string, PortWish>,
): Promise<{ entries: Map<string, Entry>; wanted: WantedInput[] }> {
  const entries = new Map<string, Entry>();
  const wanted: WantedInput[] = [];
  for (const { stored, ...read } of inputs) {
    if (read.problem !== undefined) {
      const fault = { state: 'INVALID_CONFIGURATION', message: read.problem } as const;
      entries.set(stored.id, { stored, fault });
      continue;
    }
    const wish = wishes.get(stored.id);
    const claim = wish && (await deps.claims.claim(wish));
    const fault = claim?.kind === 'taken' ? ({ state: 'FAILED', message: claim.reason } as const) : undefined;
    entries.set(stored.id, { stored, fault });
    const port = claim?.kind === 'claimed' ? { port: claim.port } : {};
    wanted.push({
      id: stored.id,
      type: stored.type,
      configuration: { ...read.configuration, ...port },
      started: stored.desiredState === 'running' && fault === undefined,
    });
  }
  return { entries, wanted };
}

/** The last state of each input, so that each change is reported once. */
function createStateBoard(deps: NodeInputsDeps) {
  const shown = new Map<string, { readonly stored: InputRecord; readonly state: ShownState }>();

  function stateNow({ stored, fault }: Entry): NodeInputState {
    if (fault !== undefined && stored.desiredState === 'running') {
      return { ...NOT_RUNNING, state: fault.state, detailedMessage: fault.message };
    }
    const workers = deps.workers
      .statuses()
      .map(
        (reports): WorkerInputStatus =>
          reports === undefined ? 'down' : (reports.get(stored.id) ?? 'unreported'),
      );
    return aggregateInputState(stored.desiredState, workers);
  }

  return {
    evaluate(entries: ReadonlyMap<string, Entry>): void {
      for (const [id, { stored }] of shown) {
        if (entries.has(id)) continue;
        shown.delete(id);
        deps.changed(stored, undefined);
      }
      for (const [id, entry] of entries) {
        const now = stateNow(entry);
        const before = shown.get(id)?.state;
        const isSameState = before?.state === now.state;
        const since = isSameState ? before.since : (now.runningSince ?? deps.clock.now());
        const state = { ...now, since };
        shown.set(id, { stored: entry.stored, state });
        if (!isSameState || before.detailedMessage !== now.detailedMessage) deps.changed(entry.stored, state);
      }
    },
    state: (id: string) => shown.get(id)?.state,
  };
}

/** A stored input with its secrets in clear, or why it cannot be read. */
type ReadInput =
  | {
      readonly stored: InputRecord;
      readonly problem?: undefined;
      readonly type: InputType;
      readonly configuration: RawConfiguration;
    }
  | { readonly stored: InputRecord; readonly problem: string };

function readInput({ findType, secrets }: NodeInputsDeps, stored: InputRecord): ReadInput {
  const type = findType(stored.type);
  if (type === undefined) return { stored, problem: unknownType(stored.type) };
  const { configuration, unreadable } = secrets.decrypt(stored.id, type.fields, stored.configuration);
  return unreadable.length > 0
    ? { stored, problem: unreadableSecrets(unreadable) }
    : { stored, type, configuration: effectiveConfiguration(type, configuration) };
}

/** Where the input should listen; empty when it should not run or cannot. */
function wishOf(input: ReadInput): [string, PortWish][] {
  const { stored } = input;
  if (input.problem !== undefined || stored.desiredState !== 'running') return [];
  const { port, bind_address: address } = input.configuration;
  if (typeof port !== 'number' || typeof address !== 'string') return [];
  const { id, title } = stored;
  return [[id, { inputId: id, title, transport: input.type.transport, address, port }]];
}

function unknownType(type: string): string {
  return `This version does not know the input type "${type}". Delete the input, or start a version that knows it.`;
}
