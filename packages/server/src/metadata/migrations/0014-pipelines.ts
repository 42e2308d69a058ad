import type { Migration } from '../migrate.ts';

export const pipelines: Migration = {
  version: 14,
  name: 'pipelines',
  async up(db, types) {
    await db.schema
      .createTable('pipeline_rules')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('title', types.text, (column) => column.notNull().unique())
      .addColumn('description', types.text, (column) => column.notNull())
      .addColumn('source', types.text, (column) => column.notNull())
      .addColumn('disabled_reason', types.text)
      .addColumn('created_at', types.time, (column) => column.notNull())
      .addColumn('updated_at', types.time, (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('pipelines')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('title', types.text, (column) => column.notNull().unique())
      .addColumn('description', types.text, (column) => column.notNull())
      .addColumn('source', types.text, (column) => column.notNull())
      .addColumn('created_at', types.time, (column) => column.notNull())
      .addColumn('updated_at', types.time, (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('pipeline_connections')
      .addColumn('stream_id', types.text, (column) =>
        column.notNull().references('streams.id').onDelete('cascade'),
      )
      .addColumn('pipeline_id', types.text, (column) =>
        column.notNull().references('pipelines.id').onDelete('cascade'),
      )
      .addPrimaryKeyConstraint('pipeline_connections_pkey', ['stream_id', 'pipeline_id'])
      .execute();
    await db.schema
      .createIndex('pipeline_connections_pipeline')
      .on('pipeline_connections')
      .column('pipeline_id')
      .execute();
  },
};
