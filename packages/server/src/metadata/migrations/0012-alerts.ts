import type { Migration } from '../migrate.ts';

export const alerts: Migration = {
  version: 12,
  name: 'alerts',
  async up(db, types) {
    await db.schema
      .createTable('alert_rules')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('stream_id', types.text, (column) => column.references('streams.id').onDelete('cascade'))
      .addColumn('title', types.text, (column) => column.notNull())
      .addColumn('description', types.text, (column) => column.notNull())
      .addColumn('creator', types.text, (column) => column.notNull())
      .addColumn('enabled', types.boolean, (column) => column.notNull())
      .addColumn('content', types.json, (column) => column.notNull())
      .addColumn('created_at', types.time, (column) => column.notNull())
      .addColumn('updated_at', types.time, (column) => column.notNull())
      .execute();
    await db.schema.createIndex('alert_rules_stream').on('alert_rules').column('stream_id').execute();

    await db.schema
      .createTable('alert_rule_states')
      .addColumn('rule_id', types.text, (column) =>
        column.primaryKey().references('alert_rules.id').onDelete('cascade'),
      )
      .addColumn('evaluated_until', types.time, (column) => column.notNull())
      .addColumn('attempted_at', types.time, (column) => column.notNull())
      .addColumn('failures', types.integer, (column) => column.notNull())
      .addColumn('last_error', types.text)
      .addColumn('muted_until', types.time)
      .execute();

    await db.schema
      .createTable('alerts')
      .addColumn('id', types.text, (column) => column.primaryKey())
      // No reference: alerts outlive their rule.
      .addColumn('rule_id', types.text, (column) => column.notNull())
      .addColumn('stream_id', types.text, (column) => column.references('streams.id').onDelete('cascade'))
      .addColumn('key_id', types.text, (column) => column.notNull())
      .addColumn('triggered_at', types.time, (column) => column.notNull())
      .addColumn('resolved_at', types.time)
      .addColumn('notified_at', types.time)
      .addColumn('event_stored', types.boolean, (column) => column.notNull())
      .addColumn('content', types.json, (column) => column.notNull())
      // Whoever evaluates the same window again, after a crash or on another node, stores nothing twice.
      .addUniqueConstraint('alerts_once', ['rule_id', 'key_id', 'triggered_at'])
      .execute();
    const index = (name: string, columns: readonly string[]) =>
      db.schema
        .createIndex(name)
        .on('alerts')
        .columns([...columns])
        .execute();
    await index('alerts_stream', ['stream_id', 'triggered_at']);
    await index('alerts_rule', ['rule_id', 'resolved_at']);
    await index('alerts_time', ['triggered_at']);
    await index('alerts_event', ['event_stored', 'id']);
  },
};
