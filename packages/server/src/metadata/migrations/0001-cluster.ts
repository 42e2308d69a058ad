import type { Migration } from '../migrate.ts';

export const cluster: Migration = {
  version: 1,
  name: 'cluster',
  async up(db, types) {
    await db.schema
      .createTable('cluster_settings')
      .addColumn('key', types.text, (column) => column.primaryKey())
      .addColumn('value', types.json, (column) => column.notNull())
      .addColumn('updated_at', types.time, (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('nodes')
      .addColumn('node_id', types.text, (column) => column.primaryKey())
      .addColumn('hostname', types.text, (column) => column.notNull())
      .addColumn('transport_address', types.text, (column) => column.notNull())
      .addColumn('version', types.text, (column) => column.notNull())
      .addColumn('started_at', types.time, (column) => column.notNull())
      .addColumn('last_seen', types.time, (column) => column.notNull())
      .addColumn('is_leader', types.boolean, (column) => column.notNull())
      .addColumn('details', types.json, (column) => column.notNull())
      .execute();
  },
};
