import net from 'node:net';

export interface TcpSink {
  readonly port: number;
  /** Every complete frame that was received, over all connections, in order. */
  readonly frames: string[];
  readonly connections: number;
  /** Closes the port and all connections. */
  stop(): Promise<void>;
}

export interface TcpSinkOptions {
  readonly port?: number;
  readonly delimiter?: string;
  /** Called with each connection before anything is read. */
  readonly onConnection?: (socket: net.Socket) => void;
}

/** A destination for outputs that reads delimited frames. */
export async function startTcpSink(options: TcpSinkOptions = {}): Promise<TcpSink> {
  const { delimiter = '\0' } = options;
  const frames: string[] = [];
  const sockets = new Set<net.Socket>();
  let connections = 0;
  const server = net.createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    let rest = '';
    socket.setEncoding('utf8');
    socket.on('data', (text) => {
      const parts = (rest + String(text)).split(delimiter);
      rest = parts.pop() ?? '';
      frames.push(...parts);
    });
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    options.onConnection?.(socket);
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    frames,
    get connections() {
      return connections;
    },
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
