import dgram from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { errorCode, errorMessage, formatHostPort } from '#core/index.ts';
import { RefusedError } from '../output.ts';

/** How long an address is used before its name is looked up again. */
const LOOKUP_EVERY_MS = 60_000;

/** Datagrams to one destination. Nobody says whether they arrive; only a closed port is noticed, on most networks. */
export interface UdpSender {
  connect(): Promise<void>;
  /** Looks the name up again from time to time. Call it before a batch. */
  refresh(): Promise<void>;
  send(datagram: Buffer): Promise<void>;
  close(): void;
}

export function createUdpSender({ hostname, port }: { hostname: string; port: number }): UdpSender {
  const address = formatHostPort(hostname, port);
  let socket: dgram.Socket | undefined;
  let lookedUpAt = 0;
  let failure: Error | undefined;

  async function connect(): Promise<void> {
    socket?.close();
    socket = undefined;
    failure = undefined;
    const found = await lookup(hostname).catch((error: unknown) => {
      throw new Error(`cannot find the address of ${hostname}: ${errorMessage(error)}`, { cause: error });
    });
    const opened = dgram.createSocket(found.family === 6 ? 'udp6' : 'udp4');
    opened.on('error', (error) => {
      failure = new Error(`cannot send to ${address}: ${errorMessage(error)}`);
    });
    await new Promise<void>((resolve) => opened.connect(port, found.address, resolve));
    socket = opened;
    lookedUpAt = performance.now();
  }

  return {
    connect,
    async refresh() {
      if (failure !== undefined) throw failure;
      if (performance.now() - lookedUpAt > LOOKUP_EVERY_MS) await connect();
    },
    send(datagram) {
      return new Promise((resolve, reject) => {
        if (socket === undefined) {
          reject(new Error('the socket is closed'));
          return;
        }
        socket.send(datagram, (error) => {
          if (!error) resolve();
          else if (errorCode(error) === 'EMSGSIZE') reject(new RefusedError(tooLong(datagram)));
          else reject(new Error(`cannot send to ${address}: ${errorMessage(error)}`));
        });
      });
    },
    close() {
      socket?.close();
      socket = undefined;
    },
  };
}

function tooLong(datagram: Buffer): string {
  return `the network takes no datagrams of ${datagram.length} bytes`;
}
