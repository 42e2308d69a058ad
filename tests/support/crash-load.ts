import http from 'node:http';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Senders for crash tests. They keep sending whatever happens to the server, and record what it acknowledged. Every
 * message has a unique text: `h<n>` over HTTP, `t<n>` over TCP.
 */
export interface CrashLoad {
  /** Numbers that were answered with 202. */
  readonly acknowledged: ReadonlySet<string>;
  /** Messages given to connected sockets so far, whatever became of them. */
  sentByTcp(): number;
  /** Messages that got another answer over HTTP, or none. */
  unacknowledged(): number;
  sentByHttp(): number;
  /** Lets the TCP senders continue up to this number of messages; HTTP senders never pause. */
  allowTcp(messages: number): void;
  /** Resolves when all senders have ended. */
  stop(): Promise<void>;
}

export interface CrashLoadConfig {
  /** Looked at for every connection: a node that was restarted listens elsewhere. */
  readonly ports: { readonly http: number; readonly tcp: number };
  readonly httpSenders: number;
  readonly tcpConnections: number;
  /** The pause of an HTTP sender after each message; none by default. */
  readonly httpPauseMs?: number;
}

/** The source of all its messages. */
export const SENDER = 'crash';

const PAUSE_MS = 2;
const TCP_BATCH = 100;
const PADDING = 'x'.repeat(200);

function gelf(id: string): string {
  return JSON.stringify({ version: '1.1', host: SENDER, short_message: id, _padding: PADDING });
}

export function startCrashLoad(config: CrashLoadConfig): CrashLoad {
  const acknowledged = new Set<string>();
  const agent = new http.Agent({ keepAlive: true, maxSockets: config.httpSenders });
  let sentByHttp = 0;
  let unacknowledged = 0;
  let sentByTcp = 0;
  let allowedByTcp = 0;
  let isStopping = false;

  /** One message at a time: a sender that waits for its answer. */
  async function sendHttp(): Promise<void> {
    while (!isStopping) {
      // Never sent twice: what got no answer may or may not be there, at most once.
      const id = `h${sentByHttp++}`;
      const isAccepted = (await post(agent, config.ports.http, gelf(id))) === 202;
      if (isAccepted) acknowledged.add(id);
      else unacknowledged += 1;
      const pauseMs = config.httpPauseMs ?? (isAccepted ? 0 : PAUSE_MS);
      if (pauseMs > 0) await delay(pauseMs);
    }
  }

  function nextBatch(): string {
    const count = Math.min(TCP_BATCH, allowedByTcp - sentByTcp);
    return Array.from({ length: count }, () => `${gelf(`t${sentByTcp++}`)}\0`).join('');
  }

  /** As fast as the other side reads, a little at a time so that HTTP gets its share. */
  async function sendTcp(): Promise<void> {
    while (!isStopping) {
      const socket = net.connect(config.ports.tcp, '127.0.0.1');
      let wake = () => {};
      socket.on('error', () => {});
      for (const event of ['connect', 'drain', 'close']) socket.on(event, () => wake());
      while (!socket.destroyed && !isStopping) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        const canWrite = !socket.connecting && !socket.writableNeedDrain;
        if (canWrite && sentByTcp < allowedByTcp) socket.write(nextBatch());
        await (canWrite ? delay(PAUSE_MS) : woken);
      }
      socket.destroySoon();
      await delay(PAUSE_MS);
    }
  }

  const senders = [
    ...Array.from({ length: config.httpSenders }, sendHttp),
    ...Array.from({ length: config.tcpConnections }, sendTcp),
  ];
  return {
    acknowledged,
    sentByTcp: () => sentByTcp,
    unacknowledged: () => unacknowledged,
    sentByHttp: () => sentByHttp,
    allowTcp(messages) {
      allowedByTcp = messages;
    },
    async stop() {
      isStopping = true;
      await Promise.all(senders);
      agent.destroy();
    },
  };
}

/** The status, or undefined when there was no answer. */
function post(agent: http.Agent, port: number, body: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const request = http.request(
      { agent, port, host: '127.0.0.1', path: '/gelf', method: 'POST' },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode));
        response.on('close', () => resolve(response.statusCode));
      },
    );
    request.on('error', () => resolve(undefined));
    request.end(body);
  });
}
