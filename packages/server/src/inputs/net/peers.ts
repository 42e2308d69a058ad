import type { FrameSource } from '#core/index.ts';
import { peerAddress } from './address.ts';

/** Senders of datagrams that are remembered; a spoofer can make up any number of them. */
const MOST_PEERS = 4096;

/** One source object for each sender, as the journal wants it. */
export class Peers {
  readonly #inputId: string;
  readonly #known = new Map<string, FrameSource>();
  #lastAddress = '';
  #lastPort = -1;
  #last: FrameSource | undefined;

  constructor(inputId: string) {
    this.#inputId = inputId;
  }

  of(address: string, port: number): FrameSource {
    if (this.#last !== undefined && port === this.#lastPort && address === this.#lastAddress)
      return this.#last;
    const key = `${port} ${address}`;
    let source = this.#known.get(key);
    if (source === undefined) {
      if (this.#known.size >= MOST_PEERS) this.#known.clear();
      source = { inputId: this.#inputId, remoteAddress: peerAddress(address), remotePort: port };
      this.#known.set(key, source);
    }
    this.#lastAddress = address;
    this.#lastPort = port;
    this.#last = source;
    return source;
  }
}
