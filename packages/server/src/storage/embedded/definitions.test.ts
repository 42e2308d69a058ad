import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type EngineDirectory, engineDirectory } from './configuration.ts';
import { createDefinitions } from './definitions.ts';

const UUID = '612396be-e5b1-49e3-9228-fd9b9aeb6ba9';
const DATABASE = `ATTACH DATABASE _ UUID '${UUID}'\nENGINE = Atomic\n`;
const tableWith = (setting: number) =>
  `ATTACH TABLE _ UUID '0ad3564f-68dd-47e4-aa4b-4e288f99c50b'\n(\n    \`n\` UInt32\n)\nENGINE = MergeTree\nORDER BY n\nSETTINGS a = ${setting}\n`;

let dataDir: string;
let directory: EngineDirectory;
let database: string;
let table: string;
beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-definitions-'));
  directory = engineDirectory(dataDir);
  database = path.join(directory.store, 'metadata', 'millrace.sql');
  table = path.join(directory.store, 'store', '612', UUID, 'messages.sql');
  for (const file of [database, table]) fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(database, DATABASE);
  fs.writeFileSync(table, tableWith(1));
});
afterEach(() => fs.rmSync(dataDir, { recursive: true }));

test('complete definitions are left alone, also before the first start', async () => {
  await createDefinitions(engineDirectory(path.join(dataDir, 'nothing'))).restore();
  expect(await createDefinitions(directory).restore()).toEqual([]);
  expect(fs.existsSync(directory.definitions)).toBe(false);
});

test.each([
  ['empty', () => ''],
  ['cut off', () => tableWith(2).slice(0, -3)],
  ['cut off at a line', () => tableWith(2).slice(0, tableWith(2).indexOf('ENGINE'))],
])('a definition that is %s gets its last complete content back', async (_, content) => {
  const running = createDefinitions(directory);
  await running.save();
  fs.writeFileSync(table, tableWith(2));
  fs.utimesSync(table, 1, 1);
  await running.save();
  fs.writeFileSync(table, content());
  fs.utimesSync(table, 2, 2);
  await running.save();
  const later = createDefinitions(directory);
  expect(await later.restore()).toEqual([{ file: table, outcome: 'restored' }]);
  expect(fs.readFileSync(table, 'utf8')).toBe(tableWith(2));
  expect(await later.restore()).toEqual([]);
});

test('an incomplete definition without a copy is set aside', async () => {
  await createDefinitions(directory).save();
  const fresh = path.join(path.dirname(table), 'fresh.sql');
  fs.writeFileSync(fresh, '');
  expect(await createDefinitions(directory).restore()).toEqual([{ file: fresh, outcome: 'set aside' }]);
  expect(fs.readdirSync(path.dirname(table))).toEqual(['messages.sql']);
});

test('the definition of a database is put back before its tables are looked at', async () => {
  await createDefinitions(directory).save();
  fs.writeFileSync(database, '');
  fs.writeFileSync(table, '');
  expect(await createDefinitions(directory).restore()).toEqual([
    { file: database, outcome: 'restored' },
    { file: table, outcome: 'restored' },
  ]);
  expect(fs.readFileSync(database, 'utf8')).toBe(DATABASE);
  expect(fs.readFileSync(table, 'utf8')).toBe(tableWith(1));
});
