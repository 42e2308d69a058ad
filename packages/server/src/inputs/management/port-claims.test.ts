import dgram from 'node:dgram';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createPortClaims, type PortWish } from './port-claims.ts';

const wish = (changes: Partial<PortWish> = {}): PortWish => ({
  inputId: 'a',
  title: 'First',
  transport: 'tcp',
  address: '127.0.0.1',
  port: 0,
  ...changes,
});

async function listen(options: net.ListenOptions = {}): Promise<net.Server> {
  const server = net.createServer();
  server.listen({ host: '127.0.0.1', port: 0, ...options });
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return server;
}

const portOf = (server: net.Server) => (server.address() as AddressInfo).port;

test('a free port is chosen once and kept while the wish is the same', async () => {
  const claims = createPortClaims();
  const claim = await claims.claim(wish());
  expect(claim).toEqual({ kind: 'claimed', port: expect.any(Number) });
  expect(await claims.claim(wish({ title: 'Renamed' }))).toEqual(claim);
  expect(claims.isOutdated('a', wish())).toBe(false);
  expect(claims.isOutdated('a', wish({ port: 1 }))).toBe(true);
  expect(claims.isOutdated('a', undefined)).toBe(true);
  claims.release('a');
  expect(claims.isOutdated('a', undefined)).toBe(false);
});

test.each(['tcp', 'udp'] as const)('a %s port that another program shares is taken', async (transport) => {
  let port: number;
  if (transport === 'tcp') port = portOf(await listen({ reusePort: true }));
  else {
    const socket = dgram.createSocket({ type: 'udp4', reusePort: true });
    socket.bind({ address: '127.0.0.1', port: 0 });
    await once(socket, 'listening');
    onTestFinished(() => void socket.close());
    port = socket.address().port;
  }
  const claims = createPortClaims();
  expect(await claims.claim(wish({ transport, port }))).toEqual({
    kind: 'taken',
    reason: expect.stringContaining(`${port}`),
  });
});

test('it is free again when the other program is gone', async () => {
  const server = await listen();
  const port = portOf(server);
  const claims = createPortClaims();
  expect((await claims.claim(wish({ port }))).kind).toBe('taken');
  server.close();
  await once(server, 'close');
  expect(await claims.claim(wish({ port }))).toEqual({ kind: 'claimed', port });
});

test('two inputs do not share a port, but may have the same number for TCP and UDP or on other addresses', async () => {
  const claims = createPortClaims(async (_transport, _address, port) => port || 5000);
  await claims.claim(wish());
  const rival = (changes: Partial<PortWish>) => claims.claim(wish({ inputId: 'b', port: 5000, ...changes }));
  expect(await rival({})).toEqual({
    kind: 'taken',
    reason: expect.stringContaining('belongs to the input "First" (a)'),
  });
  expect((await rival({ address: '0.0.0.0' })).kind).toBe('taken');
  expect((await rival({ address: '::' })).kind).toBe('taken');
  expect((await rival({ address: '127.0.0.2' })).kind).toBe('claimed');
  expect((await rival({ transport: 'udp' })).kind).toBe('claimed');
  claims.release('a');
  expect((await rival({})).kind).toBe('claimed');
});
