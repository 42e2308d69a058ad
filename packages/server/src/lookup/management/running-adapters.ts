import { type Clock, errorMessage, InvalidConfiguration } from '#core/index.ts';
import type { LookupPartRecord } from '#metadata/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { AdapterContext, LookupAdapter } from '../adapter-type.ts';
import { ADAPTER_TYPES } from '../registry.ts';
import type { LookupSource } from '../source.ts';

/** The adapters of this node, and what they have loaded. */
export interface RunningAdapters {
  /**
   * Creates and loads what is new or has changed, ends what is gone, and loads again what is due. What takes too long,
   * such as a file of a server that is gone, goes on loading beside. True: data changed.
   */
  follow(records: readonly LookupPartRecord[]): Promise<boolean>;
  /** Loads an adapter again, now. */
  reload(id: string): void;
  source(id: string): LookupSource | undefined;
  /** Null: nothing is wrong. */
  error(id: string): string | null;
}

export interface RunningAdaptersDeps {
  readonly context: AdapterContext;
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
  source: LookupSource | undefined;
  error: string | null;
  dueAt: number;
}

/** An adapter that could not load is tried again after this time. */
const RETRY_MS = 5000;
const MAX_WAIT_MS = 5000;
const STILL_LOADING = 'the data is still being loaded';

export function createRunningAdapters(
  deps: RunningAdaptersDeps,
  { maxWaitMs = MAX_WAIT_MS }: RunningAdaptersSettings = {},
): RunningAdapters {
  const { clock, logger } = deps;
  let running = new Map<string, Running>();

  async function load(name: string, each: Running, adapter: LookupAdapter): Promise<void> {
    const { refreshMs = Number.POSITIVE_INFINITY } = adapter;
    try {
      const loaded = await adapter.load();
      each.error = null;
      each.dueAt = clock.now() + refreshMs;
      if (loaded === undefined) return;
      each.source = loaded;
      each.isNews = true;
    } catch (error) {
      // What was loaded before stays in use.
      const reason = errorMessage(error);
      if (each.error !== reason)
        logger.error({ adapter: name, reason }, 'a data adapter cannot load its data');
      each.error = reason;
      each.dueAt = clock.now() + Math.min(RETRY_MS, refreshMs);
    }
  }

  /** Loads one after the other, so that only one file at a time is read and parsed. */
  async function loadDue(records: readonly LookupPartRecord[], all: ReadonlyMap<string, Running>) {
    const timeUp = Promise.withResolvers<'time is up'>();
    const timer = setTimeout(timeUp.resolve, maxWaitMs, 'time is up');
    for (const { id, name } of records) {
      const each = all.get(id);
      if (each?.adapter === undefined || each.loading !== undefined || clock.now() < each.dueAt) continue;
      each.loading = load(name, each, each.adapter).finally(() => {
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
    error: (id) => running.get(id)?.error ?? null,
  };
}

function start(
  { context, decrypted }: RunningAdaptersDeps,
  record: LookupPartRecord,
  configuration: string,
): Running {
  const created = createAdapter(context, decrypted, record);
  const failed = typeof created === 'string';
  return {
    configuration,
    adapter: failed ? undefined : created,
    loading: undefined,
    isNews: false,
    source: undefined,
    error: failed ? created : null,
    dueAt: failed ? Number.POSITIVE_INFINITY : 0,
  };
}

/** A text says what is wrong. */
function createAdapter(
  context: AdapterContext,
  decrypted: RunningAdaptersDeps['decrypted'],
  record: LookupPartRecord,
): LookupAdapter | string {
  const type = ADAPTER_TYPES.find(record.type);
  if (type === undefined) return `this version does not know the type ${record.type}`;
  try {
    const created = type.create(context, decrypted(record).configuration);
    return created instanceof InvalidConfiguration ? created.text : created;
  } catch (error) {
    return errorMessage(error);
  }
}
