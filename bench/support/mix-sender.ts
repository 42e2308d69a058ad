/**
 * Sends messages of a mix over TCP, null-byte framed: `node mix-sender.ts <mix> <port> <messages> <connections>`. A
 * process of its own, so that its CPU is not counted; the bytes are made before the first one is sent, when it prints
 * `ready`, and it starts when its standard input ends. Prints how many bytes of GELF they were and how long it took.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { openMix } from '../mixes.ts';

const [mixName = '', portText, messagesText, connectionsText] = process.argv.slice(2);
const messages = Number(messagesText);
const connections = Number(connectionsText);
const MESSAGES_A_WRITE = 200;
/** More than this is sent again from the beginning: the memory of the sender is not what is measured. */
const MAX_DISTINCT = 400_000;

const mix = openMix(mixName);
const writes: Buffer[] = [];
let rawBytes = 0;
for (let first = 0; first < Math.min(messages, MAX_DISTINCT); first += MESSAGES_A_WRITE) {
  const count = Math.min(MESSAGES_A_WRITE, messages - first);
  const frames = Array.from({ length: count }, (_, index) => `${mix.message(first + index)}\0`);
  writes.push(Buffer.from(frames.join('')));
}

console.log('ready');
process.stdin.resume();
await once(process.stdin, 'end');

const start = performance.now();
let next = 0;
const total = Math.ceil(messages / MESSAGES_A_WRITE);
await Promise.all(
  Array.from({ length: connections }, async () => {
    const socket = connect(Number(portText), '127.0.0.1');
    await once(socket, 'connect');
    socket.resume();
    while (next < total) {
      const bytes = writes[next++ % writes.length] ?? Buffer.alloc(0);
      rawBytes += bytes.length - MESSAGES_A_WRITE;
      if (!socket.write(bytes)) await once(socket, 'drain');
    }
    socket.end();
    await once(socket, 'close');
  }),
);
console.log(JSON.stringify({ rawBytes, seconds: (performance.now() - start) / 1000 }));
