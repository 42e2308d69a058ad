import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type NodeProcess, startNode } from '../support/node-process.ts';

/** One data directory and the nodes on it, one after the other. Each test continues where the one before ended. */

const running: NodeProcess[] = [];
afterAll(async () => {
  for (const node of running) node.kill('SIGKILL');
  await Promise.all(running.map((node) => node.exited()));
});

function start(...args: Parameters<typeof startNode>): NodeProcess {
  const node = startNode(...args);
  running.push(node);
  return node;
}

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

/** The node that runs. */
let node: NodeProcess;
let address: string;
/** Of all nodes that ran before. */
let earlierOutput = '';
let nodeId: string | null;

async function startAgain(): Promise<void> {
  earlierOutput += node.output();
  node = start({}, { dataDir: node.dataDir });
  address = await node.ready();
}

test('the first start prints what a person needs to know, and the password only once', async () => {
  node = start();
  address = await node.ready();
  const password = (await node.printed(/Password +(\S+)/))[1] ?? '';
  expect(node.output()).toContain(node.dataDir);
  expect(node.output()).toContain(`${address}/api/api-browser/`);

  expect((await fetch(address, { headers: { accept: 'text/html' } })).status).toBe(200);
  const users = await fetch(`${address}/api/users`, { headers: basic('admin', password) });
  expect(users.status).toBe(200);
  expect((await fetch(`${address}/api/users`, { headers: basic('admin', 'wrong') })).status).toBe(401);
  nodeId = users.headers.get('x-graylog-node-id');
  const identity = (await (await fetch(`${address}/api/`)).json()) as Record<string, string>;

  node.kill('SIGTERM');
  expect(await node.exited()).toEqual({ code: 0, signal: null });

  await startAgain();
  expect(node.output()).not.toMatch(/Password/);
  expect(node.output()).not.toContain(password);
  const later = await fetch(`${address}/api/users`, { headers: basic('admin', password) });
  expect(later.status).toBe(200);
  expect(later.headers.get('x-graylog-node-id')).toBe(nodeId);
  expect(((await (await fetch(`${address}/api/`)).json()) as Record<string, string>).cluster_id).toBe(
    identity.cluster_id,
  );
});

test('secrets are neither readable by other users nor in the log', () => {
  expect(fs.statSync(node.dataDir).mode & 0o077).toBe(0);
  for (const name of ['password_secret', 'root_password', 'metadata.sqlite']) {
    expect(fs.statSync(path.join(node.dataDir, name)).mode & 0o077, name).toBe(0);
  }
  const secret = fs.readFileSync(path.join(node.dataDir, 'password_secret'), 'utf8').trim();
  expect(secret).not.toBe('');
  expect(earlierOutput + node.output()).not.toContain(secret);
});

test('a second node on the same data directory is refused; the first keeps running', async () => {
  const second = start({}, { dataDir: node.dataDir });
  expect((await second.exited()).code).toBe(1);
  expect(second.output()).toContain(`process ${node.child.pid}`);
  expect(second.output()).toContain(node.dataDir);
  expect((await fetch(`${address}/api/`)).status).toBe(200);
});

test('after kill -9 the next start works at once, with the same node id', async () => {
  node.kill('SIGKILL');
  await node.exited();
  await startAgain();
  const answer = await fetch(`${address}/api/`);
  expect(answer.headers.get('x-graylog-node-id')).toBe(nodeId);
});

test('signals in quick succession count as one', async () => {
  node.kill('SIGINT');
  node.kill('SIGINT');
  node.kill('SIGTERM');
  expect(await node.exited()).toEqual({ code: 0, signal: null });
});

test('a configured password is used and never printed; Ctrl-C stops the node', async () => {
  const sha2 = createHash('sha256').update('river').digest('hex');
  const other = start({}, { env: { MILLRACE_ROOT_PASSWORD_SHA2: sha2, MILLRACE_ROOT_USERNAME: 'miller' } });
  const at = await other.ready();
  expect((await fetch(`${at}/api/users`, { headers: basic('miller', 'river') })).status).toBe(200);
  expect(other.output()).not.toMatch(/Password/);
  expect(other.output()).not.toContain(sha2);
  expect(fs.existsSync(path.join(other.dataDir, 'root_password'))).toBe(false);
  other.kill('SIGINT');
  expect(await other.exited()).toEqual({ code: 0, signal: null });
});
