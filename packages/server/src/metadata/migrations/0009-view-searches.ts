import type { Migration } from '../migrate.ts';

export const viewSearches: Migration = {
  version: 9,
  name: 'searches of views',
  async up(db, types) {
    await db.schema
      .createTable('view_searches')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('owner', types.text, (column) => column.notNull())
      .addColumn('user_id', types.text, (column) => column.references('users.id').onDelete('cascade'))
      .addColumn('content', types.json, (column) => column.notNull())
      .addColumn('stored_at', types.time, (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('view_searches_owner')
      .on('view_searches')
      .columns(['owner', 'stored_at'])
      .execute();
    await db.schema.createIndex('view_searches_user').on('view_searches').column('user_id').execute();
  },
};
