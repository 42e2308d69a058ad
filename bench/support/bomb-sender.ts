/**
 * The sending side of the benchmark of decompression bombs: `node bomb-sender.ts <udp|http> <port> <Mbit/s> <seconds>`.
 * Sends payloads that decompress a thousandfold, and beside them one good message each millisecond. Prints how many good
 * messages it sent and, for HTTP, how many were accepted and the slowest answer.
 */
import { createSocket } from 'node:dgram';
import { Agent, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { webMessage } from './web-message.ts';

const MIB = 1024 * 1024;
const [kind = 'udp', portText, megabitsText, secondsText] = process.argv.slice(2);
const port = Number(portText);
const seconds = Number(secondsText);
const bytesPerSecond = (Number(megabitsText) * 1_000_000) / 8;
/** A little less than the input allows, so that all of it is decompressed and journaled. */
const bomb = gzipSync(Buffer.alloc(kind === 'udp' ? 7.9 * MIB : 31.9 * MIB, 0x20), { level: 9 });
const message = webMessage();
const result = { bombs: 0, sent: 0, accepted: 0, slowestMs: 0 };
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
const bombAgent = new Agent({ keepAlive: true, maxSockets: 64 });
const sockets = { good: createSocket('udp4'), bad: createSocket('udp4') };
let waiting = 0;

function post(body: Buffer, by: Agent, answered: (status: number) => void): void {
  waiting += 1;
  const sent = request({ host: '127.0.0.1', port, path: '/gelf', method: 'POST', agent: by }, (response) => {
    response.resume();
    response.on('end', () => {
      waiting -= 1;
      answered(response.statusCode ?? 0);
    });
  });
  sent.on('error', () => {
    waiting -= 1;
  });
  sent.end(body);
}

function sendMessage(): void {
  result.sent += 1;
  if (kind === 'udp') sockets.good.send(message, port, '127.0.0.1');
  else {
    const start = performance.now();
    post(message, agent, (status) => {
      if (status === 202) result.accepted += 1;
      result.slowestMs = Math.max(result.slowestMs, performance.now() - start);
    });
  }
}

function sendBomb(): void {
  result.bombs += 1;
  if (kind === 'udp') sockets.bad.send(bomb, port, '127.0.0.1');
  else post(bomb, bombAgent, () => undefined);
}

const start = performance.now();
const perSecond = kind === 'udp' ? 1000 : 200;
await new Promise<void>((resolve) => {
  const timer = setInterval(() => {
    const elapsed = (performance.now() - start) / 1000;
    if (elapsed >= seconds) {
      clearInterval(timer);
      resolve();
      return;
    }
    while (result.sent < elapsed * perSecond) sendMessage();
    while (result.bombs * bomb.length < elapsed * bytesPerSecond) sendBomb();
  }, 1);
});
for (let i = 0; waiting > 0 && i < 500; i++) await new Promise((resolve) => setTimeout(resolve, 10));
agent.destroy();
bombAgent.destroy();
for (const socket of Object.values(sockets)) socket.close();
console.log(JSON.stringify({ ...result, bombBytes: bomb.length }));
