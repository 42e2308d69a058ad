import type { Clock } from '#core/index.ts';

/**
 * Memory that the connections of an input share for what has not arrived completely: unfinished frames and bodies.
 *
 * When it is used up, the share that costs the others most is evicted. The cost of a share is its bytes × how long it
 * has held them × all bytes of its sender's address. A sender that is quick, or sends little, keeps its place beside any
 * number of connections that hold on to memory; many connections of one address count together.
 */
export interface SharedMemory {
  /** `evict` is called at most once, after the share was closed. */
  open(address: string, evict: (bytes: number) => void): MemoryShare;
  readonly usedBytes: number;
}

export interface MemoryShare {
  readonly bytes: number;
  /** Holds this much from now on. A growing share may evict others, or itself: see `isOpen`. */
  resize(bytes: number): void;
  /** What it holds begins now. */
  restart(): void;
  /** How long it has held what it holds. */
  readonly ageMs: number;
  /** It is complete and will be released soon: it is not evicted any more. */
  pin(): void;
  /** False after `close` and after an eviction. */
  readonly isOpen: boolean;
  close(): void;
}

export interface SharedMemorySettings {
  readonly limitBytes: number;
}

export function createSharedMemory(
  deps: { readonly monotonic: Clock },
  settings: SharedMemorySettings,
): SharedMemory {
  return new Memory(deps.monotonic, settings.limitBytes);
}

interface Address {
  readonly name: string;
  bytes: number;
  shares: number;
}

class Memory implements SharedMemory {
  usedBytes = 0;
  readonly monotonic: Clock;
  readonly limitBytes: number;
  readonly #shares = new Set<Share>();
  readonly #addresses = new Map<string, Address>();

  constructor(monotonic: Clock, limitBytes: number) {
    this.monotonic = monotonic;
    this.limitBytes = limitBytes;
  }

  open(name: string, evict: (bytes: number) => void): MemoryShare {
    let address = this.#addresses.get(name);
    if (address === undefined) {
      address = { name, bytes: 0, shares: 0 };
      this.#addresses.set(name, address);
    }
    address.shares += 1;
    const share = new Share(this, address, evict);
    this.#shares.add(share);
    return share;
  }

  forget(share: Share, address: Address): void {
    this.#shares.delete(share);
    address.shares -= 1;
    if (address.shares === 0) this.#addresses.delete(address.name);
  }

  makeRoom(growing: Share): void {
    while (this.usedBytes > this.limitBytes && growing.isOpen) (this.#mostCostly() ?? growing).evict();
  }

  #mostCostly(): Share | undefined {
    const now = this.monotonic.now();
    let highest = 0;
    let found: Share | undefined;
    for (const share of this.#shares) {
      const cost = share.costAt(now);
      if (cost <= highest) continue;
      highest = cost;
      found = share;
    }
    return found;
  }
}

class Share implements MemoryShare {
  bytes = 0;
  isOpen = true;
  readonly #memory: Memory;
  readonly #address: Address;
  readonly #evicted: (bytes: number) => void;
  #since: number;
  #pinned = false;

  constructor(memory: Memory, address: Address, evicted: (bytes: number) => void) {
    this.#memory = memory;
    this.#address = address;
    this.#evicted = evicted;
    this.#since = memory.monotonic.now();
  }

  get ageMs(): number {
    return this.#memory.monotonic.now() - this.#since;
  }

  resize(bytes: number): void {
    if (!this.isOpen) return;
    const growth = bytes - this.bytes;
    this.bytes = bytes;
    this.#address.bytes += growth;
    this.#memory.usedBytes += growth;
    if (growth > 0) this.#memory.makeRoom(this);
  }

  restart(): void {
    this.#since = this.#memory.monotonic.now();
  }

  pin(): void {
    this.#pinned = true;
  }

  close(): void {
    if (!this.isOpen) return;
    this.resize(0);
    this.isOpen = false;
    this.#memory.forget(this, this.#address);
  }

  costAt(now: number): number {
    if (this.#pinned) return 0;
    return this.bytes * Math.max(1, now - this.#since) * this.#address.bytes;
  }

  evict(): void {
    const { bytes } = this;
    this.close();
    this.#evicted(bytes);
  }
}
