import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { systemClock } from '../../packages/server/src/core/index.ts';
import { openMetadata } from '../../packages/server/src/metadata/index.ts';
import { createLogger } from '../../packages/server/src/telemetry/index.ts';
import { startNode, temporaryDirectory } from '../support/node-process.ts';

/** Starts a node that cannot start; resolves with its output. */
async function refusal(
  settings: Record<string, string>,
  options: Parameters<typeof startNode>[1] = {},
): Promise<string> {
  const node = startNode(settings, options);
  const { code } = await node.exited();
  expect(code, node.output()).toBe(1);
  expect(node.output()).toContain('Millrace cannot start:');
  expect(node.output()).toContain('What to do:');
  expect(node.output(), 'no stack traces for the user').not.toMatch(/\n {4}at /);
  return node.output();
}

test('a port in use: the message names it', async () => {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as net.AddressInfo;
  const text = await refusal({ http_bind_address: `127.0.0.1:${port}` });
  expect(text).toContain(String(port));
  expect(text).toContain('http_bind_address');
  server.close();
});

test('a data directory that cannot be created or written to: the message names it', async () => {
  const parent = temporaryDirectory();
  const file = path.join(parent, 'file');
  fs.writeFileSync(file, 'in the way');
  for (const dataDir of [file, path.join(file, 'below'), path.join(parent, 'no', 'such', 'parent')]) {
    const text = await refusal({ data_dir: dataDir }, { dataDir: path.join(parent, 'unused') });
    expect(text).toContain(dataDir);
    expect(text).toContain('data_dir');
  }
});

test('all problems of the configuration are reported at once, unknown keys with a suggestion', async () => {
  const parent = temporaryDirectory();
  const file = path.join(parent, 'millrace.conf');
  fs.writeFileSync(file, 'htp_bind_address = 127.0.0.1:9000\nprocessing_workers = many\nlog_level\n');
  const text = await refusal({ config: file, http_bind_address: 'nonsense' });
  expect(text).toContain('did you mean http_bind_address?');
  expect(text).toContain('processing_workers');
  expect(text).toContain('"many"');
  expect(text).toContain('millrace.conf:3');
  expect(text).toContain('nonsense');
});

test('a ClickHouse that refuses the user: the message shows its address, not the password', async () => {
  const server = http.createServer((_, response) => {
    response.writeHead(403, { 'x-clickhouse-exception-code': '516' });
    response.end('Code: 516. DB::Exception: user: Authentication failed. (AUTHENTICATION_FAILED)');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  const text = await refusal({ clickhouse_uri: `http://user:undertow@127.0.0.1:${port}` });
  expect(text).toContain(`127.0.0.1:${port}`);
  expect(text).toContain('clickhouse_uri');
  expect(text).not.toContain('undertow');
  server.close();
});

test('replicas without replicated tables are refused', async () => {
  const servers = 'http://127.0.0.1:1|http://127.0.0.1:2';
  expect(await refusal({ clickhouse_uri: servers })).toContain('clickhouse_replicated');
});

test('a PostgreSQL that does not answer: the message shows its address, not its password', async () => {
  const text = await refusal({ metadata_uri: 'postgres://user:undertow@127.0.0.1:1/millrace' });
  expect(text).toContain('127.0.0.1:1');
  expect(text).toContain('metadata_uri');
  expect(text).not.toContain('undertow');
});

test('a metadata database of a newer version is refused and not changed', async () => {
  const parent = temporaryDirectory();
  const file = path.join(parent, 'metadata.sqlite');
  const deps = { logger: createLogger({ level: 'silent' }), clock: systemClock };
  await (await openMetadata(deps, { uri: `sqlite:${file}` })).close();

  const database = new DatabaseSync(file);
  database.exec(
    "INSERT INTO schema_migrations SELECT 9999, 'from-the-future', max(applied_at), 3 FROM schema_migrations",
  );
  database.close();
  const before = fs.readFileSync(file);
  const text = await refusal({ metadata_uri: `sqlite:${file}` });
  expect(text).toMatch(/newer/);
  expect(fs.readFileSync(file).equals(before)).toBe(true);
});
