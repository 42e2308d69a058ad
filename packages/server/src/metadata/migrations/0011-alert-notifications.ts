import type { ColumnTypes } from '../columns.ts';
import type { Migration, MigrationDatabase } from '../migrate.ts';

export const alertNotifications: Migration = {
  version: 11,
  name: 'alert notifications',
  async up(db, types) {
    await db.schema
      .createTable('alert_notifications')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('stream_id', types.text, (column) => column.references('streams.id').onDelete('cascade'))
      .addColumn('type', types.text, (column) => column.notNull())
      .addColumn('wire_type', types.text, (column) => column.notNull())
      .addColumn('title', types.text, (column) => column.notNull())
      .addColumn('description', types.text, (column) => column.notNull())
      .addColumn('configuration', types.json, (column) => column.notNull())
      .addColumn('creator', types.text, (column) => column.notNull())
      .addColumn('created_at', types.time, (column) => column.notNull())
      .addColumn('updated_at', types.time, (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('alert_notifications_stream')
      .on('alert_notifications')
      .column('stream_id')
      .execute();

    await db.schema
      .createTable('alert_notices')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('kind', types.text, (column) => column.notNull())
      .addColumn('rule_id', types.text, (column) => column.notNull())
      .addColumn('rule_title', types.text, (column) => column.notNull())
      .addColumn('alert_id', types.text)
      .addColumn('stream_ids', types.json, (column) => column.notNull())
      .addColumn('description', types.text, (column) => column.notNull())
      .addColumn('content', types.json)
      .addColumn('created_at', types.time, (column) => column.notNull())
      .execute();
    await db.schema.createIndex('alert_notices_alert').on('alert_notices').column('alert_id').execute();
    await db.schema.createIndex('alert_notices_time').on('alert_notices').column('created_at').execute();

    await createDeliveries(db, types);
  },
};

async function createDeliveries(db: MigrationDatabase, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('alert_deliveries')
    .addColumn('id', types.text, (column) => column.primaryKey())
    .addColumn('notice_id', types.text, (column) =>
      column.notNull().references('alert_notices.id').onDelete('cascade'),
    )
    // No reference: the history of a removed notification stays.
    .addColumn('notification_id', types.text, (column) => column.notNull())
    .addColumn('notification_type', types.text, (column) => column.notNull())
    .addColumn('notification_title', types.text, (column) => column.notNull())
    .addColumn('rule_id', types.text, (column) => column.notNull())
    .addColumn('state', types.text, (column) => column.notNull())
    .addColumn('attempts', types.integer, (column) => column.notNull())
    .addColumn('next_attempt_at', types.time, (column) => column.notNull())
    .addColumn('first_attempt_at', types.time)
    .addColumn('claimed_by', types.text)
    .addColumn('claimed_until', types.time)
    .addColumn('done_parts', types.json, (column) => column.notNull())
    .addColumn('digest_id', types.text)
    .addColumn('error', types.text)
    .addColumn('created_at', types.time, (column) => column.notNull())
    .addColumn('finished_at', types.time)
    .addUniqueConstraint('alert_deliveries_once', ['notice_id', 'notification_id'])
    .execute();
  for (const [name, columns] of [
    ['alert_deliveries_due', ['state', 'next_attempt_at']],
    ['alert_deliveries_notification', ['notification_id', 'first_attempt_at']],
    ['alert_deliveries_rule', ['rule_id', 'first_attempt_at']],
    ['alert_deliveries_time', ['first_attempt_at']],
  ] as const) {
    await db.schema
      .createIndex(name)
      .on('alert_deliveries')
      .columns([...columns])
      .execute();
  }

  await db.schema
    .createTable('alert_delivery_attempts')
    .addColumn('id', types.sequence)
    .addColumn('delivery_id', types.text, (column) =>
      column.notNull().references('alert_deliveries.id').onDelete('cascade'),
    )
    .addColumn('started_at', types.time, (column) => column.notNull())
    .addColumn('finished_at', types.time)
    .addColumn('outcome', types.text)
    .addColumn('error', types.text)
    .execute();
  await db.schema
    .createIndex('alert_delivery_attempts_delivery')
    .on('alert_delivery_attempts')
    .column('delivery_id')
    .execute();
}
