/**
 * Sends messages of a mix over TCP, null-byte framed: `node mix-sender.ts <mix> <port> <messages> <connections> [first]`.
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

const [mixName = '', portText, messagesText, connectionsText, firstText = '0'] = process.argv.slice(2);
const messages = Number(messagesText);
const connections = Number(connectionsText);
const MESSAGES_A_WRITE = 200;
const firstOfAll = Number(firstText);

const mix = openMix(mixName);
const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'millrace-bench-sender-'));
process.on('exit', () => fs.rmSync(directory, { recursive: true, force: true }));
const file = fs.openSync(path.join(directory, 'frames'), 'w+');
const writes: { readonly at: number; readonly length: number }[] = [];
let at = 0;
for (let first = 0; first < messages; first += MESSAGES_A_WRITE) {
  const count = Math.min(MESSAGES_A_WRITE, messages - first);
  const frames = Array.from({ length: count }, (_, index) => `${mix.message(firstOfAll + first + index)}\0`);
  const bytes = Buffer.from(frames.join(''));
  fs.writeSync(file, bytes);
  writes.push({ at, length: bytes.length });
  at += bytes.length;
}
const rawBytes = at - messages;

console.log('ready');
process.stdin.resume();
await once(process.stdin, 'end');

const start = performance.now();
let next = 0;
await Promise.all(
  Array.from({ length: connections }, async () => {
    const socket = connect(Number(portText), '127.0.0.1');
    await once(socket, 'connect');
    socket.resume();
    for (let write = writes[next++]; write !== undefined; write = writes[next++]) {
      const bytes = Buffer.allocUnsafe(write.length);
      fs.readSync(file, bytes, 0, write.length, write.at);
      if (!socket.write(bytes)) await once(socket, 'drain');
    }
    socket.end();
    await once(socket, 'close');
  }),
);
console.log(JSON.stringify({ rawBytes, seconds: (performance.now() - start) / 1000 }));
