/** Which of several servers gets a new batch, and which batches wait for their server. */
import type { ClickHouseServer } from '../clickhouse/index.ts';
import type { AwayShards } from './away-shards.ts';
import { type BatchPlace, shardOfKey } from './batch-token.ts';

export interface InFlight {
  /** In the order in which batches are begun. */
  readonly number: number;
  /** Of its blocks. */
  readonly bytes: number;
  readonly stored: Promise<void>;
}

export interface BatchPlacesDeps {
  /** None while the engine has not started yet. */
  readonly servers: () => readonly ClickHouseServer[];
  readonly awayShards: Pick<AwayShards, 'choose' | 'isWaitedFor'>;
  /** By the keys of the batches, the oldest first. */
  readonly inFlight: ReadonlyMap<string, InFlight>;
  /** Keys of batches in flight with rows that wait until their table accepts others. */
  readonly waitingForOthers: ReadonlySet<string>;
  /** The server that was asked has answered or not: ask for a place again. */
  readonly answered: () => void;
}

export interface BatchPlacesConfig {
  /** Batches on each server. */
  readonly maxInFlight: number;
  /** With a single server: of all batches that are being stored. One that is larger is stored alone. */
  readonly maxBytesInFlight: number;
}

export class BatchPlaces {
  readonly #deps: BatchPlacesDeps;
  readonly #config: BatchPlacesConfig;
  #answered: ClickHouseServer | undefined;
  /** While a server is asked whether it is there for the next batch. */
  asking: Promise<void> | undefined;

  constructor(deps: BatchPlacesDeps, config: BatchPlacesConfig) {
    this.#deps = deps;
    this.#config = config;
  }

  get areSeveral(): boolean {
    return this.#deps.servers().length > 1;
  }

  /** Whether a batch of so many bytes may be begun. While one waits for others, one more may be: it may have them. */
  hasRoomFor(bytes: number): boolean {
    const { maxInFlight } = this.#config;
    const { inFlight, waitingForOthers } = this.#deps;
    if (!this.areSeveral) {
      return inFlight.size < maxInFlight + Math.min(waitingForOthers.size, 1) && this.#fits(bytes);
    }
    const going = this.#going();
    const extra = going.some((key) => waitingForOthers.has(key)) ? 1 : 0;
    return going.length < maxInFlight + extra && this.open().length > 0;
  }

  #fits(bytes: number): boolean {
    const { inFlight, waitingForOthers } = this.#deps;
    let storing = 0;
    for (const [key, batch] of inFlight) if (!waitingForOthers.has(key)) storing += batch.bytes;
    return storing === 0 || storing + bytes <= this.#config.maxBytesInFlight;
  }

  /** The keys of batches in flight that do not wait for their server. */
  #going(): string[] {
    return [...this.#deps.inFlight.keys()].filter((key) => !this.#isWaiting(key));
  }

  /** The oldest batch in flight that waits for its server. */
  oldestWaiting(): InFlight | undefined {
    return this.#deps.inFlight.entries().find(([key]) => this.#isWaiting(key))?.[1];
  }

  waitedFor(): readonly ClickHouseServer[] {
    return this.#deps.servers().filter((server) => this.#deps.awayShards.isWaitedFor(server));
  }

  /** The servers that may get a new batch. */
  open(): readonly ClickHouseServer[] {
    const { inFlight, servers, awayShards } = this.#deps;
    const all = servers();
    const bound = [...inFlight.keys()].map((key) => shardOfKey(key, all.length));
    return all.filter((server, index) => {
      const batches = bound.filter((shard) => shard === index).length;
      return batches < this.#config.maxInFlight && !awayShards.isWaitedFor(server);
    });
  }

  /** For one of the open servers; there must be one. Undefined while one is asked whether it is there. */
  next(): BatchPlace | undefined {
    if (this.asking !== undefined) return undefined;
    const open = this.open();
    const answered = this.#answered;
    this.#answered = undefined;
    const chosen =
      answered !== undefined && open.includes(answered) ? answered : this.#deps.awayShards.choose(open);
    if (chosen instanceof Promise) {
      this.asking = chosen.then((server) => {
        this.asking = undefined;
        this.#answered = server;
        this.#deps.answered();
      });
      return undefined;
    }
    const servers = this.#deps.servers();
    return { shard: chosen === undefined ? 0 : servers.indexOf(chosen), servers };
  }

  #isWaiting(key: string): boolean {
    const servers = this.#deps.servers();
    const server = servers[shardOfKey(key, servers.length)];
    return server !== undefined && this.#deps.awayShards.isWaitedFor(server);
  }
}
