import type { LookupPartProperties, LookupTableProperties, Repositories } from '#metadata/index.ts';

/** Calls of the repositories of lookup tables, one for each function. */
export const LOOKUP_PART: LookupPartProperties = {
  name: 'part',
  title: 'P',
  description: '',
  type: 'none',
  configuration: { a: 1 },
};
export const LOOKUP_TABLE: Omit<LookupTableProperties, 'adapterId' | 'cacheId'> = {
  name: 'table',
  title: 'T',
  description: '',
  defaultSingle: { type: 'STRING', text: 'nobody' },
  defaultMulti: { type: 'NULL', text: '' },
};

export interface SeededLookup {
  readonly lookupAdapterId: string;
  readonly lookupCacheId: string;
  readonly lookupTableId: string;
}

/** In the order in which they can be emptied. */
export const LOOKUP_TABLES = ['lookup_entries', 'lookup_tables', 'lookup_adapters', 'lookup_caches'] as const;

/** One of each, for samples that need what is stored. */
export async function seedLookup(repositories: Repositories): Promise<SeededLookup> {
  const { lookupAdapters, lookupCaches, lookupTables, lookupEntries } = repositories;
  const { id: adapterId } = await lookupAdapters.insert(LOOKUP_PART);
  const { id: cacheId } = await lookupCaches.insert(LOOKUP_PART);
  const { id } = await lookupTables.insert({ ...LOOKUP_TABLE, adapterId, cacheId });
  await lookupEntries.change(adapterId, 'k', () => ({ value: 'v', expiresAt: undefined }));
  return { lookupAdapterId: adapterId, lookupCacheId: cacheId, lookupTableId: id };
}

type Sample = (repositories: Repositories, seeded: SeededLookup) => Promise<unknown>;
type Names = 'lookupAdapters' | 'lookupCaches' | 'lookupTables' | 'lookupEntries';

const table = ({ lookupAdapterId, lookupCacheId }: SeededLookup) => ({
  ...LOOKUP_TABLE,
  adapterId: lookupAdapterId,
  cacheId: lookupCacheId,
});

export const LOOKUP_SAMPLES: {
  readonly [Name in Names]: { readonly [F in keyof Repositories[Name]]: Sample };
} = {
  lookupAdapters: {
    insert: (r) => r.lookupAdapters.insert({ ...LOOKUP_PART, name: 'new' }),
    update: (r, { lookupAdapterId }) => r.lookupAdapters.update(lookupAdapterId, LOOKUP_PART),
    remove: async (r, { lookupTableId, lookupAdapterId }) => {
      await r.lookupTables.remove(lookupTableId);
      await r.lookupAdapters.remove(lookupAdapterId);
    },
    list: (r) => r.lookupAdapters.list(),
  },
  lookupCaches: {
    insert: (r) => r.lookupCaches.insert({ ...LOOKUP_PART, name: 'new' }),
    update: (r, { lookupCacheId }) => r.lookupCaches.update(lookupCacheId, LOOKUP_PART),
    remove: async (r, { lookupTableId, lookupCacheId }) => {
      await r.lookupTables.remove(lookupTableId);
      await r.lookupCaches.remove(lookupCacheId);
    },
    list: (r) => r.lookupCaches.list(),
  },
  lookupEntries: {
    find: (r, { lookupAdapterId }) => r.lookupEntries.find(lookupAdapterId, 'k'),
    change: async (r, { lookupAdapterId }) => {
      const { change } = r.lookupEntries;
      await change(lookupAdapterId, 'new', () => ({ value: ['a'], expiresAt: 1 }));
      await change(lookupAdapterId, 'k', () => ({ value: 2, expiresAt: undefined }));
      await change(lookupAdapterId, 'k', () => undefined);
    },
    listPage: (r, { lookupAdapterId }) =>
      r.lookupEntries.listPage(lookupAdapterId, { search: 'K', isDescending: false, limit: 10, offset: 0 }),
    count: (r, { lookupAdapterId }) => r.lookupEntries.count(lookupAdapterId),
    removeExpired: (r) => r.lookupEntries.removeExpired(),
  },
  lookupTables: {
    insert: (r, seeded) => r.lookupTables.insert({ ...table(seeded), name: 'new' }),
    update: (r, seeded) => r.lookupTables.update(seeded.lookupTableId, table(seeded)),
    remove: (r, { lookupTableId }) => r.lookupTables.remove(lookupTableId),
    list: (r) => r.lookupTables.list(),
  },
};
