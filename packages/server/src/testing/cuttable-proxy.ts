import { once } from 'node:events';
import net from 'node:net';

/**
 * Passes connections on to a port, until it is cut: then all of them end and new ones are refused. Or until it hangs:
 * then nothing that is sent arrives, and nobody is told, as when a cable is pulled.
 */
export interface CuttableProxy {
  readonly port: number;
  cut(): Promise<void>;
  /** New connections are accepted and get no answer either. */
  hang(): void;
  /** Connections that were hanging never hear anything again, as behind a firewall that has forgotten them. */
  mend(): Promise<void>;
}

export async function startCuttableProxy(target: () => number): Promise<CuttableProxy> {
  const sockets = new Set<net.Socket>();
  let isHanging = false;

  function keep(socket: net.Socket, other?: net.Socket): void {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      other?.destroy();
    });
  }

  const server = net.createServer((client) => {
    if (isHanging) return keep(client.pause());
    const upstream = net.connect(target(), '127.0.0.1');
    keep(client, upstream);
    keep(upstream, client);
    client.pipe(upstream);
    upstream.pipe(client);
  });
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as net.AddressInfo).port;
  };
  const port = await listen(0);
  return {
    port,
    async cut() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    hang() {
      isHanging = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    async mend() {
      isHanging = false;
      if (!server.listening) await listen(port);
    },
  };
}
