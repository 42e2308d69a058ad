/**
 * Sends one request over and over on keep-alive connections, from a process of its own, and prints how many were
 * answered. Speaks HTTP by hand, so that it needs less CPU than the server it measures:
 * `node bench/http-load.ts '{"port":1,"request":"GET / HTTP/1.1\r\n…","connections":8,"seconds":3}'`
 */
import net from 'node:net';

export interface LoadOrder {
  readonly port: number;
  /** Start line, headers and the empty line. */
  readonly request: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** How many answers were not 200. */
  readonly otherStatuses: number;
  readonly latencyMs: { readonly p50: number; readonly p99: number };
}

const order = JSON.parse(process.argv[2] ?? '{}') as LoadOrder;
const latencies: number[] = [];
let otherStatuses = 0;
let isOver = false;

/** One request at a time; the answer must have a content length, which all of ours have. */
function runConnection(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = net.connect(order.port, '127.0.0.1');
  let received = '';
  let sentAt = 0;

  function send(): void {
    if (isOver) {
      socket.destroy();
      resolve();
      return;
    }
    received = '';
    sentAt = performance.now();
    socket.write(order.request);
  }

  function isComplete(): boolean {
    const end = received.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const length = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, end))?.[1];
    return received.length - end - 4 >= Number(length ?? 0);
  }

  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  socket.on('connect', send);
  socket.on('error', reject);
  socket.on('data', (chunk: string) => {
    received += chunk;
    if (!isComplete()) return;
    latencies.push(performance.now() - sentAt);
    if (!received.startsWith('HTTP/1.1 200')) otherStatuses++;
    send();
  });
  return promise;
}

/**
 * Keeps this process awake. If it slept between answers, every write of the server would have to wake it, which in a
 * virtual machine costs the server more than answering, and the more so the slower it is.
 */
function stayAwake(): void {
  if (!isOver) setImmediate(stayAwake);
}

stayAwake();
const started = performance.now();
setTimeout(() => {
  isOver = true;
}, order.seconds * 1000);
await Promise.all(Array.from({ length: order.connections }, runConnection));
const seconds = (performance.now() - started) / 1000;
const sorted = Float64Array.from(latencies).sort();
const quantile = (share: number) =>
  Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 1000) / 1000;
const result: LoadResult = {
  requests: latencies.length,
  seconds,
  otherStatuses,
  latencyMs: { p50: quantile(0.5), p99: quantile(0.99) },
};
console.log(JSON.stringify(result));
