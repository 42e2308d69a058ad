import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type NodeProcess, startNode } from '../support/node-process.ts';

const running: NodeProcess[] = [];
afterEach(async () => {
  for (const node of running.splice(0)) {
    node.kill('SIGKILL');
    await node.exited();
  }
});

function start(...args: Parameters<typeof startNode>): NodeProcess {
  const node = startNode(...args);
  running.push(node);
  return node;
}

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

test('the first start prints what a person needs to know, and the password only once', async () => {
  const first = start();
  const address = await first.ready();
  const password = (await first.printed(/Password +(\S+)/))[1] ?? '';
  expect(first.output()).toContain(first.dataDir);
  expect(first.output()).toContain(`${address}/api/api-browser/`);

  expect((await fetch(address, { headers: { accept: 'text/html' } })).status).toBe(200);
  const users = await fetch(`${address}/api/users`, { headers: basic('admin', password) });
  expect(users.status).toBe(200);
  expect((await fetch(`${address}/api/users`, { headers: basic('admin', 'wrong') })).status).toBe(401);
  const nodeId = users.headers.get('x-graylog-node-id');
  const identity = (await (await fetch(`${address}/api/`)).json()) as Record<string, string>;

  first.kill('SIGTERM');
  expect(await first.exited()).toEqual({ code: 0, signal: null });

  const second = start({}, { dataDir: first.dataDir });
  const again = await second.ready();
  expect(second.output()).not.toMatch(/Password/);
  expect(second.output()).not.toContain(password);
  const later = await fetch(`${again}/api/users`, { headers: basic('admin', password) });
  expect(later.status).toBe(200);
  expect(later.headers.get('x-graylog-node-id')).toBe(nodeId);
  expect(((await (await fetch(`${again}/api/`)).json()) as Record<string, string>).cluster_id).toBe(
    identity.cluster_id,
  );
  second.kill('SIGINT');
  expect(await second.exited()).toEqual({ code: 0, signal: null });
});

test('secrets are neither readable by other users nor in the log', async () => {
  const node = start();
  await node.ready();
  expect(fs.statSync(node.dataDir).mode & 0o077).toBe(0);
  for (const name of ['password_secret', 'root_password', 'metadata.sqlite']) {
    expect(fs.statSync(path.join(node.dataDir, name)).mode & 0o077, name).toBe(0);
  }
  const secret = fs.readFileSync(path.join(node.dataDir, 'password_secret'), 'utf8').trim();
  expect(node.output()).not.toContain(secret);
});

test('a configured password is used and never printed', async () => {
  const sha2 = createHash('sha256').update('river').digest('hex');
  const node = start({}, { env: { MILLRACE_ROOT_PASSWORD_SHA2: sha2, MILLRACE_ROOT_USERNAME: 'miller' } });
  const address = await node.ready();
  expect((await fetch(`${address}/api/users`, { headers: basic('miller', 'river') })).status).toBe(200);
  expect(node.output()).not.toMatch(/Password/);
  expect(node.output()).not.toContain(sha2);
  expect(fs.existsSync(path.join(node.dataDir, 'root_password'))).toBe(false);
});

test('a second node on the same data directory is refused; the first keeps running', async () => {
  const first = start();
  const address = await first.ready();
  const second = start({}, { dataDir: first.dataDir });
  expect((await second.exited()).code).toBe(1);
  expect(second.output()).toContain(`process ${first.child.pid}`);
  expect(second.output()).toContain(first.dataDir);
  expect((await fetch(`${address}/api/`)).status).toBe(200);
});

test('after kill -9 the next start works at once, with the same node id', async () => {
  const first = start();
  const nodeId = (await fetch(`${await first.ready()}/api/`)).headers.get('x-graylog-node-id');
  first.kill('SIGKILL');
  await first.exited();
  const second = start({}, { dataDir: first.dataDir });
  const answer = await fetch(`${await second.ready()}/api/`);
  expect(answer.headers.get('x-graylog-node-id')).toBe(nodeId);
});

test('signals in quick succession count as one', async () => {
  const node = start();
  await node.ready();
  node.kill('SIGINT');
  node.kill('SIGINT');
  node.kill('SIGTERM');
  expect(await node.exited()).toEqual({ code: 0, signal: null });
});
