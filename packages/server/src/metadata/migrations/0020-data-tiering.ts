import type { Migration } from '../migrate.ts';

/** Lifetimes that apply to an index set instead of its strategies. */
export const dataTiering: Migration = {
  version: 20,
  name: 'data-tiering',
  async up(db, types) {
    await db.schema.alterTable('index_sets').addColumn('data_tiering', types.json).execute();
  },
};
