import { SocketAddress } from 'node:net';
import { networkInterfaces } from 'node:os';
import { BoundedMap, type FrameSource } from '#core/index.ts';
import type { InputContext } from '../input.ts';
import { frameSource } from './address.ts';

/** Senders that are remembered. Addresses can be spoofed, so there may be any number of them. */
const MAX_SENDERS = 4096;

/** Linux's number for it. */
const AF_INET6 = 10;

/** One frame source for each sender of datagrams; see `FrameSource`. */
export class Senders {
  readonly #context: Pick<InputContext, 'inputId' | 'codecId'>;
  readonly #known = new BoundedMap<string, FrameSource>({ maxEntries: MAX_SENDERS });
  /** The same sources, by the kernel's form of the address. */
  readonly #knownV4 = new BoundedMap<number, FrameSource>({ maxEntries: MAX_SENDERS });
  readonly #knownV6 = new BoundedMap<string, FrameSource>({ maxEntries: MAX_SENDERS });
  #lastAddress = '';
  #lastPort = -1;
  #last: FrameSource | undefined;
  #lastKeyV4 = -1;
  #lastV4: FrameSource | undefined;

  constructor(context: Pick<InputContext, 'inputId' | 'codecId'>) {
    this.#context = context;
  }

  of(address: string, port: number): FrameSource {
    if (this.#last !== undefined && port === this.#lastPort && address === this.#lastAddress)
      return this.#last;
    const key = `${port} ${address}`;
    let source = this.#known.get(key);
    if (source === undefined) {
      source = frameSource(this.#context, address, port);
      this.#known.set(key, source);
    }
    this.#lastAddress = address;
    this.#lastPort = port;
    this.#last = source;
    return source;
  }

  /**
   * The same for a `struct sockaddr_in` or `sockaddr_in6` of a little-endian Linux: family (2 bytes), port (2,
   * most significant first), then the IPv4 address (4), or flow (4), IPv6 address (16) and scope (4).
   */
  atSocketAddress(memory: Buffer, at: number): FrameSource {
    if (memory[at] === AF_INET6) return this.#atV6(memory, at);
    const key = memory.readUIntBE(at + 2, 6);
    if (key === this.#lastKeyV4 && this.#lastV4 !== undefined) return this.#lastV4;
    let source = this.#knownV4.get(key);
    if (source === undefined) {
      const address = `${memory[at + 4]}.${memory[at + 5]}.${memory[at + 6]}.${memory[at + 7]}`;
      source = this.of(address, memory.readUInt16BE(at + 2));
      this.#knownV4.set(key, source);
    }
    this.#lastKeyV4 = key;
    this.#lastV4 = source;
    return source;
  }

  #atV6(memory: Buffer, at: number): FrameSource {
    const key = memory.toString('latin1', at + 2, at + 28);
    let source = this.#knownV6.get(key);
    if (source === undefined) {
      const address = ipv6Text(memory, at + 8) + zoneText(memory, at);
      source = this.of(address, memory.readUInt16BE(at + 2));
      this.#knownV6.set(key, source);
    }
    return source;
  }
}

function ipv6Text(memory: Buffer, at: number): string {
  const groups = Array.from({ length: 8 }, (_, group) => memory.readUInt16BE(at + group * 2).toString(16));
  return new SocketAddress({ family: 'ipv6', address: groups.join(':') }).address;
}

/** A link-local address needs its interface: `%eth0`, as Node writes it. */
function zoneText(memory: Buffer, at: number): string {
  const scope = memory.readUInt32LE(at + 24);
  const isLinkLocal = memory[at + 8] === 0xfe && ((memory[at + 9] as number) & 0xc0) === 0x80;
  if (scope === 0 || !isLinkLocal) return '';
  for (const [name, addresses] of Object.entries(networkInterfaces())) {
    if (addresses?.some((each) => each.family === 'IPv6' && each.scopeid === scope)) return `%${name}`;
  }
  return `%${scope}`;
}
