import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import type { InputTransport } from '../input.ts';
import { listenError } from './address.ts';

/**
 * Checks that a port is free by taking it for a moment. Resolves with its number, which the system chooses for 0.
 * Rejects with an `InputStartError` when it is not free.
 *
 * Workers share a port through `reusePort`, and so would any other process of this user that asks for it:
 * a second node with the same port would not fail but take half of the messages. So before the first worker
 * of a node listens, the node makes sure that nobody else does.
 */
export async function probePort(
  transport: InputTransport,
  bindAddress: string,
  port: number,
): Promise<number> {
  try {
    return await (transport === 'udp' ? probeUdp(bindAddress, port) : probeTcp(bindAddress, port));
  } catch (error) {
    throw listenError(error, transport, bindAddress, port);
  }
}

async function probeUdp(address: string, port: number): Promise<number> {
  const socket = createSocket(isIPv6(address) ? 'udp6' : 'udp4');
  try {
    socket.bind({ address, port, exclusive: true });
    await once(socket, 'listening');
    return socket.address().port;
  } finally {
    await new Promise<void>((resolve) => socket.close(resolve));
  }
}

async function probeTcp(host: string, port: number): Promise<number> {
  const server = createServer();
  server.listen({ host, port, exclusive: true });
  await once(server, 'listening');
  const bound = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof bound === 'object' && bound !== null ? bound.port : port;
}
