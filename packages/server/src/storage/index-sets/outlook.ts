/** What people ask before they change a retention: how long is a message kept, and what is deleted now? */
import type { IndexSetOutlook, OutlookRequest } from '@millrace/contract';
import { type Clock, type Principal, UnavailableError } from '#core/index.ts';
import type { MessageTables, PartFigures } from '../message-tables.ts';
import { strategiesInEffect } from './data-tiering.ts';
import type { IndexSetDirectory } from './directory.ts';
import { keptBy, outlived } from './outlived.ts';
import { createStrategy, RETENTION_STRATEGIES, ROTATION_STRATEGIES } from './registry.ts';
import { indexName, type StoredIndexSet, tableOf } from './stored.ts';
import { DAY_MS, type Rate, type StoredStrategy } from './strategy.ts';
import { strategiesOf } from './view.ts';

export interface IndexSetOutlooks {
  /** Of all index sets that the reader may read, by id, except those whose plugin is switched off or fails. */
  outlooks(
    reader: Pick<Principal, 'can'>,
    ids?: readonly string[],
  ): Promise<ReadonlyMap<string, IndexSetOutlook>>;
  /** Of one index set, with its own strategies or with others. Throws `InvalidError` for wrong ones. */
  outlook(id: string, request: OutlookRequest): Promise<IndexSetOutlook>;
  /** Of an index set that does not exist yet. */
  outlookOfNew(request: OutlookRequest): IndexSetOutlook;
}

export interface OutlookDeps {
  readonly directory: IndexSetDirectory;
  /** Throws while ClickHouse has not started. */
  readonly tables: () => MessageTables;
  readonly clock: Clock;
}

export interface OutlookConfig {
  readonly retentionIntervalMs: number;
}

/** What was found out about an index set. */
interface Looked {
  readonly figures: readonly PartFigures[];
  readonly rate: Rate;
  /** As if its active index had been rotated. */
  readonly isRotated?: boolean | undefined;
}

interface Strategies {
  readonly rotation: StoredStrategy;
  readonly retention: StoredStrategy;
}

const MINUTE_MS = 60_000;
/** What is said of an index set that is read only. */
const KEEPS_EVERYTHING = { retention: null, keeps: null, keeps_ms: null, kept_ms: null } as const;
const NOTHING: Rate = { messagesPerDay: 0, bytesPerDay: 0 };

export function createIndexSetOutlooks(deps: OutlookDeps, config: OutlookConfig): IndexSetOutlooks {
  const { directory, tables, clock } = deps;

  async function rateOf(indexSet: StoredIndexSet, figures: readonly PartFigures[]): Promise<Rate> {
    const now = clock.now();
    const { messages, oldest } = await tables().since(tableOf(indexSet), now - DAY_MS);
    // An index set of an hour ago has had an hour to collect them, unless they are older than it is.
    const began = Math.min(indexSet.createdAt, oldest ?? now);
    const age = Math.min(DAY_MS, Math.max(MINUTE_MS, now - began));
    const messagesPerDay = (messages * DAY_MS) / age;
    const own = sumOf(figures.filter(({ table }) => table === tableOf(indexSet)));
    const bytesPerMessage = own.messages === 0 ? 0 : own.bytes / own.messages;
    return { messagesPerDay, bytesPerDay: messagesPerDay * bytesPerMessage };
  }

  function outlookOf(
    indexSet: StoredIndexSet,
    strategies: Strategies,
    { figures, rate, isRotated = false }: Looked,
  ): IndexSetOutlook {
    const base = expectation(strategies, rate, config);
    if (!indexSet.writable) return { ...base, ...KEEPS_EVERYTHING };
    const kept = keptBy(...createBoth(strategies));
    if (kept === undefined) return base;
    const indices = directory.indicesOf(indexSet.id);
    // A new index would take the place of one that stays.
    const old =
      isRotated && 'indices' in kept
        ? outlived(
            indices.map((known) => ({ ...known, isActive: false })),
            { indices: kept.indices - 1 },
            clock.now(),
          )
        : outlived(indices, kept, clock.now());
    const numbers = new Set(old.map(({ index }) => index.number));
    const own = figures.filter(({ table, number }) => table === tableOf(indexSet) && numbers.has(number));
    return {
      ...base,
      affected: { indices: old.map(({ index }) => indexName(indexSet, index.number)), ...sumOf(own) },
    };
  }

  return {
    async outlooks(reader, ids) {
      const figures = await tables().figures();
      const readable = directory
        .list()
        .filter(({ id }) => (ids === undefined || ids.includes(id)) && reader.can('indexsets:read', id));
      const found = new Map<string, IndexSetOutlook>();
      // One query after the other: somebody may have hundreds of index sets, and ClickHouse has searches to answer.
      for (const each of readable) {
        const rate = await rateOf(each, figures);
        const outlook = ifAvailable(() => outlookOf(each, strategiesInEffect(each), { figures, rate }));
        if (outlook !== undefined) found.set(each.id, outlook);
      }
      return found;
    },
    async outlook(id, request) {
      const indexSet = directory.get(id);
      const strategies = strategiesOf(request, { ...indexSet, ...strategiesInEffect(indexSet) });
      const figures = await tables().figures();
      const rate = await rateOf(indexSet, figures);
      return outlookOf(indexSet, strategies, { figures, rate, isRotated: request.after_rotation });
    },
    outlookOfNew: (request) => expectation(strategiesOf(request), NOTHING, config),
  };
}

/** What can be said without looking at indices. */
function expectation(strategies: Strategies, rate: Rate, config: OutlookConfig): IndexSetOutlook {
  const [rotation, retention] = createBoth(strategies);
  const kept = keptBy(rotation, retention);
  const keeps = kept !== undefined && 'indices' in kept ? kept.indices : null;
  const keepsMs = kept !== undefined && 'forMs' in kept ? kept.forMs : null;
  const lasts = rotation?.lasts?.(rate);
  const { messages = null, bytes = null, period = null } = rotation?.limit ?? {};
  return {
    rotates_after: rotation === undefined ? null : { messages, bytes, period },
    retention: retention?.action ?? null,
    keeps,
    keeps_ms: keepsMs,
    kept_ms: keepsMs ?? (keeps === null || lasts === undefined ? null : Math.round(keeps * lasts)),
    messages_per_day: rate.messagesPerDay,
    bytes_per_day: rate.bytesPerDay,
    affected: { indices: [], messages: 0, bytes: 0 },
    within_ms: config.retentionIntervalMs,
  };
}

/** Undefined while the plugin of a strategy is switched off or fails. */
function ifAvailable(look: () => IndexSetOutlook): IndexSetOutlook | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof UnavailableError) return undefined;
    throw error;
  }
}

function createBoth(strategies: Strategies) {
  return [
    createStrategy(ROTATION_STRATEGIES, strategies.rotation),
    createStrategy(RETENTION_STRATEGIES, strategies.retention),
  ] as const;
}

function sumOf(figures: readonly PartFigures[]): { messages: number; bytes: number } {
  return {
    messages: figures.reduce((total, each) => total + each.messages, 0),
    bytes: figures.reduce((total, each) => total + each.bytes, 0),
  };
}
