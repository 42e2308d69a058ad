import type {
  LookupTablePage,
  LookupTableQuery,
  LookupTableRequest,
  LookupTableView,
  LookupValidation,
} from '@millrace/contract';
import {
  type AuditLog,
  type Caller,
  errorMessage,
  InvalidError,
  NotFoundError,
  onConflict,
  pageOf,
  recordAction,
  requireRevision,
} from '#core/index.ts';
import type { LookupTableProperties, LookupTableRecord, LookupTablesRepository } from '#metadata/index.ts';
import { defaultAnswer } from './defaults.ts';
import { type LookupParts, nameTaken } from './parts.ts';
import { tableAuditView, tableRevision, tableView } from './views.ts';

/** Lookup tables as people change them: an adapter, a cache and defaults. */
export interface LookupTables {
  page(query: LookupTableQuery): Promise<LookupTablePage>;
  /** By id or by name. Rejects with `NotFoundError`. */
  require(idOrName: string): Promise<LookupTableRecord>;
  get(idOrName: string, resolve: boolean): Promise<LookupTablePage>;
  create(caller: Caller, request: LookupTableRequest): Promise<LookupTableView>;
  update(caller: Caller, idOrName: string, request: LookupTableRequest): Promise<LookupTableView>;
  remove(caller: Caller, idOrName: string): Promise<LookupTableView>;
  validate(request: LookupTableRequest): Promise<LookupValidation>;
}

export interface LookupTablesDeps {
  readonly repository: LookupTablesRepository;
  readonly adapters: LookupParts;
  readonly caches: LookupParts;
  readonly audit: AuditLog;
  readonly changed: () => Promise<void>;
}

export function createLookupTables(deps: LookupTablesDeps): LookupTables {
  const { repository, audit, changed } = deps;

  async function require(idOrName: string): Promise<LookupTableRecord> {
    const all = await repository.list();
    const found = all.find(({ id }) => id === idOrName) ?? all.find(({ name }) => name === idOrName);
    if (found === undefined) throw new NotFoundError(`There is no lookup table ${idOrName}.`);
    return found;
  }

  return {
    require,
    async page(query) {
      const { elements, numbers } = pageOf(await repository.list(), query, SORTED_BY);
      return { ...numbers, query: query.query, ...(await resolved(deps, elements, query.resolve)) };
    },
    async get(idOrName, resolve) {
      const numbers = { total: 1, count: 1, page: 1, per_page: 1 };
      return { ...numbers, query: null, ...(await resolved(deps, [await require(idOrName)], resolve)) };
    },
    async create(caller, request) {
      const properties = await propertiesOf(deps, request);
      const stored = await onConflict(repository.insert(properties), () =>
        nameTaken('lookup table', request.name),
      );
      await changed();
      await recordAction(audit, caller, 'lookup_table.create', {
        objectId: stored.id,
        after: tableAuditView(stored),
      });
      return tableView(stored);
    },
    async update(caller, idOrName, request) {
      const before = await require(idOrName);
      const properties = await propertiesOf(deps, request);
      const updating = repository.update(before.id, properties, (stored) =>
        requireRevision({
          what: `lookup table "${stored.title}"`,
          revision: tableRevision(stored),
          wanted: request.revision,
        }),
      );
      const after = await onConflict(updating, () => nameTaken('lookup table', request.name));
      if (after === undefined) throw new NotFoundError(`There is no lookup table ${idOrName}.`);
      await changed();
      const views = { before: tableAuditView(before), after: tableAuditView(after) };
      await recordAction(audit, caller, 'lookup_table.update', { objectId: before.id, ...views });
      return tableView(after);
    },
    async remove(caller, idOrName) {
      const before = await require(idOrName);
      await repository.remove(before.id);
      await changed();
      await recordAction(audit, caller, 'lookup_table.delete', {
        objectId: before.id,
        before: tableAuditView(before),
      });
      return tableView(before);
    },
    async validate(request) {
      const errors: Record<string, string[]> = {};
      const other = (await repository.list()).find(({ name }) => name === request.name);
      if (other !== undefined && other.id !== request.id)
        errors.name = ['The name of the lookup table is already in use.'];
      for (const [field, message] of defaultProblems(request)) errors[field] = [message];
      return { failed: Object.keys(errors).length > 0, errors };
    },
  };
}

const SORTED_BY = {
  title: ({ title }: LookupTableRecord) => title,
  name: ({ name }: LookupTableRecord) => name,
  description: ({ description }: LookupTableRecord) => description,
  id: ({ id }: LookupTableRecord) => id,
};

async function resolved(
  { adapters, caches }: LookupTablesDeps,
  tables: readonly LookupTableRecord[],
  resolve: boolean,
) {
  return {
    lookup_tables: tables.map(tableView),
    caches: resolve ? await caches.byId(tables.map(({ cacheId }) => cacheId)) : {},
    data_adapters: resolve ? await adapters.byId(tables.map(({ adapterId }) => adapterId)) : {},
  };
}

const NOTHING = { type: 'NULL', text: '' } as const;

function defaultsOf(request: LookupTableRequest) {
  return {
    defaultSingle: { type: request.default_single_value_type, text: request.default_single_value },
    defaultMulti: { type: request.default_multi_value_type, text: request.default_multi_value },
  };
}

function defaultProblems(request: LookupTableRequest): [field: string, message: string][] {
  const { defaultSingle, defaultMulti } = defaultsOf(request);
  const checks = [
    ['default_single_value', { defaultSingle, defaultMulti: NOTHING }],
    ['default_multi_value', { defaultSingle: NOTHING, defaultMulti }],
  ] as const;
  return checks.flatMap(([field, defaults]): [string, string][] => {
    try {
      defaultAnswer(defaults);
      return [];
    } catch (error) {
      return [[field, errorMessage(error)]];
    }
  });
}

async function propertiesOf(
  { adapters, caches }: LookupTablesDeps,
  request: LookupTableRequest,
): Promise<LookupTableProperties> {
  const [problem] = defaultProblems(request);
  if (problem !== undefined)
    throw new InvalidError(`${problem[0]} is not valid: ${problem[1]}.`, { path: problem[0] });
  const { name, title, description } = request;
  const known = (field: string) => (error: unknown) => {
    if (error instanceof NotFoundError) throw new InvalidError(error.message, { path: field });
    throw error;
  };
  const adapter = await adapters.require(request.data_adapter_id).catch(known('data_adapter_id'));
  const cache = await caches.require(request.cache_id).catch(known('cache_id'));
  return {
    name,
    title,
    description: description ?? '',
    adapterId: adapter.id,
    cacheId: cache.id,
    ...defaultsOf(request),
  };
}
