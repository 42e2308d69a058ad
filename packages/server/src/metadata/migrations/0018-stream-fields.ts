import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** Which fields the messages of each stream have. Existing indices are read for them after the start. */
export const streamFields: Migration = {
  version: 18,
  name: 'stream-fields',
  async up(db, types) {
    await db.schema
      .createTable('stream_fields')
      .addColumn('index_set_id', types.text, (column) =>
        column.notNull().references('index_sets.id').onDelete('cascade'),
      )
      .addColumn('stream_id', types.text, (column) =>
        column.notNull().references('streams.id').onDelete('cascade'),
      )
      .addColumn('name', types.text, (column) => column.notNull())
      .addColumn('type', types.text, (column) => column.notNull())
      .addPrimaryKeyConstraint('stream_fields_pkey', ['index_set_id', 'stream_id', 'name', 'type'])
      .execute();
    await db.schema.createIndex('stream_fields_stream').on('stream_fields').column('stream_id').execute();

    await db.schema
      .createTable('indices_without_stream_fields')
      .addColumn('index_set_id', types.text, (column) => column.notNull())
      .addColumn('number', types.integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('indices_without_stream_fields_pkey', ['index_set_id', 'number'])
      .addForeignKeyConstraint(
        'indices_without_stream_fields_index',
        ['index_set_id', 'number'],
        'indices',
        ['index_set_id', 'number'],
        (constraint) => constraint.onDelete('cascade'),
      )
      .execute();
    await sql`insert into indices_without_stream_fields (index_set_id, number)
      select index_set_id, number from indices`.execute(db);
  },
};
