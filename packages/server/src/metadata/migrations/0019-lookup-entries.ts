import type { Migration } from '../migrate.ts';

/** Values that rules put into lookup tables. */
export const lookupEntries: Migration = {
  version: 19,
  name: 'lookup-entries',
  async up(db, types) {
    await db.schema
      .createTable('lookup_entries')
      .addColumn('adapter_id', types.text, (column) =>
        column.notNull().references('lookup_adapters.id').onDelete('cascade'),
      )
      .addColumn('key', types.text, (column) => column.notNull())
      .addColumn('value', types.json, (column) => column.notNull())
      .addColumn('revision', types.integer, (column) => column.notNull())
      .addColumn('expires_at', types.time)
      .addPrimaryKeyConstraint('lookup_entries_pkey', ['adapter_id', 'key'])
      .execute();
    await db.schema.createIndex('lookup_entries_expires').on('lookup_entries').column('expires_at').execute();
  },
};
