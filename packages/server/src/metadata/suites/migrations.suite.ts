import { sql, type TableMetadata } from 'kysely';
import { describe, expect, test } from 'vitest';
import { StartupError } from '#core/index.ts';
import { aUser, type MetadataBackend, open, openEmpty } from '#testing/metadata-backend.ts';
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

/** What a program that knows the tables as they were cannot use any more. */
function takenAway(before: readonly TableMetadata[], after: readonly TableMetadata[]): string[] {
  const columns = new Map(
    after.flatMap((table) =>
      table.columns.map((column) => [`${table.name}.${column.name}`, column] as const),
    ),
  );
  const known = before.flatMap((table) =>
    table.columns.map((column) => [`${table.name}.${column.name}`, column] as const),
  );
  const problems = known.flatMap(([name, column]) => {
    const now = columns.get(name);
    if (now === undefined) return [`${name} is gone`];
    return now.dataType === column.dataType ? [] : [`${name} has another type`];
  });
  const names = new Set(known.map(([name]) => name));
  const tables = new Set(before.map(({ name }) => name));
  for (const [name, { isNullable, hasDefaultValue }] of columns) {
    const isNew = tables.has(name.slice(0, name.lastIndexOf('.'))) && !names.has(name);
    if (isNew && !isNullable && !hasDefaultValue) problems.push(`${name} must be given`);
  }
  return problems;
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

    test('a database newer than the program by two releases is refused and left unchanged', async () => {
      const uri = await backend.newDatabase();
      const newer = [
        ...migrations,
        { ...tableMigration(migrations.length + 1, 'from_the_future'), release: 3 },
      ];
      await (await open(uri, { migrations: newer })).close();

      const error = await startupError(open(uri));
      expect(error.message).toContain(`version ${newer.length}`);
      expect(error.message).toContain(`up to ${migrations.length}`);
      expect(error.message).toContain('more than one release');
      expect(error.whatToDo).toMatch(/newer Millrace.*backup.*one release at a time/);

      const again = await open(uri, { migrations: newer });
      expect((await sql`select * from from_the_future`.execute(again.db)).rows).toHaveLength(1);
    });

    test('a program goes on, and starts again, when one of the next release has migrated the database', async () => {
      const uri = await backend.newDatabase();
      const old = await open(uri);
      const { length } = migrations;
      const columnMigration: Migration = {
        version: length + 2,
        release: 2,
        name: 'more-of-users',
        async up(db, types) {
          await db.schema.alterTable('users').addColumn('nickname', types.text).execute();
        },
      };
      const next = [
        ...migrations,
        { ...tableMigration(length + 1, 'from_the_next_release'), release: 2 },
        columnMigration,
      ];
      const upgraded = await open(uri, { migrations: next });
      const created = await old.repositories.users.insert(aUser());
      await old.close();

      const again = await open(uri);
      expect(await again.repositories.users.findById(created.id)).toMatchObject({ username: 'anna' });
      await again.repositories.clusterSettings.set('answer', 42);
      expect(await upgraded.repositories.clusterSettings.find('answer')).toBe(42);
      const done = await again.db.selectFrom('schema_migrations').select('version').execute();
      expect(done).toHaveLength(next.length);
    });

    test('a database from before releases were counted belongs to the first one', async () => {
      const uri = await backend.newDatabase();
      const steps = [tableMigration(1, 'first'), { ...tableMigration(2, 'second'), release: 2 }];
      const before = await open(uri, { migrations: steps.slice(0, 1) });
      await sql`alter table schema_migrations drop column release`.execute(before.db);
      await before.close();
      const metadata = await open(uri, { migrations: steps });
      const done = await metadata.db.selectFrom('schema_migrations').selectAll().orderBy('version').execute();
      expect(done.map(({ release }) => release)).toEqual([1, 2]);
    });

    test('no step takes away what programs of the release before use', async () => {
      const releases = migrations.map(({ release = 1 }) => release);
      expect(releases).toEqual(releases.toSorted((a, b) => a - b));
      const uri = await backend.newDatabase();
      let before: readonly TableMetadata[] = [];
      for (const release of new Set(releases)) {
        const known = migrations.filter((each) => (each.release ?? 1) <= release);
        const metadata = await open(uri, { migrations: known });
        const tables = await metadata.db.introspection.getTables();
        expect(takenAway(before, tables)).toEqual([]);
        before = tables;
        await metadata.close();
      }
    });

    test('what takes something away is noticed', async () => {
      const metadata = await open(await backend.newDatabase(), { migrations: [tableMigration(1, 'first')] });
      const before = await metadata.db.introspection.getTables();
      await sql`create table extra (id text)`.execute(metadata.db);
      await sql`alter table first add column note text`.execute(metadata.db);
      expect(takenAway(before, await metadata.db.introspection.getTables())).toEqual([]);
      await sql`alter table first add column must_be_given text not null default 'x'`.execute(metadata.db);
      expect(takenAway(before, await metadata.db.introspection.getTables())).toEqual([]);
      await sql`alter table first rename column id to key`.execute(metadata.db);
      expect(takenAway(before, await metadata.db.introspection.getTables())).toEqual(['first.id is gone']);
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
