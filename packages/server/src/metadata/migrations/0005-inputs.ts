import type { Migration } from '../migrate.ts';

export const inputs: Migration = {
  version: 5,
  name: 'inputs',
  async up(db, types) {
    await db.schema
      .createTable('inputs')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('title', types.text, (column) => column.notNull())
      .addColumn('type', types.text, (column) => column.notNull())
      .addColumn('global', types.boolean, (column) => column.notNull())
      .addColumn('node_id', types.text)
      .addColumn('configuration', types.json, (column) => column.notNull())
      .addColumn('desired_state', types.text, (column) => column.notNull())
      .addColumn('creator', types.text, (column) => column.notNull())
      .addColumn('content_pack', types.text)
      .addColumn('created_at', types.time, (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('input_static_fields')
      .addColumn('input_id', types.text, (column) =>
        column.notNull().references('inputs.id').onDelete('cascade'),
      )
      .addColumn('name', types.text, (column) => column.notNull())
      .addColumn('value', types.text, (column) => column.notNull())
      .addPrimaryKeyConstraint('input_static_fields_pkey', ['input_id', 'name'])
      .execute();
  },
};
