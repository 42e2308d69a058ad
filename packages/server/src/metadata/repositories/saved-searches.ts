import type { Kysely, Selectable } from 'kysely';
import { type Clock, newEntityId } from '#core/index.ts';
import { readJson, writeJson } from '../columns.ts';
import type { Database } from '../tables/index.ts';
import type { SavedSearchesTable } from '../tables/saved-searches.ts';

/** The properties of a saved search that users define and can change. */
export interface SavedSearchProperties {
  /** Unique. */
  readonly title: string;
  readonly description: string | null;
  /** The search itself, in the shape of the API. */
  readonly content: Readonly<Record<string, unknown>>;
}

export interface NewSavedSearch extends SavedSearchProperties {
  /** The name of the user who saved it. */
  readonly creator: string;
}

export interface SavedSearchRecord extends NewSavedSearch {
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface SavedSearchesRepository {
  /** Rejects with `ConflictError` if the title is taken. */
  insert(search: NewSavedSearch): Promise<SavedSearchRecord>;
  /** Replaces all properties. Undefined if the id is unknown. Rejects as `insert` does. */
  update(id: string, properties: SavedSearchProperties): Promise<SavedSearchRecord | undefined>;
  /** False if the id is unknown. */
  remove(id: string): Promise<boolean>;
  find(id: string): Promise<SavedSearchRecord | undefined>;
  /** Sorted by title. */
  list(): Promise<readonly SavedSearchRecord[]>;
}

export function createSavedSearchesRepository(db: Kysely<Database>, clock: Clock): SavedSearchesRepository {
  return {
    async insert(search) {
      const now = clock.now();
      const row = {
        id: newEntityId(now),
        ...propertyColumns(search),
        creator: search.creator,
        created_at: now,
        updated_at: now,
      };
      await db.insertInto('saved_searches').values(row).execute();
      return fromRow(row);
    },

    async update(id, properties) {
      const row = await db
        .updateTable('saved_searches')
        .set({ ...propertyColumns(properties), updated_at: clock.now() })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      return row && fromRow(row);
    },

    async remove(id) {
      const result = await db.deleteFrom('saved_searches').where('id', '=', id).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },

    async find(id) {
      const row = await db.selectFrom('saved_searches').selectAll().where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },

    async list() {
      const rows = await db.selectFrom('saved_searches').selectAll().orderBy('title').execute();
      return rows.map(fromRow);
    },
  };
}

function propertyColumns(properties: SavedSearchProperties) {
  return {
    title: properties.title,
    description: properties.description,
    content: writeJson(properties.content),
  };
}

function fromRow(row: Selectable<SavedSearchesTable>): SavedSearchRecord {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    creator: row.creator,
    content: readJson(row.content),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
