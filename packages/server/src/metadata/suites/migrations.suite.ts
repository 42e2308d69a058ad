import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { StartupError } from '#core/index.ts';
import { type MetadataBackend, open, openEmpty } from '#testing/metadata-backend.ts';
import type { Migration } from '../migrate.ts';
import { migrations } from '../migrations/registry.ts';

const tableMigration = (version: number, table: string): Migration => ({
  version,
  name: `make-${table}`,
  async up(db, types) {
    await db.schema.createTable(table).addColumn('id', types.text).execute();
    await sql`insert into ${sql.table(table)} (id) values ('x')`.execute(db);
  },
});

const failing: Migration = {
  version: 2,
  name: 'half-way',
  async up(db, types) {
    await db.schema.createTable('half').addColumn('id', types.text).execute();
    await sql`update first set id = 'changed'`.execute(db);
    throw new Error('the disk caught fire');
  },
};

async function startupError(opening: Promise<unknown>): Promise<StartupError> {
  const error = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StartupError);
  return error as StartupError;
}

export function migrationsSuite(backend: MetadataBackend): void {
  describe('migrations', () => {
    test('an empty database gets the whole schema and the full migration history', async () => {
      const metadata = await open(await backend.newDatabase());
      const done = await metadata.db.selectFrom('schema_migrations').selectAll().orderBy('version').execute();
      expect(done.map(({ version, name }) => ({ version, name }))).toEqual(
        migrations.map(({ version, name }) => ({ version, name })),
      );
      const tables = (await metadata.db.introspection.getTables()).map((table) => table.name);
      expect(tables).toEqual(expect.arrayContaining(['users', 'audit_log', 'notifications', 'nodes']));
      await expect(metadata.ping()).resolves.toBeUndefined();
    });

    test('opening again keeps the data and migrates nothing', async () => {
      const uri = await backend.newDatabase();
      const first = await open(uri);
      await first.repositories.clusterSettings.set('answer', 42);
      const clusterId = await first.repositories.clusterSettings.clusterId();
      await first.close();

      const second = await open(uri);
      expect(await second.repositories.clusterSettings.find('answer')).toBe(42);
      expect(await second.repositories.clusterSettings.clusterId()).toBe(clusterId);
      expect(await second.db.selectFrom('schema_migrations').selectAll().execute()).toHaveLength(
        migrations.length,
      );
    });

    test('only missing steps are applied', async () => {
      const uri = await backend.newDatabase();
      const steps = [tableMigration(1, 'first'), tableMigration(2, 'second')];
      await (await open(uri, { migrations: steps.slice(0, 1) })).close();
      const metadata = await open(uri, { migrations: steps });
      const count = await sql<{ n: number }>`select count(*) as n from first, second`.execute(metadata.db);
      expect(count.rows).toEqual([{ n: 1 }]);
    });

    test('a database newer than the program is refused and left unchanged', async () => {
      const uri = await backend.newDatabase();
      const newer = [...migrations, tableMigration(migrations.length + 1, 'from_the_future')];
      await (await open(uri, { migrations: newer })).close();

      const error = await startupError(open(uri));
      expect(error.message).toContain(`version ${newer.length}`);
      expect(error.message).toContain(`up to ${migrations.length}`);
      expect(error.whatToDo).toMatch(/newer Millrace.*backup/);

      const again = await open(uri, { migrations: newer });
      expect((await sql`select * from from_the_future`.execute(again.db)).rows).toHaveLength(1);
    });

    test('a step that fails halfway leaves the previous schema, and the error names it', async () => {
      const uri = await backend.newDatabase();
      const first = tableMigration(1, 'first');
      const error = await startupError(open(uri, { migrations: [first, failing] }));
      expect(error.message).toContain('migration 2 (half-way)');
      expect(error.message).toContain('the disk caught fire');
      expect(error.whatToDo).toContain('unchanged');

      const metadata = await open(uri, { migrations: [first] });
      const tables = (await metadata.db.introspection.getTables()).map((table) => table.name);
      expect(tables).toContain('first');
      expect(tables).not.toContain('half');
      expect((await sql`select id from first`.execute(metadata.db)).rows).toEqual([{ id: 'x' }]);
      await metadata.close();

      const repaired = await open(uri, { migrations: [first, tableMigration(2, 'half')] });
      expect((await sql`select id from half`.execute(repaired.db)).rows).toEqual([{ id: 'x' }]);
    });

    test('nodes that start at the same time migrate once', async () => {
      const uri = await backend.newDatabase();
      const nodes = await Promise.all(Array.from({ length: 5 }, () => open(uri)));
      for (const node of nodes) {
        expect(await node.db.selectFrom('schema_migrations').selectAll().execute()).toHaveLength(
          migrations.length,
        );
      }
      const ids = await Promise.all(nodes.map((node) => node.repositories.clusterSettings.clusterId()));
      expect(new Set(ids).size).toBe(1);
      expect(ids[0]).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    });

    test('a registry with a gap is rejected immediately', async () => {
      await expect(openEmpty(backend, { migrations: [tableMigration(2, 'second')] })).rejects.toThrow(
        'expected 1',
      );
    });
  });
}
