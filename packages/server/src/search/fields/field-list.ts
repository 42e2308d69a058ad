/** The known fields and their types, as far as the caller may see them. */
import type { FieldNames, FieldTypeList } from '@millrace/contract';
import { ForbiddenError, type Principal } from '#core/index.ts';
import { type FieldType, fieldColumn, OWN_FIELD_NAMES } from '#storage/index.ts';

/**
 * Fields are known by index set and by stream. Who may read all streams sees the fields of the index sets, others those
 * that messages of their streams have, and everybody the built-in fields.
 */
export interface FieldList {
  names(principal: Principal, limit: number): Promise<FieldNames>;
  /** Of these streams, or of all readable ones. Rejects with `ForbiddenError` for a stream the caller may not read. */
  types(principal: Principal, streams?: readonly string[]): Promise<FieldTypeList>;
}

export interface FieldListDeps {
  readonly storage: {
    fields(
      indexSetIds?: readonly string[],
      streamIds?: readonly string[],
    ): readonly { readonly name: string; readonly types: readonly FieldType[] }[];
    searchTargets(): readonly {
      readonly indexSetId: string;
      readonly prefix: string;
      readonly indices: readonly number[];
    }[];
  };
  readonly streams: () => Promise<readonly { readonly id: string; readonly indexSetId: string }[]>;
}

type ValueType = FieldType | 'date';

/** `_id` is the API's name for the message id, not a field. */
const OWN_FIELDS = OWN_FIELD_NAMES.filter((name) => name !== '_id');

export function createFieldList(deps: FieldListDeps): FieldList {
  return {
    async names(principal, limit) {
      const found = collect(deps, await visibleScope(deps, principal));
      const names = [...found.keys()].slice(0, limit === 0 ? undefined : limit);
      return {
        fields: names,
        types: Object.fromEntries(names.map((name) => [name, [...(found.get(name)?.types ?? [])]])),
      };
    },

    async types(principal, streams) {
      const found = collect(deps, await visibleScope(deps, principal, streams));
      const indexNames = indexNamesOf(deps);
      return [...found].map(([name, { types, indexSetIds }]) => ({
        name,
        type: {
          ...graylogType(name, types),
          index_names: indexSetIds.flatMap((id) => indexNames.get(id) ?? []).sort(),
        },
      }));
    },
  };
}

interface FieldScope {
  readonly indexSetIds: readonly string[];
  /** Only fields of messages of these streams; undefined for all messages of the index sets. */
  readonly streamIds: readonly string[] | undefined;
}

async function visibleScope(
  deps: FieldListDeps,
  principal: Principal,
  wanted: readonly string[] = [],
): Promise<FieldScope> {
  const forbidden = wanted.filter((id) => !principal.can('streams:read', id));
  if (forbidden.length > 0)
    throw new ForbiddenError(`Not authorized to access stream ${forbidden.join(', ')}`, {
      needs: `streams:read:${forbidden.join(',')}`,
    });
  const all = deps.storage.searchTargets().map(({ indexSetId }) => indexSetId);
  const mayReadAll = principal.can('streams:read');
  if (wanted.length === 0 && mayReadAll) return { indexSetIds: all, streamIds: undefined };
  const streams = (await deps.streams()).filter(({ id }) =>
    wanted.length === 0 ? principal.can('streams:read', id) : wanted.includes(id),
  );
  const used = new Set(streams.map(({ indexSetId }) => indexSetId));
  return {
    indexSetIds: all.filter((id) => used.has(id)),
    streamIds: mayReadAll ? undefined : streams.map(({ id }) => id),
  };
}

interface KnownField {
  readonly types: readonly ValueType[];
  readonly indexSetIds: readonly string[];
}

/** By name. */
function collect(
  { storage }: FieldListDeps,
  { indexSetIds, streamIds }: FieldScope,
): Map<string, KnownField> {
  const found = new Map<string, { types: Set<ValueType>; indexSetIds: string[] }>();
  for (const name of OWN_FIELDS) {
    found.set(name, { types: new Set([ownType(name)]), indexSetIds: [...indexSetIds] });
  }
  for (const id of indexSetIds) {
    for (const { name, types } of storage.fields([id], streamIds)) {
      const known = found.get(name);
      if (known === undefined) found.set(name, { types: new Set(types), indexSetIds: [id] });
      else if (!OWN_FIELDS.includes(name)) {
        for (const type of types) known.types.add(type);
        known.indexSetIds.push(id);
      }
    }
  }
  return new Map(
    [...found]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, known]) => [name, { ...known, types: [...known.types].sort() }]),
  );
}

function ownType(name: string): ValueType {
  const { kind } = fieldColumn(name);
  if (kind === 'time') return 'date';
  return kind === 'number' ? 'number' : 'string';
}

const GRAYLOG_TYPES: Readonly<
  Record<ValueType, { readonly type: string; readonly properties: readonly string[] }>
> = {
  string: { type: 'string', properties: ['enumerable'] },
  number: { type: 'double', properties: ['numeric', 'enumerable'] },
  boolean: { type: 'boolean', properties: ['enumerable'] },
  date: { type: 'date', properties: ['enumerable'] },
};

function graylogType(name: string, types: readonly ValueType[]): { type: string; properties: string[] } {
  const { kind } = fieldColumn(name);
  if (kind === 'text') return { type: 'string', properties: ['full-text-search'] };
  if (kind === 'number') return { type: 'long', properties: ['numeric', 'enumerable'] };
  const [first = 'string'] = types;
  if (types.length < 2)
    return { type: GRAYLOG_TYPES[first].type, properties: [...GRAYLOG_TYPES[first].properties] };
  const names = types.map((type) => GRAYLOG_TYPES[type].type);
  return { type: `compound(${names.join(',')})`, properties: ['compound', 'enumerable'] };
}

function indexNamesOf({ storage }: FieldListDeps): Map<string, string[]> {
  return new Map(
    storage
      .searchTargets()
      .map(({ indexSetId, prefix, indices }) => [indexSetId, indices.map((number) => `${prefix}_${number}`)]),
  );
}
