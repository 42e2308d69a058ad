/**
 * Which fields the messages of an index set have, of which types, and in which of its streams. Workers report what they
 * have not seen before; each is stored once and kept in memory, so lookups are cheap.
 */
import { BoundedMap, errorMessage } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { type FieldType, KnownFields, type NewField, TYPE_BITS, typesOf } from './known-fields.ts';
import type { SeenField } from './seen-fields.ts';

export interface CataloguedField {
  readonly name: string;
  /** Ascending; several if messages differ in the type of the field. */
  readonly types: readonly FieldType[];
}

interface IndexSetField {
  readonly indexSetId: string;
  readonly name: string;
  readonly type: string;
}

interface StreamField extends IndexSetField {
  readonly streamId: string;
}

interface RowStore<Row> {
  /** Ignores rows that are stored already, and those of deleted index sets and streams. */
  add(rows: readonly Row[]): Promise<void>;
  list(): Promise<readonly Row[]>;
  count(): Promise<number>;
}

export interface FieldStore {
  readonly indexSetFields: RowStore<IndexSetField>;
  readonly streamFields: RowStore<StreamField> & {
    /** Which of these streams exist. */
    existingStreams(ids: readonly string[]): Promise<readonly string[]>;
  };
}

export interface FieldCatalogue {
  /** Reads what other nodes have stored, forgets deleted index sets and streams, and stores what could not be stored. */
  refresh(): Promise<void>;
  /** Call it with what workers report. Never rejects: what cannot be stored now is stored later. */
  report(fields: readonly SeenField[]): Promise<void>;
  /** The same, but rejects if they could not be stored. */
  save(fields: readonly SeenField[]): Promise<void>;
  /**
   * Of the given index sets, or of all; sorted by name.
   *
   * @param streamIds only what messages of these streams have. What nobody has seen there is left out, even if a message
   *   has it: for callers who may not read everything, unknown means not told.
   */
  list(indexSetIds?: readonly string[], streamIds?: readonly string[]): readonly CataloguedField[];
}

/** Searches ask for the same lists again and again, of each index set by itself, and users see different streams. */
const REMEMBERED_LISTS = 512;
/** In all remembered lists together. */
const REMEMBERED_NAMES = 100_000;

export function createFieldCatalogue(deps: {
  readonly store: FieldStore;
  readonly directory: { find(id: string): unknown };
  readonly logger: Logger;
}): FieldCatalogue {
  const { indexSetFields, streamFields } = deps.store;
  const known = new Map<string, KnownFields>();
  const lists = createRememberedLists();
  const unsaved = createUnsavedFields(deps.store);
  /**
   * How many fields were stored when they were last read. They become fewer only with an index set or stream, and as many
   * others may have come: so it is empty, and they are read again, when one of these is forgotten.
   */
  let readCounts = '';

  function remember({ indexSetId, name, type }: IndexSetField, streamIds: readonly string[]) {
    let fields = known.get(indexSetId);
    if (fields === undefined) {
      fields = new KnownFields();
      known.set(indexSetId, fields);
    }
    const found = fields.add(name, TYPE_BITS[fieldTypeOf(type)], streamIds);
    if (found !== undefined) lists.clear();
    return found;
  }

  async function save(seen: readonly SeenField[]): Promise<void> {
    for (const { streamIds, ...field } of seen) {
      const found = remember(field, streamIds);
      if (found !== undefined) unsaved.add(field, found);
    }
    await unsaved.save();
  }

  async function readNew(): Promise<void> {
    const counts = `${await indexSetFields.count()} ${await streamFields.count()}`;
    if (counts === readCounts) return;
    for (const field of await indexSetFields.list()) remember(field, []);
    for (const field of await streamFields.list()) remember(field, [field.streamId]);
    readCounts = counts;
  }

  async function forgetDeleted(): Promise<void> {
    for (const id of known.keys()) {
      if (deps.directory.find(id) !== undefined) continue;
      known.delete(id);
      readCounts = '';
    }
    const ids = [...new Set([...known.values()].flatMap(({ streamIds }) => streamIds))];
    const existing = new Set(await streamFields.existingStreams(ids));
    for (const id of ids) {
      if (existing.has(id)) continue;
      for (const fields of known.values()) fields.forgetStream(id);
      readCounts = '';
    }
    lists.clear();
  }

  return {
    async refresh() {
      // In this order: an index set whose fields have just been read may be unknown here for a moment.
      await forgetDeleted();
      await readNew();
      await unsaved.save();
    },
    save,
    async report(fields) {
      try {
        await save(fields);
      } catch (error) {
        deps.logger.warn({ reason: errorMessage(error) }, 'new field names could not be stored yet');
      }
    },
    list(indexSetIds, streamIds) {
      const key = `${indexSetIds?.join() ?? 'all'} ${streamIds?.join() ?? 'all'}`;
      return lists.of(key, () => mergedFields(fieldsOf(known, indexSetIds), streamIds));
    },
  };
}

function createRememberedLists() {
  const lists = new BoundedMap<string, readonly CataloguedField[]>({ maxEntries: REMEMBERED_LISTS });
  let names = 0;

  function clear(): void {
    lists.clear();
    names = 0;
  }

  return {
    clear,
    of(key: string, make: () => readonly CataloguedField[]): readonly CataloguedField[] {
      const remembered = lists.get(key);
      if (remembered !== undefined) return remembered;
      const list = make();
      if (names + list.length > REMEMBERED_NAMES) clear();
      lists.set(key, list);
      names += list.length;
      return list;
    },
  };
}

/** What is known but could not be stored yet. */
function createUnsavedFields({ indexSetFields, streamFields }: FieldStore) {
  let ofIndexSets: IndexSetField[] = [];
  let ofStreams: StreamField[] = [];
  return {
    add(field: IndexSetField, { isNewInIndexSet, streamIds }: NewField): void {
      if (isNewInIndexSet) ofIndexSets.push(field);
      for (const streamId of streamIds) ofStreams.push({ ...field, streamId });
    },
    async save(): Promise<void> {
      const saving = { ofIndexSets, ofStreams };
      ofIndexSets = [];
      ofStreams = [];
      try {
        if (saving.ofIndexSets.length > 0) await indexSetFields.add(saving.ofIndexSets);
        if (saving.ofStreams.length > 0) await streamFields.add(saving.ofStreams);
      } catch (error) {
        ofIndexSets = [...saving.ofIndexSets, ...ofIndexSets];
        ofStreams = [...saving.ofStreams, ...ofStreams];
        throw error;
      }
    },
  };
}

function fieldsOf(
  known: ReadonlyMap<string, KnownFields>,
  indexSetIds: readonly string[] | undefined,
): KnownFields[] {
  return [...known].filter(([id]) => indexSetIds?.includes(id) ?? true).map(([, fields]) => fields);
}

function mergedFields(
  indexSets: readonly KnownFields[],
  streamIds: readonly string[] | undefined,
): CataloguedField[] {
  const merged = new Map<string, number>();
  for (const fields of indexSets) {
    fields.forEach((name, bits) => void merged.set(name, (merged.get(name) ?? 0) | bits), streamIds);
  }
  return [...merged]
    .map(([name, bits]) => ({ name, types: typesOf(bits) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function fieldTypeOf(text: string): FieldType {
  return text === 'number' || text === 'boolean' ? text : 'string';
}
