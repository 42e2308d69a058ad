import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { InputStartError } from '../input.ts';
import { probePort } from './probe.ts';

describe('probePort', () => {
  it('gives a free port and leaves it free', async () => {
    for (const transport of ['tcp', 'udp'] as const) {
      const port = await probePort(transport, '127.0.0.1', 0);
      expect(port).toBeGreaterThan(0);
      expect(await probePort(transport, '127.0.0.1', port)).toBe(port);
    }
  });

  it('notices a port that somebody else shares with reusePort', async () => {
    const socket = createSocket({ type: 'udp4', reusePort: true });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const udpPort = socket.address().port;
    await expect(probePort('udp', '127.0.0.1', udpPort)).rejects.toThrow(InputStartError);
    await expect(probePort('udp', '0.0.0.0', udpPort)).rejects.toThrow('the port is in use');
    socket.close();
    const server = createServer();
    server.listen({ host: '127.0.0.1', port: 0, reusePort: true });
    await once(server, 'listening');
    const address = server.address();
    const tcpPort = typeof address === 'object' && address !== null ? address.port : 0;
    await expect(probePort('tcp', '127.0.0.1', tcpPort)).rejects.toThrow(
      `cannot listen on TCP 127.0.0.1:${tcpPort}: the port is in use`,
    );
    server.close();
  });
});
