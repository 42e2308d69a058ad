/**
 * Sends messages of a mix over TCP, null-byte framed: `node mix-sender.ts <mix> <port> <messages> <connections> [first]`. With
 * the path of a URL behind it, it posts them there as lines of JSON, as VictoriaLogs takes them.
 * A process of its own, so that its CPU is not counted; the bytes are made before the first one is sent, when it prints
 * `ready`, and it starts when its standard input ends. They are kept in a file: five million messages do not fit into
 * memory. Prints how many bytes of GELF they were and how long it took.
 *
 * All messages are different, from number `first` on: rows that are the same stand together in the table and would make
 * it far smaller than it is.
 */
import { once } from 'node:events';
import fs from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { openMix } from '../mixes.ts';
import { jsonLine } from './json-line.ts';

const [mixName = '', portText, messagesText, connectionsText, firstText = '0', urlPath] =
  process.argv.slice(2);
const messages = Number(messagesText);
const connections = Number(connectionsText);
const MESSAGES_A_WRITE = 200;
/** What a shipper of logs would send at once: some hundred kilobytes. */
const LINES_A_REQUEST = 1000;
const firstOfAll = Number(firstText);

const mix = openMix(mixName);
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-bench-sender-'));
process.on('exit', () => fs.rmSync(directory, { recursive: true, force: true }));
const file = fs.openSync(path.join(directory, 'frames'), 'w+');
const writes: { readonly at: number; readonly length: number }[] = [];
let at = 0;
let rawBytes = 0;
for (let first = 0; first < messages; first += MESSAGES_A_WRITE) {
  const count = Math.min(MESSAGES_A_WRITE, messages - first);
  const gelf = Array.from({ length: count }, (_, index) => mix.message(firstOfAll + first + index));
  rawBytes += Buffer.byteLength(gelf.join(''));
  const bytes = Buffer.from(
    urlPath === undefined ? `${gelf.join('\0')}\0` : `${gelf.map(jsonLine).join('\n')}\n`,
  );
  fs.writeSync(file, bytes);
  writes.push({ at, length: bytes.length });
  at += bytes.length;
}

console.log('ready');
process.stdin.resume();
await once(process.stdin, 'end');

const start = performance.now();
let next = 0;
await Promise.all(Array.from({ length: connections }, urlPath === undefined ? sendFrames : postLines));
console.log(JSON.stringify({ rawBytes, seconds: (performance.now() - start) / 1000 }));

async function sendFrames(): Promise<void> {
  const socket = connect(Number(portText), '127.0.0.1');
  await once(socket, 'connect');
  socket.resume();
  for (let bytes = nextBytes(); bytes !== undefined; bytes = nextBytes()) {
    if (!socket.write(bytes)) await once(socket, 'drain');
  }
  socket.end();
  await once(socket, 'close');
}

async function postLines(): Promise<void> {
  for (let bytes = nextBytes(LINES_A_REQUEST); bytes !== undefined; bytes = nextBytes(LINES_A_REQUEST)) {
    const answer = await fetch(`http://127.0.0.1:${portText}${urlPath}`, { method: 'POST', body: bytes });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  }
}

/** The next messages from the file. */
function nextBytes(wanted = MESSAGES_A_WRITE): Buffer<ArrayBuffer> | undefined {
  const taken = writes.slice(next, next + wanted / MESSAGES_A_WRITE);
  next += taken.length;
  const [first] = taken;
  if (first === undefined) return undefined;
  const bytes = Buffer.allocUnsafe(taken.reduce((sum, { length }) => sum + length, 0));
  fs.readSync(file, bytes, 0, bytes.length, first.at);
  return bytes;
}
