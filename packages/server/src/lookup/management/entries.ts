/** The keys of key-value stores as people change them. */
import type {
  LookupEntriesQuery,
  LookupEntriesRequest,
  LookupEntryPage,
  LookupEntryView,
} from '@millrace/contract';
import { type AuditLog, type Caller, InvalidError, NotFoundError, recordAction } from '#core/index.ts';
import type { LookupEntriesRepository, LookupPartRecord, StoredLookupEntry } from '#metadata/index.ts';
import { keyValueAdapter, NoRoom } from '../adapters/keyvalue/adapter.ts';
import { type LookupChange, requireKey } from '../remote/change.ts';
import type { LookupParts } from './parts.ts';

export interface LookupEntries {
  page(idOrName: string, query: LookupEntriesQuery): Promise<LookupEntryPage>;
  /** How many keys were set: all of them. Rejects with `InvalidError`, which says how many, when the store is full. */
  set(caller: Caller, idOrName: string, request: LookupEntriesRequest): Promise<number>;
  /** Rejects with `NotFoundError` when there is no such key. */
  remove(caller: Caller, idOrName: string, key: string): Promise<void>;
}

export interface LookupEntriesDeps {
  readonly adapters: Pick<LookupParts, 'require'>;
  readonly repository: LookupEntriesRepository;
  /** Makes a change as rules do, so that rules see it. Undefined: the adapter does not run. */
  readonly change: (adapterId: string, key: string, change: LookupChange) => Promise<unknown> | undefined;
  readonly audit: AuditLog;
}

/** So many keys of a change are named in the audit log. */
const MAX_AUDITED = 100;

export function createLookupEntries(deps: LookupEntriesDeps): LookupEntries {
  const { repository, audit } = deps;

  async function requireStore(idOrName: string): Promise<LookupPartRecord> {
    const adapter = await deps.adapters.require(idOrName);
    if (adapter.type === keyValueAdapter.id) return adapter;
    throw new InvalidError(
      `The data adapter "${adapter.name}" keeps no keys of its own. Only a ${keyValueAdapter.name.toLowerCase()} does.`,
    );
  }

  async function change({ id, name }: LookupPartRecord, key: string, wanted: LookupChange): Promise<void> {
    const made = deps.change(id, key, wanted);
    if (made === undefined)
      throw new InvalidError(`The data adapter "${name}" does not run. Its state says why.`);
    await made;
  }

  return {
    async page(idOrName, { page, per_page, query, order }) {
      const { id } = await requireStore(idOrName);
      const { items, total } = await repository.listPage(id, {
        limit: per_page,
        offset: (page - 1) * per_page,
        search: query,
        isDescending: order === 'desc',
      });
      return { total, count: items.length, page, per_page, query, entries: items.map(entryView) };
    },
    async set(caller, idOrName, { entries }) {
      for (const [place, { key }] of entries.entries()) requireKey(key, `entries[${place}].key`);
      const adapter = await requireStore(idOrName);
      const stored: string[] = [];
      try {
        for (const { key, value, ttl } of entries) {
          await change(adapter, key, { kind: 'set', value, ttlMs: ttl == null ? undefined : ttl * 1000 });
          stored.push(key);
        }
      } catch (error) {
        if (!(error instanceof NoRoom)) throw error;
        throw new InvalidError(`${stored.length} of ${entries.length} keys are set: ${error.message}.`);
      } finally {
        if (stored.length > 0) {
          const after = { keys: stored.slice(0, MAX_AUDITED), count: stored.length };
          await recordAction(audit, caller, 'lookup_adapter.set_entries', { objectId: adapter.id, after });
        }
      }
      return stored.length;
    },
    async remove(caller, idOrName, key) {
      requireKey(key);
      const adapter = await requireStore(idOrName);
      const before = await repository.find(adapter.id, key);
      if (before === undefined)
        throw new NotFoundError(`The data adapter "${adapter.name}" has no key "${key}".`);
      await change(adapter, key, { kind: 'clear' });
      await recordAction(audit, caller, 'lookup_adapter.delete_entry', {
        objectId: adapter.id,
        before: entryView({ key, ...before }),
      });
    },
  };
}

function entryView({ key, value, expiresAt }: StoredLookupEntry): LookupEntryView {
  return {
    key,
    value: typeof value === 'object' ? [...value] : value,
    expires_at: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
  };
}
