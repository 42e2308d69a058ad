import { sql } from 'kysely';
import { pino } from 'pino';
import type { Clock } from '#core/index.ts';
import { type Metadata, type Migration, openMetadata } from '#metadata/index.ts';
import { ManualClock } from './manual-clock.ts';

const logger = pino({ level: 'silent' });
const uri = 'sqlite::memory:';

let wholeSchema: Promise<Migration> | undefined;

/**
 * A metadata database of its own for one test: SQLite in memory, with the real schema. Close it at the end.
 *
 * The migrations run once; all databases after the first are copies. Migrating takes longer than most tests that need one.
 */
export async function openTestMetadata(clock: Clock = new ManualClock()): Promise<Metadata> {
  wholeSchema ??= copySchema();
  return openMetadata({ logger, clock }, { uri, migrations: [await wholeSchema] });
}

/** All that the migrations leave, as one migration. */
async function copySchema(): Promise<Migration> {
  const original = await openMetadata({ logger, clock: new ManualClock() }, { uri });
  try {
    const { rows: made } = await sql<{ type: string; name: string; sql: string }>`
      select type, name, sql from sqlite_schema where sql is not null and name not like 'sqlite\\_%' escape '\\'
      order by rowid`.execute(original.db);
    const tables = made.filter(({ type }) => type === 'table').map(({ name }) => name);
    const contents = await Promise.all(
      tables.map(async (table) => ({
        table,
        rows: (await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(original.db))
          .rows,
      })),
    );
    const release = Math.max(
      ...(contents.find(({ table }) => table === MIGRATIONS)?.rows ?? []).map((row) => Number(row.release)),
    );
    return {
      version: 1,
      name: 'all of them',
      release,
      async up(db) {
        for (const each of made) if (each.name !== MIGRATIONS) await sql.raw(each.sql).execute(db);
        for (const { table, rows } of contents) {
          // The runner records the first one itself.
          for (const row of rows.filter(({ version }) => table !== MIGRATIONS || version !== 1)) {
            const columns = sql.join(Object.keys(row).map((name) => sql.ref(name)));
            await sql`insert into ${sql.table(table)} (${columns}) values (${sql.join(Object.values(row))})`.execute(
              db,
            );
          }
        }
      },
    };
  } finally {
    await original.close();
  }
}

/** The runner makes it. */
const MIGRATIONS = 'schema_migrations';
