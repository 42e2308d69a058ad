import type { Migration } from '../migrate.ts';

export const streams: Migration = {
  version: 6,
  name: 'streams',
  async up(db, types) {
    await db.schema
      .createTable('streams')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('title', types.text, (column) => column.notNull())
      .addColumn('description', types.text, (column) => column.notNull())
      .addColumn('creator', types.text, (column) => column.notNull())
      .addColumn('matching_type', types.text, (column) => column.notNull())
      .addColumn('remove_matches', types.boolean, (column) => column.notNull())
      .addColumn('index_set_id', types.text, (column) => column.notNull())
      .addColumn('state', types.text, (column) => column.notNull())
      .addColumn('state_reason', types.text)
      .addColumn('content_pack', types.text)
      .addColumn('created_at', types.time, (column) => column.notNull())
      .execute();
    await db.schema.createIndex('streams_index_set').on('streams').column('index_set_id').execute();

    await db.schema
      .createTable('stream_rules')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('stream_id', types.text, (column) =>
        column.notNull().references('streams.id').onDelete('cascade'),
      )
      .addColumn('position', types.integer, (column) => column.notNull())
      .addColumn('type', types.integer, (column) => column.notNull())
      .addColumn('field', types.text, (column) => column.notNull())
      .addColumn('value', types.text, (column) => column.notNull())
      .addColumn('inverted', types.boolean, (column) => column.notNull())
      .addColumn('description', types.text, (column) => column.notNull())
      .addColumn('content_pack', types.text)
      .execute();
    await db.schema.createIndex('stream_rules_stream').on('stream_rules').column('stream_id').execute();
  },
};
