import { type Clock, errorMessage, InvalidConfiguration } from '#core/index.ts';
import type { LookupPartRecord } from '#metadata/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { AdapterContext, LoadingAdapter, LookupAdapter, RemoteAdapter } from '../adapter-type.ts';
import { ADAPTER_TYPES } from '../registry.ts';
import { type AdapterCalls, createAdapterCalls } from '../remote/adapter-calls.ts';
import type { LookupSource } from '../source.ts';
import { createRareLog } from './rare-log.ts';

/** The adapters of this node, and what they have loaded. */
export interface RunningAdapters {
  /**
   * Creates and loads what is new or has changed, ends what is gone, and loads again what is due. What takes too long,
   * such as a file of a server that is gone, goes on loading beside. True: data changed.
   */
  follow(records: readonly LookupPartRecord[]): Promise<boolean>;
  /** Loads an adapter again, now. */
  reload(id: string): void;
  /** What the adapter gives; undefined while there is nothing. Whatever was loaded anew has another id. */
  source(id: string): RunningSource | undefined;
  /** Null: nothing is wrong. */
  error(id: string): string | null;
  /** Ends what adapters have under way that are gone or replaced: when nobody uses their sources any more. */
  closeReplaced(): void;
  /** Ends what remote adapters have under way. */
  close(): void;
}

export interface RunningSource {
  readonly id: string;
  readonly source: LookupSource;
  /** Of a remote source. */
  readonly calls: AdapterCalls | undefined;
  /** How asking a remote adapter went; null: well. */
  report(error: string | null): void;
}

export interface RunningAdaptersDeps {
  readonly context: Omit<AdapterContext, 'adapterId'>;
  /** With its secrets in clear; throws when they cannot be read. */
  readonly decrypted: (record: LookupPartRecord) => LookupPartRecord;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface RunningAdaptersSettings {
  /** How long `follow` waits for data, in all; tests set it. */
  readonly maxWaitMs?: number | undefined;
}

interface Running {
  readonly configuration: string;
  readonly adapter: LookupAdapter | undefined;
  /** While it loads. It never rejects. */
  loading: Promise<void> | undefined;
  /** Whether `source` is one that `follow` has not told of. */
  isNews: boolean;
  source: RunningSource | undefined;
  error: string | null;
  /** Until then the error of a remote adapter is shown, also if it answers meanwhile. */
  errorUntil: number;
  dueAt: number;
}

/** An adapter that could not load is tried again after this time. */
const RETRY_MS = 5000;
const MAX_WAIT_MS = 5000;
/**
 * How long a remote adapter is shown as failing after its last failure. Some keys may be answered while others fail: its
 * state would change with every look-up.
 */
const SHOWN_MS = 60_000;
const STILL_LOADING = 'the data is still being loaded';

export function createRunningAdapters(
  deps: RunningAdaptersDeps,
  { maxWaitMs = MAX_WAIT_MS }: RunningAdaptersSettings = {},
): RunningAdapters {
  const { clock, logger } = deps;
  let running = new Map<string, Running>();
  let replaced: Running[] = [];

  function closeReplaced(): void {
    for (const each of replaced) close(each);
    replaced = [];
  }

  function isDue({ dueAt }: Running, { refreshMs = Number.POSITIVE_INFINITY }: LoadingAdapter): boolean {
    const leftMs = dueAt - clock.now();
    // It is never longer, unless the clock was set back.
    return leftMs <= 0 || leftMs > refreshMs;
  }

  /** Loads one after the other, so that only one file at a time is read and parsed. */
  async function loadDue(records: readonly LookupPartRecord[], all: ReadonlyMap<string, Running>) {
    const timeUp = Promise.withResolvers<'time is up'>();
    const timer = setTimeout(timeUp.resolve, maxWaitMs, 'time is up');
    for (const { id, name } of records) {
      const each = all.get(id);
      if (each?.adapter?.kind !== 'loading' || each.loading !== undefined || !isDue(each, each.adapter))
        continue;
      each.loading = load(deps, name, each, each.adapter).finally(() => {
        each.loading = undefined;
      });
      if ((await Promise.race([each.loading, timeUp.promise])) !== undefined) {
        logger.warn({ adapter: name }, 'the data of a data adapter takes long to load');
        break;
      }
    }
    clearTimeout(timer);
  }

  return {
    async follow(records) {
      const next = new Map<string, Running>();
      let isChanged = records.length !== running.size;
      for (const record of records) {
        const configuration = JSON.stringify([record.type, record.configuration]);
        const known = running.get(record.id);
        const current = known?.configuration === configuration ? known : start(deps, record, configuration);
        next.set(record.id, current);
        if (current !== known) isChanged = true;
      }
      await loadDue(records, next);
      for (const [id, each] of running) if (next.get(id) !== each) replaced.push(each);
      running = next;
      for (const each of next.values()) {
        if (each.isNews) isChanged = true;
        each.isNews = false;
        if (each.loading !== undefined) each.error = STILL_LOADING;
      }
      return isChanged;
    },
    reload(id) {
      const each = running.get(id);
      if (each !== undefined) each.dueAt = 0;
    },
    source: (id) => running.get(id)?.source,
    error(id) {
      const each = running.get(id);
      return each === undefined || each.errorUntil <= clock.now() ? null : each.error;
    },
    closeReplaced,
    close() {
      closeReplaced();
      for (const each of running.values()) close(each);
    },
  };
}

async function load(
  { clock, logger }: RunningAdaptersDeps,
  name: string,
  each: Running,
  adapter: LoadingAdapter,
): Promise<void> {
  const { refreshMs = Number.POSITIVE_INFINITY } = adapter;
  try {
    const loaded = await adapter.load();
    each.error = null;
    each.dueAt = clock.now() + refreshMs;
    if (loaded === undefined) return;
    each.source = { id: newSourceId(), source: loaded, calls: undefined, report: () => {} };
    each.isNews = true;
  } catch (error) {
    // What was loaded before stays in use.
    const reason = errorMessage(error);
    if (each.error !== reason) logger.error({ adapter: name, reason }, 'a data adapter cannot load its data');
    each.error = reason;
    each.dueAt = clock.now() + Math.min(RETRY_MS, refreshMs);
  }
}

let sources = 0;
/** Unique in this process. */
function newSourceId(): string {
  sources += 1;
  return String(sources);
}

function start(deps: RunningAdaptersDeps, record: LookupPartRecord, configuration: string): Running {
  const created = createAdapter(deps.context, deps.decrypted, record);
  const failed = typeof created === 'string';
  const started: Running = {
    configuration,
    adapter: failed ? undefined : created,
    loading: undefined,
    isNews: false,
    source: undefined,
    error: failed ? created : null,
    errorUntil: Number.POSITIVE_INFINITY,
    dueAt: failed ? Number.POSITIVE_INFINITY : 0,
  };
  if (!failed && created.kind === 'remote')
    started.source = remoteSource(deps, record.name, created, started);
  return started;
}

function remoteSource(
  { clock, logger }: RunningAdaptersDeps,
  name: string,
  adapter: RemoteAdapter,
  running: Running,
): RunningSource {
  const { usesExpired, change } = adapter;
  const failed = createRareLog(clock, (reason, times) =>
    logger.warn({ adapter: name, reason, times }, 'a data adapter cannot be asked'),
  );
  let failedAt = 0;
  return {
    id: newSourceId(),
    source: { kind: 'remote', usesExpired, isWritable: change !== undefined },
    calls: createAdapterCalls(adapter),
    report(error) {
      if (error !== null) {
        failed(error);
        running.error = error;
        running.errorUntil = Number.POSITIVE_INFINITY;
        failedAt = clock.now();
      } else {
        // The clock may have been set back.
        failedAt = Math.min(failedAt, clock.now());
        running.errorUntil = failedAt + SHOWN_MS;
      }
    },
  };
}

function close({ adapter }: Running): void {
  if (adapter?.kind === 'remote') adapter.close?.();
}

/** A text says what is wrong. */
function createAdapter(
  context: Omit<AdapterContext, 'adapterId'>,
  decrypted: RunningAdaptersDeps['decrypted'],
  record: LookupPartRecord,
): LookupAdapter | string {
  const type = ADAPTER_TYPES.find(record.type);
  if (type === undefined) return `this version does not know the type ${record.type}`;
  try {
    const created = type.create({ ...context, adapterId: record.id }, decrypted(record).configuration);
    return created instanceof InvalidConfiguration ? created.text : created;
  } catch (error) {
    return errorMessage(error);
  }
}
