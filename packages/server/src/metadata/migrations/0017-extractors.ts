import type { Migration } from '../migrate.ts';

export const extractors: Migration = {
  version: 17,
  name: 'extractors',
  async up(db, types) {
    await db.schema
      .createTable('extractors')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('input_id', types.text, (column) =>
        column.notNull().references('inputs.id').onDelete('cascade'),
      )
      .addColumn('title', types.text, (column) => column.notNull())
      .addColumn('type', types.text, (column) => column.notNull())
      .addColumn('cursor_strategy', types.text, (column) => column.notNull())
      .addColumn('source_field', types.text, (column) => column.notNull())
      .addColumn('target_field', types.text, (column) => column.notNull())
      .addColumn('configuration', types.json, (column) => column.notNull())
      .addColumn('converters', types.json, (column) => column.notNull())
      .addColumn('condition_type', types.text, (column) => column.notNull())
      .addColumn('condition_value', types.text, (column) => column.notNull())
      .addColumn('position', types.integer, (column) => column.notNull())
      .addColumn('creator', types.text, (column) => column.notNull())
      .addColumn('disabled_reason', types.text)
      .addColumn('created_at', types.time, (column) => column.notNull())
      .execute();
    await db.schema.createIndex('extractors_input').on('extractors').column('input_id').execute();
  },
};
