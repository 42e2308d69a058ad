import net from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createStreamConnection } from './stream-connection.ts';

/** More than all buffers on the way hold. */
const BYTES = 64 * 1024 * 1024;

/** A destination that accepts a connection and reads nothing. */
async function startServer(): Promise<number> {
  const server = net.createServer({ pauseOnConnect: true }, (socket) => {
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as net.AddressInfo).port;
}

async function connected(stallTimeoutMs: number) {
  const port = await startServer();
  const connection = createStreamConnection(
    { lost: () => {}, stallTimeoutMs },
    { host: '127.0.0.1', port, tls: undefined, connectTimeoutMs: 60_000, noDelay: true, keepAlive: false },
  );
  await connection.connect(new AbortController().signal);
  return connection;
}

test('says why it breaks a connection off, not what the socket says to that', async () => {
  const stalled = await connected(500);
  await expect(stalled.write(Buffer.alloc(BYTES), new AbortController().signal)).rejects.toThrow(
    /^127\.0\.0\.1:\d+ has read nothing for 0\.5 s$/,
  );
  const stopped = await connected(600_000);
  const stopping = new AbortController();
  const writing = stopped.write(Buffer.alloc(BYTES), stopping.signal);
  stopping.abort();
  await expect(writing).rejects.toThrow(/^stopped$/);
});
