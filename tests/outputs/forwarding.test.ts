import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { callApi, KNOWN_PASSWORD } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';
import {
  ALL_MESSAGES,
  attachOutputs,
  createOutput as createOutputAt,
  createStreamOf,
  outputState,
} from '../support/output-api.ts';
import { startTcpSink } from '../support/tcp-sink.ts';

/** Outputs of a whole node. Each test continues where the one before ended. */

const FAILURES = '000000000000000000000004';
const PATIENCE = { timeoutMs: 60_000, intervalMs: 50 };

let node: NodeProcess;
let address: string;
let http: number;

async function start(dataDir?: string): Promise<void> {
  node = startNode({ processing_workers: '2' }, { env: KNOWN_PASSWORD, ...(dataDir && { dataDir }) });
  address = await node.ready();
  http = await node.inputPort('GELF HTTP');
}

beforeAll(() => start());
afterAll(async () => {
  node.kill();
  await node.exited();
});

async function send(message: Record<string, unknown>): Promise<void> {
  const body = JSON.stringify({ version: '1.1', host: 'mill', ...message });
  const answer = await fetch(`http://127.0.0.1:${http}/gelf`, { method: 'POST', body });
  expect(answer.status).toBe(202);
}

const createOutput = (type: string, configuration: Record<string, unknown>) =>
  createOutputAt(address, type, configuration);
const attach = (streamId: string, ...outputs: string[]) => attachOutputs(address, streamId, ...outputs);
const stateOf = (outputId: string) => outputState(address, outputId);

const texts = (frames: readonly string[]) => frames.map((frame) => JSON.parse(frame).short_message);

test('a message reaches the destination once, with its types, however many of its streams have the output', async () => {
  const sink = await startTcpSink();
  const output = await createOutput('org.graylog2.outputs.GelfOutput', {
    hostname: '127.0.0.1',
    port: sink.port,
    protocol: 'TCP',
  });
  const stream = await createStreamOf(address, 'level', '3');
  await attach(ALL_MESSAGES, output);
  await attach(stream, output, output);
  await send({
    short_message: 'first',
    level: 3,
    _count: 7,
    _ok: true,
    _name: 'ä',
    timestamp: 1_700_000_000.5,
  });
  await eventually(() => expect(sink.frames).toHaveLength(1), PATIENCE);
  await send({ short_message: 'second', level: 3 });
  await eventually(() => expect(texts(sink.frames)).toEqual(['first', 'second']), PATIENCE);
  expect(JSON.parse(sink.frames[0] ?? '')).toEqual({
    version: '1.1',
    host: 'mill',
    short_message: 'first',
    timestamp: 1_700_000_000.5,
    level: 3,
    _count: 7,
    _ok: true,
    _name: 'ä',
    _id: expect.stringMatching(/^[0-9A-Z]{26}$/),
    _forwarder: 'org.graylog2.outputs.GelfOutput',
  });
  const record = (await callApi(address, 'GET', `/streams/${stream}`)).body;
  expect(record.outputs).toMatchObject([{ id: output, configuration: { port: sink.port } }]);
  await eventually(async () => {
    expect(await stateOf(output)).toMatchObject({ state: 'RUNNING', queued_messages: 0, sent_messages: 2 });
  }, PATIENCE);
  expect((await callApi(address, 'DELETE', `/system/outputs/${output}`)).status).toBe(204);
  await sink.stop();
});

test('STDOUT prints messages', async () => {
  const output = await createOutput('org.graylog2.outputs.LoggingOutput', { prefix: 'OUT> ' });
  await attach(ALL_MESSAGES, output);
  await send({ short_message: 'to be printed' });
  const [, json] = await node.printed(/OUT> (\{.*"to be printed".*\})\n/);
  expect(JSON.parse(json ?? '')).toMatchObject({ message: 'to be printed', source: 'mill' });
  await callApi(address, 'DELETE', `/system/outputs/${output}`);
});

test('detached, attached again and deleted under load: the node stores everything, and what comes after it is attached arrives', async () => {
  const sink = await startTcpSink();
  const output = await createOutput('gelf', { hostname: '127.0.0.1', port: sink.port });
  await attach(ALL_MESSAGES, output);
  let isLoading = true;
  let sent = 0;
  const load = (async () => {
    while (isLoading) await send({ short_message: `load ${sent++}`, _load: 'detach' });
  })();
  const arrivesNow = (text: string) =>
    eventually(async () => {
      await send({ short_message: text });
      expect(texts(sink.frames)).toContain(text);
    }, PATIENCE);
  try {
    await arrivesNow('attached');
    expect((await callApi(address, 'DELETE', `/streams/${ALL_MESSAGES}/outputs/${output}`)).status).toBe(204);
    await attach(ALL_MESSAGES, output);
    await arrivesNow('attached again');
    expect(await stateOf(output)).toMatchObject({ dropped_messages: 0, refused_messages: 0 });
    expect((await callApi(address, 'DELETE', `/system/outputs/${output}`)).status).toBe(204);
  } finally {
    isLoading = false;
    await load;
  }
  await eventually(async () => {
    const path = '/search/universal/relative?query=load:detach&range=0&limit=1';
    expect((await callApi(address, 'GET', path)).body.total_results).toBe(sent);
  }, PATIENCE);
  await sink.stop();
});

test('a full queue keeps the newest messages across a pause and a kill, and sends them when the destination is back', async () => {
  const first = await startTcpSink();
  const { port } = first;
  await first.stop();
  const output = await createOutput('gelf', { hostname: '127.0.0.1', port, queue_max_size: 16 * 1024 ** 2 });
  await attach(ALL_MESSAGES, output);
  // Whichever worker gets them has half of the queue.
  const padding = 'x'.repeat(30_000);
  const filler = { short_message: 'filler', _padding: padding };
  for (let part = 0; part < 40; part++) await Promise.all(Array.from({ length: 20 }, () => send(filler)));
  for (let number = 0; number < 30; number++) await send({ short_message: `${number}` });
  await eventually(async () => {
    const { dropped_messages: dropped, queued_messages: queued } = await stateOf(output);
    expect(dropped).toBeGreaterThan(0);
    expect(queued + dropped).toBe(830);
  }, PATIENCE);
  const { queued_messages: queued } = await stateOf(output);
  await eventually(async () => {
    expect(await stateOf(output)).toMatchObject({
      state: 'FAILED',
      oldest_message_age_ms: expect.any(Number),
      last_error: { message: expect.stringContaining('ECONNREFUSED') },
    });
  }, PATIENCE);
  expect((await callApi(address, 'PUT', `/system/outputs/${output}/pause`)).status).toBe(204);
  node.kill('SIGKILL');
  await node.exited();
  await start(node.dataDir);
  await eventually(async () => {
    expect(await stateOf(output)).toMatchObject({ state: 'PAUSED', queued_messages: queued });
  }, PATIENCE);
  const sink = await startTcpSink({ port });
  expect((await callApi(address, 'PUT', `/system/outputs/${output}/resume`)).status).toBe(204);
  await eventually(() => expect(sink.frames).toHaveLength(queued), PATIENCE);
  const numbers = texts(sink.frames).filter((text) => text !== 'filler');
  expect(new Set(numbers).size).toBe(30);
  await eventually(async () => {
    expect(await stateOf(output)).toMatchObject({ state: 'RUNNING', queued_messages: 0 });
  }, PATIENCE);
  await callApi(address, 'DELETE', `/system/outputs/${output}`);
  await sink.stop();
});

test('a full queue that blocks loses nothing: messages wait in the journal until the destination is back', async () => {
  const first = await startTcpSink();
  const { port } = first;
  await first.stop();
  const configuration = { hostname: '127.0.0.1', port, queue_max_size: 16 * 1024 ** 2, on_full: 'block' };
  const output = await createOutput('gelf', configuration);
  await attach(ALL_MESSAGES, output);
  const padding = 'x'.repeat(30_000);
  const count = 1600;
  // More than the queues of both workers and what the node holds before it commits.
  for (let number = 0; number < count; number += 20) {
    const some = Array.from({ length: 20 }, (_, index) => `${number + index}`);
    await Promise.all(some.map((text) => send({ short_message: text, _padding: padding, _load: 'block' })));
  }
  await eventually(async () => {
    const { queued_messages: queued, dropped_messages: dropped } = await stateOf(output);
    expect(dropped).toBe(0);
    expect(queued).toBeGreaterThan(100);
    const { body } = await callApi(address, 'GET', '/system/journal');
    expect(body.uncommitted_journal_entries).toBeGreaterThan(100);
  }, PATIENCE);
  const sink = await startTcpSink({ port });
  await eventually(() => expect(new Set(texts(sink.frames)).size).toBe(count), PATIENCE);
  await eventually(async () => {
    expect(await stateOf(output)).toMatchObject({ queued_messages: 0, dropped_messages: 0 });
    const path = '/search/universal/relative?query=load:block&range=0&limit=1';
    expect((await callApi(address, 'GET', path)).body.total_results).toBe(count);
    const { body } = await callApi(address, 'GET', '/system/journal');
    expect(body.uncommitted_journal_entries).toBe(0);
  }, PATIENCE);
  await callApi(address, 'DELETE', `/system/outputs/${output}`);
  await sink.stop();
});

test('what a destination refuses for good is found among the failures, and the next ones go on', async () => {
  const { createServer } = await import('node:http');
  const taken: string[] = [];
  const server = createServer(async (request, response) => {
    const { short_message: text } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    if (text !== 'poison') taken.push(text);
    response.statusCode = text === 'poison' ? 400 : 202;
    response.end(text === 'poison' ? 'not this one' : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const output = await createOutput('gelf', { hostname: '127.0.0.1', port, protocol: 'HTTP' });
  await attach(ALL_MESSAGES, output);
  for (const text of ['before', 'poison', 'after']) await send({ short_message: text });
  await eventually(() => expect(taken.toSorted()).toEqual(['after', 'before']), PATIENCE);
  await eventually(async () => {
    const { body } = await callApi(
      address,
      'GET',
      `/search/universal/relative?query=failure_type:output&range=300&filter=streams:${FAILURES}&decorate=false`,
    );
    expect(body.messages.map(({ message }: { message: Record<string, string> }) => message)).toMatchObject([
      {
        failure_cause: 'output_refused',
        failure_details: expect.stringContaining('400: not this one'),
      },
    ]);
  }, PATIENCE);
  await eventually(
    async () => expect(await stateOf(output)).toMatchObject({ refused_messages: 1 }),
    PATIENCE,
  );
  await callApi(address, 'DELETE', `/system/outputs/${output}`);
  server.close();
});
