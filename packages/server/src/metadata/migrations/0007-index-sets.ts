import type { Migration } from '../migrate.ts';

export const indexSets: Migration = {
  version: 7,
  name: 'index sets',
  async up(db, types) {
    await db.schema
      .createTable('index_sets')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('title', types.text, (column) => column.notNull())
      .addColumn('description', types.text)
      .addColumn('prefix', types.text, (column) => column.notNull().unique())
      .addColumn('shards', types.integer, (column) => column.notNull())
      .addColumn('replicas', types.integer, (column) => column.notNull())
      .addColumn('rotation', types.json, (column) => column.notNull())
      .addColumn('retention', types.json, (column) => column.notNull())
      .addColumn('writable', types.boolean, (column) => column.notNull())
      .addColumn('is_default', types.boolean, (column) => column.notNull())
      .addColumn('analyzer', types.text, (column) => column.notNull())
      .addColumn('max_segments', types.integer, (column) => column.notNull())
      .addColumn('optimization_disabled', types.boolean, (column) => column.notNull())
      .addColumn('field_type_refresh_ms', types.integer, (column) => column.notNull())
      .addColumn('deleting', types.boolean, (column) => column.notNull())
      .addColumn('created_at', types.time, (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('indices')
      .addColumn('index_set_id', types.text, (column) =>
        column.notNull().references('index_sets.id').onDelete('cascade'),
      )
      .addColumn('number', types.integer, (column) => column.notNull())
      .addColumn('version', types.integer, (column) => column.notNull())
      .addColumn('state', types.text, (column) => column.notNull())
      .addColumn('created_at', types.time, (column) => column.notNull())
      .addPrimaryKeyConstraint('indices_pkey', ['index_set_id', 'number'])
      .execute();

    await db.schema
      .createTable('index_set_fields')
      .addColumn('index_set_id', types.text, (column) =>
        column.notNull().references('index_sets.id').onDelete('cascade'),
      )
      .addColumn('name', types.text, (column) => column.notNull())
      .addColumn('type', types.text, (column) => column.notNull())
      .addPrimaryKeyConstraint('index_set_fields_pkey', ['index_set_id', 'name', 'type'])
      .execute();

    // One row, incremented with every new index: locking it orders those transactions.
    await db.schema
      .createTable('index_version')
      .addColumn('name', types.text, (column) => column.primaryKey())
      .addColumn('value', types.integer, (column) => column.notNull())
      .execute();
  },
};
