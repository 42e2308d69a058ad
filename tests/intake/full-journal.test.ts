import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { readJournal } from '../../packages/server/src/testing/worker-pool-fixture.ts';
import { callApi, KNOWN_PASSWORD } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';

let node: NodeProcess | undefined;
afterEach(async () => {
  node?.kill('SIGKILL');
  await node?.exited();
});

/** Until processing takes messages out of the journal, or while it is paused, this is what a full one does. */
test('a full journal refuses, tells senders, load balancers and operators, and loses nothing', async () => {
  node = startNode(
    {
      message_journal_max_size: '1mb',
      message_journal_segment_size: '128kb',
      processing_workers: '2',
    },
    { env: KNOWN_PASSWORD },
  );
  const address = await node.ready();
  const port = await node.inputPort('GELF HTTP');
  expect((await callApi(address, 'PUT', '/system/processing/pause')).status).toBe(204);
  expect((await fetch(`${address}/api/system/lbstatus`)).status).toBe(200);

  const accepted: string[] = [];
  let refused: Response | undefined;
  while (refused === undefined) {
    const text = `${accepted.length}${'x'.repeat(20_000)}`;
    const body = JSON.stringify({ version: '1.1', host: 'test', short_message: text });
    const response = await fetch(`http://127.0.0.1:${port}/gelf`, { method: 'POST', body });
    if (response.status === 202) accepted.push(text);
    else refused = response;
  }
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(accepted.length).toBeGreaterThan(30);

  await eventually(async () => expect((await fetch(`${address}/api/system/lbstatus`)).status).toBe(429));
  // Each worker reports once a second.
  await eventually(async () => {
    const journal = (await callApi(address, 'GET', '/system/journal')).body;
    expect(journal.uncommitted_journal_entries).toBe(accepted.length);
    expect(journal.journal_size).toBeLessThanOrEqual(journal.journal_size_limit);
  });
  expect((await callApi(address, 'GET', '/system')).body.lifecycle).toBe('throttled');
  await eventually(async () => {
    const { notifications } = (await callApi(address, 'GET', '/system/notifications')).body;
    expect(notifications).toContainEqual(expect.objectContaining({ type: 'journal_utilization_too_high' }));
  });

  node.kill('SIGTERM');
  await node.exited();
  const frames = await readJournal(path.join(node.dataDir, 'journal'));
  expect(frames.map(({ text }) => JSON.parse(text).short_message).sort()).toEqual(accepted.sort());
});
