import { createWorkerLookups, type WorkerLookups } from '#lookup/index.ts';
import type { StoredEntries } from '#lookup/stored-entries.ts';
import { ManualClock } from './manual-clock.ts';

/** What a worker has for a table `store` that rules can change. Nobody answers what it asks for. */
export function writableLookups(): WorkerLookups {
  const lookups = createWorkerLookups({ clock: new ManualClock(), send: () => {} });
  const cache = { maxEntries: 100, afterAccessMs: 1e9, afterWriteMs: 1e9, emptyAfterWriteMs: 1e9 };
  lookups.useSnapshot({
    tables: [{ name: 'store', sourceId: '1', fallback: { single: null, multi: null }, cache }],
    sources: new Map([['1', { kind: 'remote', usesExpired: false, isWritable: true }]]),
  });
  return lookups;
}

/** For adapters that store nothing. */
export const NO_ENTRIES: StoredEntries = {
  find: async () => undefined,
  change: async () => undefined,
  count: async () => 0,
  removeExpired: async () => 0,
};
