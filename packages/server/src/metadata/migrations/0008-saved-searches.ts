import type { Migration } from '../migrate.ts';

export const savedSearches: Migration = {
  version: 8,
  name: 'saved searches',
  async up(db, types) {
    await db.schema
      .createTable('saved_searches')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('title', types.text, (column) => column.notNull().unique())
      .addColumn('description', types.text)
      .addColumn('creator', types.text, (column) => column.notNull())
      .addColumn('content', types.json, (column) => column.notNull())
      .addColumn('created_at', types.time, (column) => column.notNull())
      .addColumn('updated_at', types.time, (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('search_history')
      .addColumn('owner', types.text, (column) => column.notNull())
      .addColumn('user_id', types.text, (column) => column.references('users.id').onDelete('cascade'))
      .addColumn('query_key', types.text, (column) => column.notNull())
      .addColumn('query', types.text, (column) => column.notNull())
      .addColumn('used_at', types.time, (column) => column.notNull())
      .addColumn('uses', types.integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('search_history_pkey', ['owner', 'query_key'])
      .execute();
    await db.schema.createIndex('search_history_user').on('search_history').column('user_id').execute();
  },
};
