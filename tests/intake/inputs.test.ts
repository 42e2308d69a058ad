import dgram from 'node:dgram';
import { once } from 'node:events';
import net from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../packages/server/src/testing/eventually.ts';
import { callApi, KNOWN_PASSWORD } from '../support/node-api.ts';
import { type NodeProcess, startNode } from '../support/node-process.ts';

const running: NodeProcess[] = [];
afterEach(async () => {
  for (const node of running.splice(0)) {
    node.kill('SIGKILL');
    await node.exited();
  }
});

function start(settings: Record<string, string>, dataDir?: string): NodeProcess {
  const node = startNode(settings, { env: KNOWN_PASSWORD, ...(dataDir && { dataDir }) });
  running.push(node);
  return node;
}

const message = (text: string): string =>
  JSON.stringify({ version: '1.1', host: 'test', short_message: text });

async function sendUdp(port: number, text: string): Promise<void> {
  const socket = dgram.createSocket('udp4');
  await new Promise((resolve) => socket.send(message(text), port, '127.0.0.1', resolve));
  socket.close();
}

async function sendTcp(port: number, text: string): Promise<void> {
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.end(`${message(text)}\0`);
  socket.resume();
  await once(socket, 'close');
}

async function sendHttp(port: number, text: string): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/gelf`, { method: 'POST', body: message(text) });
  return response.status;
}

test('inputs from the first start on: default ones, changed at run time, kept over a restart', async () => {
  const node = start({ processing_workers: '2' });
  let address = await node.ready();
  const call = (...args: Parameters<typeof callApi> extends [string, ...infer Rest] ? Rest : never) =>
    callApi(address, ...args);
  const states = async (): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await call('GET', '/system/inputstates')).body.states.map(
        (state: { state: string; message_input: { title: string } }) => [
          state.message_input.title,
          state.state,
        ],
      ),
    );
  expect(await states()).toEqual({ 'GELF UDP': 'RUNNING', 'GELF TCP': 'RUNNING', 'GELF HTTP': 'RUNNING' });
  // So that what arrives stays in the journal, where it can be counted.
  expect((await call('PUT', '/system/processing/pause')).status).toBe(204);

  await sendUdp(await node.inputPort('GELF UDP'), 'by UDP');
  await sendTcp(await node.inputPort('GELF TCP'), 'by TCP');
  expect(await sendHttp(await node.inputPort('GELF HTTP'), 'by HTTP')).toBe(202);
  await eventually(async () => {
    const journal = (await call('GET', '/system/journal')).body;
    expect(journal).toMatchObject({ enabled: true, uncommitted_journal_entries: 3 });
    expect(journal.journal_size).toBeGreaterThan(0);
    expect(journal.number_of_segments).toBeGreaterThan(0);
  });
  // Workers report what they have counted once a second.
  await eventually(async () =>
    expect((await call('GET', '/system/metrics/org.graylog2.throughput.input')).body).toEqual({ count: 3 }),
  );

  // A port that somebody else has: the input is there, says why it does not run, and runs when it can.
  const rival = net.createServer().listen(0, '127.0.0.1');
  await once(rival, 'listening');
  const { port: extra } = rival.address() as net.AddressInfo;
  const created = await call('POST', '/system/inputs', {
    title: 'Extra',
    type: 'gelf-http',
    global: true,
    configuration: { bind_address: '127.0.0.1', port: extra },
  });
  expect(created.status).toBe(201);
  const { id } = created.body;
  const failed = (await call('GET', `/system/inputstates/${id}`)).body;
  expect(failed).toMatchObject({ state: 'FAILED', detailed_message: expect.stringContaining(`${extra}`) });
  const notified = (await call('GET', '/system/notifications')).body.notifications;
  expect(notified).toContainEqual(expect.objectContaining({ type: 'input_failed_to_start' }));
  rival.close();
  await once(rival, 'close');
  await eventually(async () => expect((await states()).Extra).toBe('RUNNING'), { timeoutMs: 30_000 });
  expect(await sendHttp(extra, 'by the extra one')).toBe(202);

  // Stopped nobody listens; started somebody does again.
  await call('DELETE', `/system/inputstates/${id}`);
  await expect(sendHttp(extra, 'refused')).rejects.toThrow();
  await call('PUT', `/system/inputstates/${id}`);
  expect(await sendHttp(extra, 'after the start')).toBe(202);
  await call('DELETE', `/system/inputstates/${id}`);

  // One default input is deleted, for good.
  const list = (await call('GET', '/system/inputs')).body.inputs;
  const udpInput = list.find(({ title }: { title: string }) => title === 'GELF UDP');
  expect((await call('DELETE', `/system/inputs/${udpInput.id}`)).status).toBe(204);

  node.kill('SIGTERM');
  expect(await node.exited()).toEqual({ code: 0, signal: null });
  const again = start({ processing_workers: '1' }, node.dataDir);
  address = await again.ready();
  expect(await states()).toEqual({ 'GELF TCP': 'RUNNING', 'GELF HTTP': 'RUNNING', Extra: 'STOPPED' });
  await sendTcp(await again.inputPort('GELF TCP'), 'after the restart');
  // With one worker instead of two, what the other had taken is stored as well.
  await eventually(
    async () => expect(await call('GET', '/count/total')).toEqual({ status: 200, body: { events: 6 } }),
    { timeoutMs: 120_000 },
  );
  await eventually(async () =>
    expect((await call('GET', '/system/journal')).body.uncommitted_journal_entries).toBe(0),
  );
  again.kill('SIGTERM');
  expect(await again.exited()).toEqual({ code: 0, signal: null });
});

test('what was acknowledged is in the journal at once, also for whoever asks', async () => {
  const node = start({ processing_workers: '2' });
  const address = await node.ready();
  expect((await callApi(address, 'PUT', '/system/processing/pause')).status).toBe(204);
  const port = await node.inputPort('GELF HTTP');
  // Workers report once a second: these are sent and asked for in between.
  for (let sent = 1; sent <= 20; sent++) {
    expect(await sendHttp(port, `message ${sent}`)).toBe(202);
    const { body } = await callApi(address, 'GET', '/system/journal');
    expect(body.uncommitted_journal_entries).toBe(sent);
  }
});
