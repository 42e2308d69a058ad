/**
 * Steady senders on every input. They go on whatever happens to the node and never send a message twice.
 *
 * What counts as acknowledged:
 * - HTTP: the request was answered with 202.
 * - TCP: the sender closed its side, the node closed its own in order, and neither node nor worker was killed in the
 *   second after that. The node closes a connection when the journal has taken its messages, which are on disk a few
 *   milliseconds later. A connection that was cut says nothing.
 * - UDP: nothing. What the kernel or a node that is away drops is never read; such messages can only be stored twice.
 */
import { randomBytes } from 'node:crypto';
import dgram from 'node:dgram';
import http from 'node:http';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { splitIntoChunks } from '../../../packages/server/src/codecs/index.ts';
import type { Channel, Ledger } from './ledger.ts';

export interface SoakSenders {
  /** To be called right before node or worker are killed: what was closed a moment ago is not acknowledged. */
  forgetClosing(): void;
  stop(): Promise<void>;
}

export interface SoakSendersConfig {
  readonly ports: { readonly http: number; readonly tcp: number; readonly udp: number };
  readonly ledger: Ledger;
}

const HTTP_SENDERS = 4;
const HTTP_PAUSE_MS = 60;
const HTTP_BULK = 10;
const TCP_CONNECTIONS = 3;
const TCP_PAUSE_MS = 100;
const TCP_MESSAGES_A_WRITE = 8;
const TCP_WRITES = 40;
const UDP_PAUSE_MS = 25;
const CHUNK_BYTES = 300;
/** The journal flushes every 5 ms. */
const UNTIL_DURABLE_MS = 1000;
/** A node that is killed never answers; nobody waits for it longer than this. */
const ANSWER_TIMEOUT_MS = 60_000;

export function startSoakSenders({ ports, ledger }: SoakSendersConfig): SoakSenders {
  let isStopping = false;
  let kills = 0;
  const agent = new http.Agent({ keepAlive: true, maxSockets: HTTP_SENDERS });
  const udp = dgram.createSocket('udp4');
  // A port without a listener answers with an error; that is the kernel's way of dropping.
  udp.on('error', () => {});

  async function sendHttp(): Promise<void> {
    for (let round = 0; !isStopping; round++) {
      const numbers = Array.from({ length: round % 4 === 0 ? HTTP_BULK : 1 }, () => ledger.next('h'));
      const body = Buffer.from(numbers.map((number) => gelf('h', number)).join('\n'));
      const isCompressed = round % 3 === 0;
      const status = await post(agent, ports.http, isCompressed ? gzipSync(body) : body, isCompressed);
      if (status === 202) ledger.acknowledge('h', numbers);
      await delay(HTTP_PAUSE_MS);
    }
  }

  async function sendTcp(): Promise<void> {
    while (!isStopping) {
      const numbers: number[] = [];
      const socket = net.connect(ports.tcp, '127.0.0.1');
      const closed = closedInOrder(socket);
      for (let write = 0; write < TCP_WRITES && !isStopping && !socket.destroyed; write++) {
        if (!socket.writableNeedDrain) {
          const batch = Array.from({ length: TCP_MESSAGES_A_WRITE }, () => ledger.next('t'));
          numbers.push(...batch);
          socket.write(batch.map((number) => `${gelf('t', number)}\0`).join(''));
        }
        await delay(TCP_PAUSE_MS);
      }
      socket.end();
      if (await closed) {
        const killsBefore = kills;
        await delay(UNTIL_DURABLE_MS);
        if (kills === killsBefore) ledger.acknowledge('t', numbers);
      }
    }
  }

  async function sendUdp(): Promise<void> {
    for (let round = 0; !isStopping; round++) {
      const payload = Buffer.from(gelf('u', ledger.next('u')));
      const datagrams =
        round % 5 === 0
          ? splitIntoChunks(payload, randomBytes(8), CHUNK_BYTES)
          : [round % 5 === 1 ? gzipSync(payload) : payload];
      for (const datagram of datagrams) udp.send(datagram, ports.udp, '127.0.0.1');
      await delay(UDP_PAUSE_MS);
    }
  }

  const senders = [
    ...Array.from({ length: HTTP_SENDERS }, sendHttp),
    ...Array.from({ length: TCP_CONNECTIONS }, sendTcp),
    sendUdp(),
  ];
  return {
    forgetClosing() {
      kills += 1;
    },
    async stop() {
      isStopping = true;
      await Promise.all(senders);
      agent.destroy();
      udp.close();
    },
  };
}

function gelf(channel: Channel, number: number): string {
  return JSON.stringify({
    version: '1.1',
    host: `soak-${number % 7}`,
    short_message: `${channel}${number}`,
    level: number % 8,
    _status: number % 5 === 0 ? 500 : 200,
    _took_ms: (number * 37) % 1000,
    _path: `/orders/${number % 1000}`,
    _request_id: randomBytes(12).toString('hex'),
  });
}

/** True when the other side ended the connection after all of this one had been sent. */
function closedInOrder(socket: net.Socket): Promise<boolean> {
  return new Promise((resolve) => {
    let hasEnded = false;
    socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy());
    socket.on('error', () => {});
    socket.on('end', () => {
      hasEnded = socket.writableFinished;
    });
    socket.on('close', (hadError) => resolve(hasEnded && !hadError));
    socket.resume();
  });
}

/** The status, or undefined when there was no answer. */
function post(
  agent: http.Agent,
  port: number,
  body: Buffer,
  isCompressed: boolean,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = isCompressed ? { 'content-encoding': 'gzip' } : {};
    const request = http.request(
      { agent, port, host: '127.0.0.1', path: '/gelf', method: 'POST', headers, timeout: ANSWER_TIMEOUT_MS },
      (response) => {
        response.resume();
        response.on('close', () => resolve(response.statusCode));
      },
    );
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(undefined));
    request.end(body);
  });
}
