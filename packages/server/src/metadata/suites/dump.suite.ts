import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import { StartupError, systemClock } from '#core/index.ts';
import { type MetadataBackend, open } from '#testing/metadata-backend.ts';
import { type DumpedLine, dumpMetadata } from '../dump.ts';
import { loadMetadata } from '../load.ts';
import { migrations } from '../migrations/registry.ts';

const deps = { logger: pino({ level: 'silent' }), clock: systemClock };
const NOT_DUMPED = ['schema_migrations', 'nodes', 'leases', 'sessions'];

async function dumped(uri: string): Promise<DumpedLine[]> {
  const lines: DumpedLine[] = [];
  await dumpMetadata(deps, uri, async (line) => void lines.push(line));
  return lines;
}

/** SQLite says 0 and 1, PostgreSQL false and true. */
function comparable(lines: readonly DumpedLine[]): unknown[] {
  return lines.map((line) =>
    Array.isArray(line) ? line.map((value) => (typeof value === 'boolean' ? Number(value) : value)) : line,
  );
}

function load(uri: string, lines: readonly DumpedLine[]) {
  return loadMetadata(
    deps,
    uri,
    (async function* () {
      yield* lines;
    })(),
  );
}

function newSqlite(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-dump-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  return `sqlite:${path.join(folder, 'metadata.sqlite')}`;
}

/** A row in every table. All ids are the same, so every reference finds its target. */
async function fill(uri: string): Promise<string[]> {
  const metadata = await open(uri);
  const db = metadata.db as unknown as Kysely<Record<string, Record<string, unknown>>>;
  const tables = (await metadata.db.introspection.getTables()).filter(
    ({ name }) => !NOT_DUMPED.includes(name),
  );
  const left = new Set(tables);
  while (left.size > 0) {
    const before = left.size;
    for (const table of left) {
      const row = table.columns.map(({ name, dataType }) => [
        name,
        /^bool/i.test(dataType) ? true : /int/i.test(dataType) ? 7 : 'x\'\n"é😀',
      ]);
      try {
        await db.deleteFrom(table.name).execute();
        await db.insertInto(table.name).values(Object.fromEntries(row)).execute();
        left.delete(table);
      } catch {
        // What it refers to is not there yet.
      }
    }
    if (left.size === before) throw new Error(`cannot fill ${[...left].map(({ name }) => name)}`);
  }
  await metadata.close();
  return tables.map(({ name }) => name);
}

export function dumpSuite(backend: MetadataBackend): void {
  describe('dump', () => {
    test('every table comes back as it was, also by way of SQLite', async () => {
      const original = await backend.newDatabase();
      const tables = await fill(original);
      const lines = await dumped(original);
      const named = lines.flatMap((line) => ('table' in line ? [line.table] : []));
      expect(named.toSorted()).toEqual(tables.toSorted());

      const sqlite = newSqlite();
      const loaded = await load(sqlite, lines);
      expect(loaded).toEqual(Object.fromEntries(tables.map((name) => [name, 1])));
      expect(comparable(await dumped(sqlite))).toEqual(comparable(lines));
      const back = await backend.newDatabase();
      await load(back, await dumped(sqlite));
      expect(await dumped(back)).toEqual(lines);

      const metadata = await open(back);
      await sql`insert into system_messages (caller, content, "timestamp", node_id) values ('a', 'b', 1, 'c')`.execute(
        metadata.db,
      );
      const [newest] = await metadata.db
        .selectFrom('system_messages')
        .select('sequence')
        .orderBy('sequence', 'desc')
        .execute();
      expect(newest?.sequence).toBe(8);
    });

    test('is loaded only into an empty database, all or nothing, and not from a newer version', async () => {
      const used = await backend.newDatabase();
      await fill(used);
      const lines = await dumped(used);
      await expect(load(used, lines)).rejects.toThrow(/in use/);

      const empty = await backend.newDatabase();
      const broken = [...lines, { table: 'users', columns: ['id'] }, ['only an id']];
      await expect(load(empty, broken)).rejects.toThrow();
      await load(empty, lines);
      expect(await dumped(empty)).toEqual(lines);

      const newer = [{ schema: migrations.length + 1 }, ...lines.slice(1)];
      const error = await load(await backend.newDatabase(), newer).catch((fault: unknown) => fault);
      expect(error).toBeInstanceOf(StartupError);
      expect((error as StartupError).message).toContain('newer Millrace');
    });

    test('a dump of an older version is migrated', async () => {
      const uri = await backend.newDatabase();
      const setting: DumpedLine[] = [
        { schema: 1 },
        { table: 'cluster_settings', columns: ['key', 'value', 'updated_at'] },
        ['a', '"b"', 1],
      ];
      await load(uri, setting);
      const metadata = await open(uri);
      expect(await metadata.repositories.clusterSettings.find('a')).toBe('b');
    });
  });
}
