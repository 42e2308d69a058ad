/**
 * Which fields the messages of an index set have, and of which types. Workers report fields they have not seen before;
 * each is stored once and kept in memory, so lookups are cheap.
 */
import { errorMessage } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { type FieldType, MAX_KNOWN_FIELDS, type SeenField } from './field-types.ts';

export interface CataloguedField {
  readonly name: string;
  /** Ascending; several if messages differ in the type of the field. */
  readonly types: readonly FieldType[];
}

export interface FieldStore {
  add(fields: readonly { indexSetId: string; name: string; type: string }[]): Promise<void>;
  list(): Promise<readonly { indexSetId: string; name: string; type: string }[]>;
}

export interface FieldCatalogue {
  /** Reads the fields that other nodes have stored. */
  refresh(): Promise<void>;
  /** Call it with what workers report. Never rejects: what cannot be stored now is stored with the next report. */
  report(fields: readonly SeenField[]): Promise<void>;
  /** Of the given index sets, or of all; sorted by name. */
  list(indexSetIds?: readonly string[]): readonly CataloguedField[];
  forget(indexSetId: string): void;
}

export function createFieldCatalogue(deps: {
  readonly store: FieldStore;
  readonly logger: Logger;
}): FieldCatalogue {
  const known = new Map<string, Map<string, Set<FieldType>>>();
  let unsaved: SeenField[] = [];

  /** False if it was known, or if there is no room for more. */
  function remember({ indexSetId, name, type }: SeenField): boolean {
    let names = known.get(indexSetId);
    if (names === undefined) {
      names = new Map();
      known.set(indexSetId, names);
    }
    const types = names.get(name);
    if (types !== undefined) return !types.has(type) && types.add(type).size > 0;
    if (names.size >= MAX_KNOWN_FIELDS) return false;
    names.set(name, new Set([type]));
    return true;
  }

  return {
    async refresh() {
      for (const field of await deps.store.list()) remember({ ...field, type: fieldTypeOf(field.type) });
    },
    async report(fields) {
      unsaved.push(...fields.filter(remember));
      if (unsaved.length === 0) return;
      const saving = unsaved;
      unsaved = [];
      try {
        await deps.store.add(saving);
      } catch (error) {
        unsaved = [...saving, ...unsaved];
        deps.logger.warn({ reason: errorMessage(error) }, 'new field names could not be stored yet');
      }
    },
    list(indexSetIds) {
      const merged = new Map<string, Set<FieldType>>();
      for (const [id, names] of known) {
        if (indexSetIds !== undefined && !indexSetIds.includes(id)) continue;
        for (const [name, types] of names) {
          merged.set(name, new Set([...(merged.get(name) ?? []), ...types]));
        }
      }
      return [...merged]
        .map(([name, types]) => ({ name, types: [...types].sort() }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    forget: (indexSetId) => void known.delete(indexSetId),
  };
}

function fieldTypeOf(text: string): FieldType {
  return text === 'number' || text === 'boolean' ? text : 'string';
}
