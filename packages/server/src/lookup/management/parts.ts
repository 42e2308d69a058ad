/** Data adapters and caches as people change them. */
import type { LookupPartRequest, LookupPartView, LookupValidation, PagingQuery } from '@millrace/contract';
import {
  type AuditLog,
  type Caller,
  type Clock,
  type ComponentRegistry,
  type ComponentSecrets,
  type ComponentType,
  InvalidConfiguration,
  InvalidError,
  NotFoundError,
  newEntityId,
  onConflict,
  type PagedElements,
  pageOf,
  recordAction,
  requireConfiguration,
  requireRevision,
} from '#core/index.ts';
import type { LookupPartProperties, LookupPartRecord, LookupPartsRepository } from '#metadata/index.ts';
import { partAuditView, partRevision, partView } from './views.ts';

export interface LookupParts {
  page(query: PagingQuery): Promise<PagedElements<LookupPartView>>;
  /** By id or by name. Rejects with `NotFoundError`. */
  require(idOrName: string): Promise<LookupPartRecord>;
  get(idOrName: string): Promise<LookupPartView>;
  byId(ids: readonly string[]): Promise<Record<string, LookupPartView>>;
  create(caller: Caller, request: LookupPartRequest): Promise<LookupPartView>;
  update(caller: Caller, idOrName: string, request: LookupPartRequest): Promise<LookupPartView>;
  remove(caller: Caller, idOrName: string): Promise<LookupPartView>;
  validate(request: LookupPartRequest): Promise<LookupValidation>;
}

export interface LookupPartsDeps {
  readonly kind: 'lookup_adapter' | 'lookup_cache';
  readonly label: string;
  readonly repository: LookupPartsRepository;
  readonly types: ComponentRegistry<
    Pick<ComponentType, 'id' | 'wireType' | 'fields' | 'name' | 'description' | 'complete' | 'problemsOf'>
  >;
  readonly secrets: ComponentSecrets;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly changed: () => Promise<void>;
}

export function createLookupParts(deps: LookupPartsDeps): LookupParts {
  const { kind, label, repository, types, audit, clock, changed } = deps;
  const view = (record: LookupPartRecord) => partView(record, types);
  const audited = (record: LookupPartRecord) => partAuditView(record, types);

  async function require(idOrName: string): Promise<LookupPartRecord> {
    const all = await repository.list();
    const found = all.find(({ id }) => id === idOrName) ?? all.find(({ name }) => name === idOrName);
    if (found === undefined) throw new NotFoundError(`There is no ${label} ${idOrName}.`);
    return found;
  }

  return {
    require,
    async page(query) {
      const { elements, numbers } = pageOf(await repository.list(), query, SORTED_BY);
      return { elements: elements.map(view), numbers };
    },
    get: async (idOrName) => view(await require(idOrName)),
    async byId(ids) {
      const found = (await repository.list()).filter(({ id }) => ids.includes(id));
      return Object.fromEntries(found.map((record) => [record.id, view(record)]));
    },
    async create(caller, request) {
      const id = newEntityId(clock.now());
      const properties = propertiesOf(deps, id, request);
      const stored = await onConflict(repository.insert(properties, id), () =>
        nameTaken(label, request.name),
      );
      await changed();
      await recordAction(audit, caller, `${kind}.create`, { objectId: id, after: audited(stored) });
      return view(stored);
    },
    async update(caller, idOrName, request) {
      const before = await require(idOrName);
      const properties = propertiesOf(deps, before.id, request, before);
      const updating = repository.update(before.id, properties, (stored) =>
        requireRevision({
          what: `${label} "${stored.title}"`,
          revision: partRevision(stored),
          wanted: request.revision,
        }),
      );
      const after = await onConflict(updating, () => nameTaken(label, request.name));
      if (after === undefined) throw new NotFoundError(`There is no ${label} ${idOrName}.`);
      await changed();
      const views = { before: audited(before), after: audited(after) };
      await recordAction(audit, caller, `${kind}.update`, { objectId: before.id, ...views });
      return view(after);
    },
    async remove(caller, idOrName) {
      const before = await require(idOrName);
      await onConflict(
        repository.remove(before.id),
        () =>
          new InvalidError(
            `The ${label} "${before.name}" is used by a lookup table. Change or delete that first.`,
          ),
      );
      await changed();
      await recordAction(audit, caller, `${kind}.delete`, { objectId: before.id, before: audited(before) });
      return view(before);
    },
    validate: (request) => validate(deps, request),
  };
}

const SORTED_BY = {
  title: ({ title }: LookupPartRecord) => title,
  name: ({ name }: LookupPartRecord) => name,
  description: ({ description }: LookupPartRecord) => description,
  id: ({ id }: LookupPartRecord) => id,
};

function typeOf({ types, label }: LookupPartsDeps, name: string) {
  const type = types.find(name);
  if (type !== undefined) return type;
  const known = types.types.map(({ wireType }) => wireType).join(', ');
  throw new InvalidError(`There is no type of ${label} ${JSON.stringify(name)}. Expected one of ${known}.`, {
    path: 'config.type',
  });
}

function propertiesOf(
  deps: LookupPartsDeps,
  id: string,
  { name, title, description, config }: LookupPartRequest,
  before?: LookupPartRecord,
): LookupPartProperties {
  const type = typeOf(deps, config.type);
  const stored =
    before?.type === type.id
      ? { ownerId: id, fields: type.fields, configuration: before.configuration }
      : undefined;
  const kept = deps.secrets.keep(type.fields, config, stored, 'config');
  const complete = requireConfiguration(type, kept, `the ${deps.label}`, { prefix: 'config' });
  return {
    name,
    title,
    description: description ?? '',
    type: type.id,
    configuration: deps.secrets.encrypt(id, type.fields, complete),
  };
}

export function nameTaken(label: string, name: string): InvalidError {
  return new InvalidError(`There is another ${label} with the name "${name}".`, { path: 'name' });
}

async function validate(
  deps: LookupPartsDeps,
  { id, name, config }: LookupPartRequest,
): Promise<LookupValidation> {
  const errors: Record<string, string[]> = {};
  const other = (await deps.repository.list()).find((each) => each.name === name);
  if (other !== undefined && other.id !== id)
    errors.name = [`The name of the ${deps.label} is already in use.`];
  const completed = typeOf(deps, config.type).complete(config);
  if (completed instanceof InvalidConfiguration) {
    for (const { path, message } of completed.problems) errors[path] = [...(errors[path] ?? []), message];
  }
  return { failed: Object.keys(errors).length > 0, errors };
}
