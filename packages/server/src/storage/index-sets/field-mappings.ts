/** Types that people give to fields of an index set: from then on its messages are stored with values of these types. */
import {
  FIELD_MAPPING_TYPES,
  type FieldMappingRemoval,
  type FieldMappingRemovals,
  type FieldMappingRequest,
  type FieldMappings,
  type FieldMappingType,
  type IndexSetFieldType,
  type IndexSetFieldTypePage,
  type IndexSetFieldTypeQuery,
} from '@millrace/contract';
import {
  type AuditLog,
  type Caller,
  ForbiddenError,
  InvalidError,
  isFieldName,
  isProtectedFieldName,
  pageOf,
  recordAction,
} from '#core/index.ts';
import type { CataloguedField } from '../field-catalogue.ts';
import type { FieldTypes } from '../field-conversion.ts';
import { isReserved } from './built-in.ts';
import type { IndexSetDirectory } from './directory.ts';
import type { IndexSetStore, StoredIndexSet } from './stored.ts';

export interface FieldMappingAdministration {
  /** Throws `InvalidError` for a type or a field that cannot be chosen, `NotFoundError` for an unknown index set. */
  set(caller: Caller, request: FieldMappingRequest): Promise<FieldMappings>;
  remove(caller: Caller, request: FieldMappingRemoval): Promise<FieldMappingRemovals>;
  /** All fields of an index set, sorted by name. */
  list(indexSetId: string): IndexSetFieldType[];
  page(indexSetId: string, query: IndexSetFieldTypeQuery): IndexSetFieldTypePage;
}

export interface FieldMappingDeps {
  readonly store: IndexSetStore;
  readonly directory: IndexSetDirectory;
  readonly fields: (indexSetIds: readonly string[]) => readonly CataloguedField[];
  readonly cycle: (caller: Caller, indexSetId: string) => Promise<string>;
  readonly audit: AuditLog;
}

/** In one index set. Every message is looked at with these. */
const MAX_MAPPINGS = 1000;
/** Stored in columns of their own. */
const OWN_COLUMNS: ReadonlySet<string> = new Set(['level', 'full_message']);
/** Of what messages have had so far. */
const SEEN_TYPES = { string: 'string', number: 'double', boolean: 'boolean' } as const;

export function createFieldMappings(deps: FieldMappingDeps): FieldMappingAdministration {
  const reads = createFieldTypeReads(deps);
  return { ...reads, ...createFieldTypeChanges(deps, reads.list) };
}

function createFieldTypeReads({
  directory,
  fields,
}: FieldMappingDeps): Pick<FieldMappingAdministration, 'list' | 'page'> {
  function list(indexSetId: string): IndexSetFieldType[] {
    const { fieldTypes } = directory.get(indexSetId);
    const seen = new Map(fields([indexSetId]).map(({ name, types }) => [name, types]));
    const names = new Set([...seen.keys(), ...Object.keys(fieldTypes)]);
    return [...names].sort().map((name) => {
      const [type = 'string'] = seen.get(name)?.toReversed() ?? [];
      const chosen = Object.hasOwn(fieldTypes, name) ? fieldTypes[name] : undefined;
      return {
        field_name: name,
        type: chosen ?? SEEN_TYPES[type],
        origin: chosen === undefined ? 'INDEX' : 'OVERRIDDEN_INDEX',
        is_reserved: isOwnField(name),
      };
    });
  }

  return {
    list,
    page(indexSetId, query) {
      const { elements, numbers } = pageOf(
        list(indexSetId),
        query,
        { field_name: (each) => each.field_name },
        {
          type: (each) => each.type,
          origin: (each) => each.origin,
          is_reserved: (each) => String(each.is_reserved),
        },
      );
      const { query: text, sort, order } = query;
      const { total } = numbers;
      return { query: text, sort, order, total, pagination: numbers, elements: [...elements] };
    },
  };
}

function createFieldTypeChanges(
  deps: FieldMappingDeps,
  list: FieldMappingAdministration['list'],
): Pick<FieldMappingAdministration, 'set' | 'remove'> {
  const { store, directory, audit } = deps;

  /** Everything is checked before anything is changed. */
  function requireChangeable(caller: Caller, ids: readonly string[], permission: string): StoredIndexSet[] {
    return [...new Set(ids)].map((id) => {
      if (!caller.principal.can(permission, id)) {
        const needs = `${permission}:${id}`;
        throw new ForbiddenError(`Not allowed: ${needs}`, { needs });
      }
      const indexSet = directory.get(id);
      if (!isReserved(id)) return indexSet;
      throw new InvalidError(
        `The types of fields in the index set "${indexSet.title}" cannot be changed: only the program writes to it.`,
      );
    });
  }

  async function change(
    caller: Caller,
    indexSet: StoredIndexSet,
    rotate: boolean,
    changed: (types: FieldTypes) => FieldTypes,
  ): Promise<void> {
    let before = indexSet.fieldTypes;
    const after = await store.indexSets.changeFieldTypes(indexSet.id, (types) => {
      before = types;
      return changed(types);
    });
    await directory.refresh();
    await recordAction(audit, caller, 'index_set.field_types', { objectId: indexSet.id, before, after });
    if (rotate && indexSet.writable) await deps.cycle(caller, indexSet.id);
  }

  return {
    async set(caller, { index_sets, field, type, rotate }) {
      const wanted = requireType(type);
      requireField(field);
      const indexSets = requireChangeable(caller, index_sets, 'typemappings:create');
      for (const indexSet of indexSets) withType(indexSet, indexSet.fieldTypes, field, wanted);
      for (const indexSet of indexSets) {
        await change(caller, indexSet, rotate, (types) => withType(indexSet, types, field, wanted));
      }
      const found = indexSets.map(({ id }) => [id, list(id).find((each) => each.field_name === field)]);
      return Object.fromEntries(found);
    },
    async remove(caller, { index_sets, fields, rotate }) {
      const indexSets = requireChangeable(caller, index_sets, 'typemappings:delete');
      const removals: FieldMappingRemovals = {};
      for (const indexSet of indexSets) {
        const removed = fields.filter((name) => Object.hasOwn(indexSet.fieldTypes, name));
        if (removed.length > 0) {
          await change(caller, indexSet, rotate, (types) =>
            Object.fromEntries(Object.entries(types).filter(([name]) => !removed.includes(name))),
          );
        }
        removals[indexSet.id] = {
          successfully_performed: fields.length,
          failures: [],
          errors: [],
          succeeded: list(indexSet.id).filter(({ field_name }) => fields.includes(field_name)),
        };
      }
      return removals;
    },
  };
}

function withType({ title }: StoredIndexSet, types: FieldTypes, field: string, type: FieldMappingType) {
  const changed = { ...types, [field]: type };
  if (Object.keys(changed).length <= MAX_MAPPINGS) return changed;
  throw new InvalidError(
    `The index set "${title}" has ${MAX_MAPPINGS} fields of chosen types already; remove some first.`,
  );
}

function requireType(type: string): FieldMappingType {
  const known = Object.keys(FIELD_MAPPING_TYPES);
  if (known.includes(type)) return type as FieldMappingType;
  throw new InvalidError(
    `type: a field cannot be made ${JSON.stringify(type)}; choose ${known.join(', ')}.`,
    {
      path: 'type',
    },
  );
}

function requireField(field: string): void {
  if (isFieldName(field) && !isOwnField(field)) return;
  const reason = isOwnField(field) ? 'is a field of the program itself' : 'is not a name of a field';
  throw new InvalidError(`field: ${JSON.stringify(field)} ${reason}, so it cannot be given a type.`, {
    path: 'field',
  });
}

function isOwnField(name: string): boolean {
  return isProtectedFieldName(name) || OWN_COLUMNS.has(name);
}
