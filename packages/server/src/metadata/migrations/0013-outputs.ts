import type { Migration } from '../migrate.ts';

export const outputs: Migration = {
  version: 13,
  name: 'outputs',
  async up(db, types) {
    await db.schema
      .createTable('outputs')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('title', types.text, (column) => column.notNull())
      .addColumn('type', types.text, (column) => column.notNull())
      .addColumn('configuration', types.json, (column) => column.notNull())
      .addColumn('desired_state', types.text, (column) => column.notNull())
      .addColumn('creator', types.text, (column) => column.notNull())
      .addColumn('content_pack', types.text)
      .addColumn('created_at', types.time, (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('stream_outputs')
      .addColumn('stream_id', types.text, (column) =>
        column.notNull().references('streams.id').onDelete('cascade'),
      )
      .addColumn('output_id', types.text, (column) =>
        column.notNull().references('outputs.id').onDelete('cascade'),
      )
      .addColumn('created_at', types.time, (column) => column.notNull())
      .addPrimaryKeyConstraint('stream_outputs_pkey', ['stream_id', 'output_id'])
      .execute();
    await db.schema.createIndex('stream_outputs_output').on('stream_outputs').column('output_id').execute();
  },
};
