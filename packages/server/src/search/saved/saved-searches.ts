import {
  formatTimestamp,
  type SavedSearch,
  type SavedSearchList,
  type SavedSearchPageQuery,
  type SavedSearchRequest,
  savedSearchSchema,
} from '@millrace/contract';
import {
  type AuditLog,
  type Caller,
  InvalidError,
  NotFoundError,
  onConflict,
  type Principal,
  pageOf,
} from '#core/index.ts';
import type { Metadata, SavedSearchProperties, SavedSearchRecord } from '#metadata/index.ts';

/** Searches that users save under a title. A change has been stored and audited when its promise resolves. */
export interface SavedSearches {
  /** Those the reader may read, ordered by title. */
  list(reader: Pick<Principal, 'can'>, page: SavedSearchPageQuery): Promise<SavedSearchList>;
  get(id: string): Promise<SavedSearch>;
  /** Returns its id. Its creator may read, change and delete it. Rejects with `InvalidError` if the title is taken. */
  create(caller: Caller, request: SavedSearchRequest): Promise<string>;
  /** Replaces the whole search. */
  update(caller: Caller, id: string, request: SavedSearchRequest): Promise<SavedSearch>;
  remove(caller: Caller, id: string): Promise<void>;
}

export interface SavedSearchesDeps {
  readonly metadata: Metadata;
  readonly audit: AuditLog;
}

export function createSavedSearches({ metadata, audit }: SavedSearchesDeps): SavedSearches {
  async function require(id: string): Promise<SavedSearchRecord> {
    const found = id.includes('\0') ? undefined : await metadata.repositories.savedSearches.find(id);
    if (found === undefined) throw notFound(id);
    return found;
  }

  const record = (
    { principal, remoteAddress }: Caller,
    action: string,
    before: SavedSearchRecord | undefined,
    after: SavedSearchRecord | undefined,
  ) =>
    audit.record({
      actor: principal.username,
      address: remoteAddress,
      action: `saved_search.${action}`,
      objectType: 'saved_search',
      objectId: (after ?? before)?.id,
      before: before && savedSearchView(before),
      after: after && savedSearchView(after),
    });

  return {
    async list(reader, page) {
      const all = await metadata.repositories.savedSearches.list();
      const searches = all.filter(({ id }) => reader.can('savedsearches:read', id)).map(savedSearchView);
      const { elements, numbers } = pageOf(searches, page, {
        title: ({ title }) => title,
        description: ({ description }) => description ?? '',
      });
      return { ...numbers, searches: [...elements], elements: [...elements], pagination: numbers };
    },

    get: async (id) => savedSearchView(await require(id)),

    async create(caller, request) {
      const { principal } = caller;
      const stored = await onConflict(
        metadata.transaction(async ({ repositories }) => {
          const inserted = await repositories.savedSearches.insert({
            ...propertiesOf(request),
            creator: principal.username,
          });
          const missing = permissionsOf(inserted.id).filter((permission) => !principal.can(permission));
          if (missing.length > 0) await repositories.grants.add(principal.userId, missing);
          return inserted;
        }),
        () => titleTaken(request.title),
      );
      await record(caller, 'create', undefined, stored);
      return stored.id;
    },

    async update(caller, id, request) {
      const before = await require(id);
      const after = await onConflict(
        metadata.repositories.savedSearches.update(id, propertiesOf(request)),
        () => titleTaken(request.title),
      );
      if (after === undefined) throw notFound(id);
      await record(caller, 'update', before, after);
      return savedSearchView(after);
    },

    async remove(caller, id) {
      const before = await require(id);
      await metadata.transaction(async ({ repositories }) => {
        if (!(await repositories.savedSearches.remove(id))) throw notFound(id);
        await repositories.grants.removeFromAll(permissionsOf(id));
      });
      await record(caller, 'delete', before, undefined);
    },
  };
}

/** The permissions of its creator, which are removed with the saved search. */
function permissionsOf(id: string): string[] {
  return ['read', 'edit'].map((action) => `savedsearches:${action}:${id}`);
}

function titleTaken(title: string): InvalidError {
  return new InvalidError(`Cannot save search ${title}. Title is already taken.`, { path: 'title' });
}

function notFound(id: string): NotFoundError {
  return new NotFoundError(`Saved search ${id} not found!`);
}

function propertiesOf({ title, description, ...content }: SavedSearchRequest): SavedSearchProperties {
  return { title, description: description ?? null, content };
}

function savedSearchView(search: SavedSearchRecord): SavedSearch {
  // Another version of the program may have stored it.
  return savedSearchSchema.parse({
    ...search.content,
    id: search.id,
    title: search.title,
    description: search.description,
    created_at: formatTimestamp(search.createdAt),
    last_updated_at: formatTimestamp(search.updatedAt),
    creator_user_id: search.creator,
  });
}
