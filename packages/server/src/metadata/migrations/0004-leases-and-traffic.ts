import type { Migration } from '../migrate.ts';

export const leasesAndTraffic: Migration = {
  version: 4,
  name: 'leases-and-traffic',
  async up(db, types) {
    await db.schema
      .createTable('leases')
      .addColumn('name', types.text, (column) => column.primaryKey())
      .addColumn('holder', types.text, (column) => column.notNull())
      .addColumn('expires_at', types.time, (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('traffic')
      .addColumn('hour', types.time, (column) => column.notNull())
      .addColumn('node_id', types.text, (column) => column.notNull())
      .addColumn('input', types.integer, (column) => column.notNull())
      .addColumn('decoded', types.integer, (column) => column.notNull())
      .addColumn('output', types.integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('traffic_pkey', ['hour', 'node_id'])
      .execute();
  },
};
