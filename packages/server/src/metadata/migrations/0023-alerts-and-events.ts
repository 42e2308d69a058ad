import type { Kysely } from 'kysely';
import { type JsonText, readJson } from '../columns.ts';
import type { Migration } from '../migrate.ts';

/** Tells alerts from the events of rules that do not alert, also among those that are stored already. */
export const alertsAndEvents: Migration = {
  version: 23,
  name: 'alerts-and-events',
  async up(db, types) {
    await db.schema
      .alterTable('alerts')
      // A program of the version before says nothing, and lists all that it records as alerts.
      .addColumn('is_alert', types.boolean, (column) => column.notNull().defaultTo(true))
      .execute();
    await markEvents(db as Kysely<Tables>);
    // A stream may have many events beside few alerts.
    await db.schema
      .createIndex('alerts_of_stream')
      .on('alerts')
      .columns(['stream_id', 'is_alert', 'triggered_at'])
      .execute();
  },
};

interface Tables {
  alerts: {
    id: string;
    is_alert: boolean;
    content: JsonText<{ readonly isAlert?: boolean }>;
  };
}

const CHUNK = 500;

/** Not in SQL: PostgreSQL refuses to look into JSON with null characters, which the text of an event may have. */
async function markEvents(db: Kysely<Tables>): Promise<void> {
  let last = '';
  for (;;) {
    const rows = await db
      .selectFrom('alerts')
      .select(['id', 'content'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(CHUNK)
      .execute();
    const events = rows.filter(({ content }) => readJson(content).isAlert === false).map(({ id }) => id);
    if (events.length > 0) {
      await db.updateTable('alerts').set({ is_alert: false }).where('id', 'in', events).execute();
    }
    if (rows.length < CHUNK) return;
    last = rows.at(-1)?.id ?? '';
  }
}
