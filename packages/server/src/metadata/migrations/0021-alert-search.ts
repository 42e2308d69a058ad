import { sql } from 'kysely';
import type { Migration } from '../migrate.ts';

/** Finds and sorts alerts by their text. Those that are stored already are found by the title of their rule. */
export const alertSearch: Migration = {
  version: 21,
  name: 'alert-search',
  async up(db, types) {
    await db.schema
      .alterTable('alerts')
      .addColumn('search_key', types.text, (column) => column.notNull().defaultTo(''))
      .execute();
    await sql`
      update alerts
      set search_key = coalesce((select lower(title) from alert_rules where alert_rules.id = alerts.rule_id), '')
    `.execute(db);
    // Few alerts are open, and most pages ask for those.
    await db.schema
      .createIndex('alerts_resolved')
      .on('alerts')
      .columns(['resolved_at', 'triggered_at'])
      .execute();
  },
};
