/**
 * `npm run bench -- intake [messages] [part of a name]`: what a message costs from the socket to the durable
 * journal, over TCP, HTTP (one and many in a request) and UDP, beside JSON.parse of the same payload in the same run as the
 * yardstick; for single messages over HTTP also servers that only answer. With part of a name, only the measurements whose
 * names contain it run: `http`, `udp`, `tcp`. The sender is another process; CPU is that of this one, its disk and zlib
 * workers included.
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { InvalidConfiguration, systemClock } from '../../packages/server/src/core/index.ts';
import { INPUT_TYPES, type UdpReading } from '../../packages/server/src/inputs/index.ts';
import { type JournalPartition, openPartition } from '../../packages/server/src/journal/index.ts';
import { createMetrics } from '../../packages/server/src/telemetry/index.ts';
import { localByteBudget } from '../../packages/server/src/testing/local-byte-budget.ts';
import { webMessage } from '../support/web-message.ts';

const SENDER = path.resolve(import.meta.dirname, '../support/intake-sender.ts');
const MESSAGES = 1_000_000;
const UDP_RATE = 50_000;
const GIB = 1024 ** 3;
const FLUSH_AGE_MS = 5;
const BARE_ANSWER = 'HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n';
const BY_NODE: UdpReading = { loadCalls: () => Promise.resolve(undefined) };

interface Step {
  readonly kind: string;
  readonly type: string;
  readonly messages: number;
  readonly receiveBuffer?: number;
  readonly udpReading?: UdpReading;
}

interface Measured {
  readonly messages: number;
  readonly messagesPerSecond: number;
  readonly microsecondsCpu: number;
  /** Cost against JSON.parse of the payload. */
  readonly ratio: number;
}

export async function run(args: readonly string[]): Promise<void> {
  const messages = Number(args[0] ?? MESSAGES);
  const only = args[1];
  const payload = webMessage();
  const directory = await mkdtemp(path.join(tmpdir(), 'millrace-bench-intake-'));
  measureParse(payload, messages / 10);
  const parse = measureParse(payload, messages);
  console.log(
    `JSON.parse     ${parse.toFixed(2)} µs CPU, ${payload.length} bytes; load ${loadavg()[0]?.toFixed(1)}`,
  );
  const plan: (Step & { readonly name: string })[] = [
    { name: 'warm-up', kind: 'tcp', type: 'gelf-tcp', messages: messages / 10 },
    { name: 'tcp', kind: 'tcp', type: 'gelf-tcp', messages },
    // A short run first, so that the code is compiled when it is measured.
    { name: 'warm-up http', kind: 'http', type: 'gelf-http', messages: messages / 50 },
    { name: 'httpSingle', kind: 'http', type: 'gelf-http', messages: messages / 10 },
    // One connection, whose sender waits for each answer: how long an answer takes.
    { name: 'httpOneSender', kind: 'http-one', type: 'gelf-http', messages: messages / 500 },
    { name: 'httpBulk', kind: 'bulk', type: 'gelf-http', messages },
    { name: 'udp', kind: 'udp', type: 'gelf-udp', messages: messages / 2 },
    // The buffer that Linux before 6.18 gives without special rights.
    { name: 'udpSmallBuffer', kind: 'udp', type: 'gelf-udp', messages: messages / 2, receiveBuffer: 212_992 },
    // The same as Node alone reads it, where many datagrams cannot be received at a time.
    { name: 'udpByNode', kind: 'udp', type: 'gelf-udp', messages: messages / 2, udpReading: BY_NODE },
  ];
  const results: Record<string, unknown> = {};
  try {
    for (const { name, ...step } of plan) {
      if (only !== undefined && !name.includes(only)) continue;
      const measured = await receive(path.join(directory, name), payload, step, parse);
      console.log(
        `${name.padEnd(14)} ${measured.microsecondsCpu.toFixed(2)} µs CPU (${measured.ratio.toFixed(2)} of JSON.parse), ` +
          `${Math.round(measured.messagesPerSecond)} messages/s, RSS ${measured.rssMegabytes.join(' → ')} MB` +
          (step.kind === 'udp' ? `, lost ${measured.lostPercent.toFixed(4)} % at ${UDP_RATE}/s` : ''),
      );
      if (!name.startsWith('warm-up')) results[name] = measured;
      if (name === 'httpSingle') results.httpFloors = await measureFloors(payload, step.messages);
    }
    console.log(
      JSON.stringify({
        bench: 'intake',
        payloadBytes: payload.length,
        parseMicroseconds: parse,
        load: loadavg()[0],
        ...results,
      }),
    );
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function receive(
  directory: string,
  payload: Buffer,
  step: Step,
  parse: number,
): Promise<Measured & { lostPercent: number; rssMegabytes: number[] }> {
  const journal = await open(directory);
  const { input, port } = await startInput(journal, step);
  const rss: number[] = [];
  globalThis.gc?.();
  const sampler = setInterval(() => rss.push(process.memoryUsage.rss()), 100);
  const cpu = process.cpuUsage();
  const start = performance.now();
  const { seconds } = await send(step.kind, port, step.messages, payload);
  await input.stop();
  while (journal.writer.durableOffset < journal.writer.nextOffset)
    await new Promise((done) => setTimeout(done, 1));
  const elapsed = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  clearInterval(sampler);
  const received = journal.writer.durableOffset;
  await journal.close();
  const sent = step.kind === 'udp' ? step.messages + 1 : step.messages;
  const microsecondsCpu = (user + system) / received;
  const third = Math.floor(rss.length / 3);
  return {
    messages: received,
    messagesPerSecond: received / (step.kind === 'udp' ? seconds : elapsed),
    microsecondsCpu,
    ratio: microsecondsCpu / parse,
    lostPercent: Math.max(0, ((sent - received) / sent) * 100),
    // After a third, when everything is warm, and the most of the last third.
    rssMegabytes: [rss[third] ?? 0, Math.max(0, ...rss.slice(-third))].map((bytes) =>
      Math.round(bytes / 1024 ** 2),
    ),
  };
}

function open(directory: string): Promise<JournalPartition> {
  return openPartition(
    {
      clock: systemClock,
      budget: localByteBudget(20 * GIB),
      report: (incident) => {
        throw new Error(incident.message);
      },
    },
    { directory, flushAgeMs: FLUSH_AGE_MS, fullPolicy: 'block' },
  );
}

async function startInput(journal: JournalPartition, { type, receiveBuffer, udpReading }: Step) {
  const created = INPUT_TYPES.find(type)?.create(
    {
      inputId: '65a1b2c3d4e5f60718293a4b',
      journal: journal.writer,
      metrics: createMetrics(),
      logger: pino({ level: 'silent' }),
      clock: systemClock,
      shared: true,
      udpReceiveBufferBytes: 1024 * 1024,
      ...(udpReading === undefined ? {} : { udpReading }),
      selfSignedCertificate: () => Promise.reject(new Error('not needed')),
      failed: (reason) => {
        throw new Error(reason);
      },
    },
    { bind_address: '127.0.0.1', port: 0, recv_buffer_size: receiveBuffer ?? 4 * 1024 * 1024 },
  );
  if (created === undefined || created instanceof InvalidConfiguration) throw new Error(type);
  const { port } = await created.start();
  return { input: created, port };
}

function send(kind: string, port: number, messages: number, payload: Buffer): Promise<{ seconds: number }> {
  return new Promise((resolve, reject) => {
    const args = [SENDER, kind, String(port), String(messages), String(UDP_RATE)];
    const child = execFile(process.execPath, args, (error, output) => {
      if (error) reject(error);
      else resolve(JSON.parse(output) as { seconds: number });
    });
    child.stdin?.end(payload);
  });
}

/** What the same requests cost servers that do nothing with them. They answer together, as the journal makes inputs do. */
async function measureFloors(payload: Buffer, messages: number): Promise<Record<string, number>> {
  const answerLater = answersTogether();
  const floors: Record<string, number> = {
    bareNodeHttp: await measureServer(
      createHttpServer((request, response) => {
        request.resume();
        request.on('end', () =>
          answerLater(() => {
            response.writeHead(202, { 'Content-Length': 0 });
            response.end();
          }),
        );
      }),
      payload,
      messages,
    ),
    bareSocket: await measureServer(
      createTcpServer({ noDelay: true }, (socket) => {
        socket.on('error', () => socket.destroy());
        socket.on('data', () => answerLater(() => socket.write(BARE_ANSWER, 'latin1')));
      }),
      payload,
      messages,
    ),
  };
  for (const [name, microseconds] of Object.entries(floors)) {
    console.log(`${name.padEnd(14)} ${microseconds.toFixed(2)} µs CPU`);
  }
  return floors;
}

function answersTogether(): (answer: () => void) => void {
  let waiting: (() => void)[] = [];
  return (answer) => {
    if (waiting.length === 0) {
      setTimeout(() => {
        const due = waiting;
        waiting = [];
        for (const each of due) each();
      }, FLUSH_AGE_MS);
    }
    waiting.push(answer);
  };
}

async function measureServer(server: TcpServer, payload: Buffer, messages: number): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await send('http', port, messages / 5, payload);
  const cpu = process.cpuUsage();
  await send('http', port, messages, payload);
  const { user, system } = process.cpuUsage(cpu);
  server.close();
  return (user + system) / messages;
}

function measureParse(payload: Buffer, messages: number): number {
  const cpu = process.cpuUsage();
  let sum = 0;
  for (let i = 0; i < messages; i += 1) sum += JSON.parse(payload.toString('utf8')).level;
  if (sum !== messages * 6) throw new Error('JSON.parse gave something else');
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / messages;
}
