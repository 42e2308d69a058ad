import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { type Metadata, openMetadata } from '#metadata/index.ts';
import { ManualClock } from './manual-clock.ts';
import { openTestMetadata } from './metadata.ts';

async function contentsOf({ db }: Metadata) {
  const { rows: schema } = await sql<{ type: string; name: string }>`
    select type, name, tbl_name, sql from sqlite_schema order by type, name`.execute(db);
  const tables = schema.filter(({ type, name }) => type === 'table' && name !== 'schema_migrations');
  const rows = await Promise.all(
    tables.map(async ({ name }) => (await sql`select * from ${sql.table(name)}`.execute(db)).rows),
  );
  const migrations = await sql`select version, release from schema_migrations order by version`.execute(db);
  return { schema, rows, migrations: migrations.rows };
}

test('databases for tests are what the migrations make', async () => {
  const migrated = await openMetadata(
    { logger: pino({ level: 'silent' }), clock: new ManualClock() },
    { uri: 'sqlite::memory:' },
  );
  const [first, second] = [await openTestMetadata(), await openTestMetadata()];
  const expected = await contentsOf(migrated);
  expect(expected.schema.length).toBeGreaterThan(50);
  expect(await contentsOf(first)).toEqual(expected);
  expect(await contentsOf(second)).toEqual(expected);
  for (const metadata of [migrated, first, second]) await metadata.close();
});
