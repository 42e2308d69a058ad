/** The built-in outputs and notifications with destinations keep the contracts that the test kit demands of plugins. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { NOTIFICATION_TYPES } from '#alerts/notifications/service.ts';
import type { RawConfiguration } from '#core/index.ts';
import { OUTPUT_TYPES, type OutputType } from '#outputs/index.ts';
import { stdoutOutputTo } from '#outputs/stdout/output.ts';
import { startKafkaBroker } from '../kafka-broker.ts';
import { notificationSuite, type TestReceiver } from './notification.suite.ts';
import { outputSuite, type TestDestination } from './output.suite.ts';

interface Listening {
  readonly port: number;
  received(): string;
  goAway(): Promise<void>;
  close(): Promise<void>;
}

async function listening(
  server: net.Server,
  received: () => string,
  closeAll: () => void,
): Promise<Listening> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const end = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      closeAll();
    });
  return { port, received, goAway: end, close: end };
}

function openTcp(): Promise<Listening> {
  let text = '';
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      text += bytes.toString();
    });
  });
  return listening(
    server,
    () => text,
    () => {
      for (const socket of sockets) socket.destroy();
    },
  );
}

function openHttp(): Promise<Listening> {
  let text = '';
  const server = http.createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const isCompressed = body[0] === 0x1f && body[1] === 0x8b;
    text += `${decodeURIComponent(request.url ?? '')} ${JSON.stringify(request.headers)} ${isCompressed ? gunzipSync(body) : body}`;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return listening(
    server,
    () => text,
    () => server.closeAllConnections(),
  );
}

async function openKafka(): Promise<Listening> {
  const broker = await startKafkaBroker('logs');
  return {
    port: Number(broker.address.split(':')[1]),
    received: () => broker.records.map(({ value }) => value).join('\n'),
    goAway: () => broker.close(),
    close: () => broker.close(),
  };
}

/** It goes away when something else has the name of its folder. */
async function openFolder(): Promise<TestDestination> {
  const filesDirectory = await mkdtemp(path.join(os.tmpdir(), 'millrace-file-output-'));
  const folder = path.join(filesDirectory, 'logs');
  return {
    configuration: { folder: 'logs' },
    filesDirectory,
    async received() {
      const files = await readdir(folder, { recursive: true, withFileTypes: true });
      const texts = files
        .filter((file) => file.isFile())
        .map((file) => readFile(path.join(file.parentPath, file.name), 'utf8'));
      return (await Promise.all(texts)).join('');
    },
    goAway: () => writeFile(folder, ''),
    close: () => rm(filesDirectory, { recursive: true, force: true }),
  };
}

/** A named pipe, as the standard output of a service is one. It goes away when nobody reads it any more. */
async function openPipe(): Promise<TestDestination & { readonly descriptor: number }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'millrace-stdout-output-'));
  const pipe = path.join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const readable = fs.openSync(pipe, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  const descriptor = fs.openSync(pipe, 'w');
  const reader = new net.Socket({ fd: readable, readable: true, writable: false });
  let text = '';
  reader.on('data', (bytes) => {
    text += bytes.toString();
  });
  const stopReading = async () => {
    if (!reader.destroyed) await once(reader.destroy(), 'close');
  };
  return {
    descriptor,
    configuration: {},
    received: () => text,
    goAway: stopReading,
    async close() {
      await stopReading();
      fs.closeSync(descriptor);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function typeOf(id: string): OutputType {
  const type = OUTPUT_TYPES.find(id);
  if (type === undefined) throw new Error(`there is no output type ${id}`);
  return type;
}

function suiteOf(
  id: string,
  open: () => Promise<Listening>,
  configurationFor: (port: number) => RawConfiguration,
): void {
  outputSuite({
    type: typeOf(id),
    async open() {
      const destination = await open();
      return { ...destination, configuration: configurationFor(destination.port) };
    },
  });
}

const hostname = '127.0.0.1';
const urlOf = (port: number) => `http://${hostname}:${port}/`;
suiteOf('gelf', openTcp, (port) => ({ hostname, port }));
suiteOf('gelf', openHttp, (port) => ({ hostname, port, protocol: 'HTTP', bulk: true }));
suiteOf('syslog', openTcp, (port) => ({ hostname, port, protocol: 'TCP' }));
suiteOf('http', openHttp, (port) => ({ url: urlOf(port) }));
suiteOf('clickhouse', openHttp, (port) => ({ url: urlOf(port), database: 'default', table: 'logs' }));
suiteOf('s3', openHttp, (port) => ({
  endpoint: urlOf(port),
  bucket: 'logs',
  access_key_id: 'key',
  secret_access_key: 'secret',
}));

suiteOf('kafka', openKafka, (port) => ({ brokers: [`${hostname}:${port}`], topic: 'logs' }));
outputSuite({ type: typeOf('file'), open: openFolder });

let standardOutput = -1;
outputSuite({
  type: stdoutOutputTo(() => standardOutput),
  async open() {
    const pipe = await openPipe();
    standardOutput = pipe.descriptor;
    return pipe;
  },
});

const NOTIFICATIONS: Readonly<Record<string, (url: string) => TestReceiver['configuration']>> = {
  http: (url) => ({ url }),
  slack: (url) => ({ webhook_url: url }),
  teams: (url) => ({ webhook_url: url }),
  ntfy: (url) => ({ server_url: url, topic: 'topic' }),
};
for (const [id, configurationFor] of Object.entries(NOTIFICATIONS)) {
  const type = NOTIFICATION_TYPES.find(id);
  if (type === undefined) throw new Error(`there is no notification type ${id}`);
  notificationSuite({
    type,
    async open() {
      const receiver = await openHttp();
      return { ...receiver, configuration: configurationFor(urlOf(receiver.port)) };
    },
  });
}
