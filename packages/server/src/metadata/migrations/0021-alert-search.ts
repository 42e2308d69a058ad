import type { Kysely } from 'kysely';
import { type JsonText, nameKey, readJson } from '../columns.ts';
import type { Migration } from '../migrate.ts';

/** Finds and sorts alerts by their text, also those that are stored already. */
export const alertSearch: Migration = {
  version: 21,
  name: 'alert-search',
  async up(db, types) {
    await db.schema
      .alterTable('alerts')
      .addColumn('search_key', types.text, (column) => column.notNull().defaultTo(''))
      .execute();
    await fillKeys(db as Kysely<Tables>);
    // Few alerts are open, and most pages ask for those.
    await db.schema
      .createIndex('alerts_resolved')
      .on('alerts')
      .columns(['resolved_at', 'triggered_at'])
      .execute();
  },
};

interface Tables {
  alerts: {
    id: string;
    search_key: string;
    content: JsonText<{ readonly title?: string; readonly description?: string }>;
  };
}

const CHUNK = 500;
const LONGEST_KEY = 2000;

/** Not in SQL: the databases disagree about lower case outside ASCII. */
async function fillKeys(db: Kysely<Tables>): Promise<void> {
  let last = '';
  for (;;) {
    const rows = await db
      .selectFrom('alerts')
      .select(['id', 'content'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(CHUNK)
      .execute();
    for (const { id, content } of rows) {
      const { title = '', description = '' } = readJson(content);
      const text = `${title}\n${description}`.slice(0, LONGEST_KEY).replaceAll('\0', ' ');
      await db
        .updateTable('alerts')
        .set({ search_key: nameKey(text) })
        .where('id', '=', id)
        .execute();
    }
    if (rows.length < CHUNK) return;
    last = rows.at(-1)?.id ?? '';
  }
}
