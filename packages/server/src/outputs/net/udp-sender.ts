import dgram from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { errorCode, errorMessage, formatHostPort } from '#core/index.ts';
import { type OutgoingMessage, RefusedError, SomeRefusedError } from '../output.ts';

/** How long an address is used before its name is looked up again. */
const LOOKUP_EVERY_MS = 60_000;

/** Datagrams to one destination. Nobody says whether they arrive; only a closed port is noticed, on most networks. */
export interface UdpSender {
  connect(): Promise<void>;
  /**
   * Sends messages as the datagrams that `datagramsOf` makes of each, and looks the name up again from time to time.
   * A message that is refused, by `datagramsOf` or by the network, does not hold up the others.
   */
  send(messages: readonly OutgoingMessage[], datagramsOf: (payload: Buffer) => Buffer[]): Promise<void>;
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
    await new Promise<void>((resolve, reject) => {
      opened.connect(port, found.address, (error?: Error | null) => {
        if (!error) {
          resolve();
          return;
        }
        opened.close();
        reject(new Error(`cannot send to ${address}: ${errorMessage(error)}`, { cause: error }));
      });
    });
    socket = opened;
    lookedUpAt = performance.now();
  }

  async function refresh(): Promise<void> {
    if (failure !== undefined) throw failure;
    if (performance.now() - lookedUpAt > LOOKUP_EVERY_MS) await connect();
  }

  function sendDatagram(datagram: Buffer): Promise<void> {
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
  }

  return {
    connect,
    async send(messages, datagramsOf) {
      await refresh();
      const refused = new Map<number, string>();
      for (const [position, { payload }] of messages.entries()) {
        try {
          for (const datagram of datagramsOf(payload)) await sendDatagram(datagram);
        } catch (error) {
          if (!(error instanceof RefusedError)) throw error;
          refused.set(position, error.message);
        }
      }
      if (refused.size > 0) throw new SomeRefusedError(refused);
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
