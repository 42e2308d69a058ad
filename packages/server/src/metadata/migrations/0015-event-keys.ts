import type { Migration } from '../migrate.ts';

/** Finds when people were last told of an event key without reading the events of the whole grace period. */
export const eventKeys: Migration = {
  version: 15,
  name: 'event-keys',
  async up(db, types) {
    await db.schema.alterTable('alerts').addColumn('event_key_id', types.text).execute();
    await db.schema
      .createIndex('alerts_event_key')
      .on('alerts')
      .columns(['rule_id', 'event_key_id', 'notified_at'])
      .execute();
  },
};
