import type { Migration } from '../migrate.ts';

export const lookup: Migration = {
  version: 16,
  name: 'grok patterns and lookup tables',
  async up(db, types) {
    await db.schema
      .createTable('grok_patterns')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('name', types.text, (column) => column.notNull().unique())
      .addColumn('pattern', types.text, (column) => column.notNull())
      .addColumn('content_pack', types.text)
      .addColumn('created_at', types.time, (column) => column.notNull())
      .addColumn('updated_at', types.time, (column) => column.notNull())
      .execute();

    for (const table of ['lookup_caches', 'lookup_adapters'] as const) {
      await db.schema
        .createTable(table)
        .addColumn('id', types.text, (column) => column.primaryKey())
        .addColumn('name', types.text, (column) => column.notNull().unique())
        .addColumn('title', types.text, (column) => column.notNull())
        .addColumn('description', types.text, (column) => column.notNull())
        .addColumn('type', types.text, (column) => column.notNull())
        .addColumn('configuration', types.json, (column) => column.notNull())
        .addColumn('created_at', types.time, (column) => column.notNull())
        .addColumn('updated_at', types.time, (column) => column.notNull())
        .execute();
    }

    await db.schema
      .createTable('lookup_tables')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('name', types.text, (column) => column.notNull().unique())
      .addColumn('title', types.text, (column) => column.notNull())
      .addColumn('description', types.text, (column) => column.notNull())
      .addColumn('cache_id', types.text, (column) => column.notNull().references('lookup_caches.id'))
      .addColumn('adapter_id', types.text, (column) => column.notNull().references('lookup_adapters.id'))
      .addColumn('default_single', types.json, (column) => column.notNull())
      .addColumn('default_multi', types.json, (column) => column.notNull())
      .addColumn('created_at', types.time, (column) => column.notNull())
      .addColumn('updated_at', types.time, (column) => column.notNull())
      .execute();
    await db.schema.createIndex('lookup_tables_cache').on('lookup_tables').column('cache_id').execute();
    await db.schema.createIndex('lookup_tables_adapter').on('lookup_tables').column('adapter_id').execute();
  },
};
