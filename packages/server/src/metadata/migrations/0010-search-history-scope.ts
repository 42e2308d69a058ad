import type { Migration } from '../migrate.ts';

export const searchHistoryScope: Migration = {
  version: 10,
  name: 'time range and streams of used queries',
  async up(db, types) {
    await db.schema.alterTable('search_history').addColumn('scope', types.json).execute();
  },
};
