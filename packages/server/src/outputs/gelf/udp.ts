import { randomFillSync } from 'node:crypto';
import { compressPayload, splitIntoDatagrams } from '#codecs/index.ts';
import { PermanentError } from '#core/index.ts';
import { createUdpSender } from '../net/udp-sender.ts';
import { type Output, RefusedError } from '../output.ts';
import type { GelfConfig } from './config.ts';

/** GELF in datagrams. */
export function createGelfUdpOutput(config: GelfConfig): Output {
  const { compression, max_datagram_size: maxBytes } = config;
  const sender = createUdpSender(config);
  return {
    connect: sender.connect,
    send: (messages) =>
      sender.send(messages, (payload) => datagramsOf(compressPayload(payload, compression), maxBytes)),
    async close() {
      sender.close();
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
