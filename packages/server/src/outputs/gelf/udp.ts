import { randomFillSync } from 'node:crypto';
import dgram from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { compressPayload, splitIntoDatagrams } from '#codecs/index.ts';
import { errorMessage, PermanentError } from '#core/index.ts';
import { type Output, RefusedError } from '../output.ts';
import type { GelfConfig } from './config.ts';

/** How long an address is used before its name is looked up again. */
const LOOKUP_EVERY_MS = 60_000;

/** GELF in datagrams. Nobody says whether they arrive; only a closed port is noticed, on most networks. */
export function createGelfUdpOutput(config: GelfConfig): Output {
  const { hostname, port, compression, max_datagram_size: maxBytes } = config;
  let socket: dgram.Socket | undefined;
  let lookedUpAt = 0;
  let failure: Error | undefined;

  async function connect(): Promise<void> {
    socket?.close();
    socket = undefined;
    failure = undefined;
    const { address, family } = await lookup(hostname).catch((error: unknown) => {
      throw new Error(`cannot find the address of ${hostname}: ${errorMessage(error)}`, { cause: error });
    });
    const opened = dgram.createSocket(family === 6 ? 'udp6' : 'udp4');
    opened.on('error', (error) => {
      failure = new Error(`cannot send to ${hostname}:${port}: ${errorMessage(error)}`);
    });
    await new Promise<void>((resolve) => opened.connect(port, address, resolve));
    socket = opened;
    lookedUpAt = performance.now();
  }

  function send(datagram: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      if (socket === undefined) reject(new Error('the socket is closed'));
      else socket.send(datagram, (error) => (error ? reject(error) : resolve()));
    });
  }

  return {
    connect,
    async send(messages) {
      if (failure !== undefined) throw failure;
      if (performance.now() - lookedUpAt > LOOKUP_EVERY_MS) await connect();
      for (const { payload } of messages) {
        for (const datagram of datagramsOf(compressPayload(payload, compression), maxBytes))
          await send(datagram);
      }
    },
    async close() {
      socket?.close();
      socket = undefined;
      return true;
    },
  };
}

function datagramsOf(payload: Buffer, maxBytes: number): Buffer[] {
  try {
    return splitIntoDatagrams(payload, randomFillSync(Buffer.alloc(8)), maxBytes);
  } catch (error) {
    if (error instanceof PermanentError) throw new RefusedError(error.message);
    throw error;
  }
}
