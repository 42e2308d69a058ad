import type { Migration } from '../migrate.ts';

export const records: Migration = {
  version: 3,
  name: 'records',
  async up(db, types) {
    await db.schema
      .createTable('audit_log')
      .addColumn('sequence', types.sequence)
      .addColumn('time', types.time, (column) => column.notNull())
      .addColumn('actor', types.text, (column) => column.notNull())
      .addColumn('actor_address', types.text)
      .addColumn('action', types.text, (column) => column.notNull())
      .addColumn('object_type', types.text, (column) => column.notNull())
      .addColumn('object_id', types.text)
      .addColumn('before', types.json)
      .addColumn('after', types.json)
      .addColumn('outcome', types.text, (column) => column.notNull())
      .execute();
    // Each ends with the sort order of the results, so that a page can be read from the index.
    for (const columns of [
      ['time'],
      ['actor', 'time'],
      ['action', 'time'],
      ['object_type', 'object_id', 'time'],
    ]) {
      await db.schema
        .createIndex(`audit_log_${columns.join('_')}`)
        .on('audit_log')
        .columns([...columns, 'sequence'])
        .execute();
    }

    await db.schema
      .createTable('system_messages')
      .addColumn('sequence', types.sequence)
      .addColumn('caller', types.text, (column) => column.notNull())
      .addColumn('content', types.text, (column) => column.notNull())
      .addColumn('timestamp', types.time, (column) => column.notNull())
      .addColumn('node_id', types.text, (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('notifications')
      .addColumn('type', types.text, (column) => column.notNull())
      .addColumn('key', types.text, (column) => column.notNull())
      .addColumn('severity', types.text, (column) => column.notNull())
      .addColumn('timestamp', types.time, (column) => column.notNull())
      .addColumn('node_id', types.text, (column) => column.notNull())
      .addColumn('details', types.json, (column) => column.notNull())
      .addPrimaryKeyConstraint('notifications_pkey', ['type', 'key'])
      .execute();
  },
};
