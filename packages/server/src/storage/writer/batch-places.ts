/** Which of several servers gets a new batch, and which batches wait for their server. */
import type { ClickHouseServer } from '../clickhouse/index.ts';
import type { AwayShards } from './away-shards.ts';
import { type BatchPlace, shardOfKey } from './batch-token.ts';

export interface InFlight {
  /** In the order in which batches are begun. */
  readonly number: number;
  readonly stored: Promise<void>;
}

export interface BatchPlacesDeps {
  /** None while the engine has not started yet. */
  readonly servers: () => readonly ClickHouseServer[];
  readonly awayShards: Pick<AwayShards, 'choose' | 'isWaitedFor'>;
  /** By the keys of the batches, the oldest first. */
  readonly inFlight: ReadonlyMap<string, InFlight>;
  /** The server that was asked has answered or not: ask for a place again. */
  readonly answered: () => void;
}

export class BatchPlaces {
  readonly #deps: BatchPlacesDeps;
  readonly #maxInFlight: number;
  #answered: ClickHouseServer | undefined;
  /** While a server is asked whether it is there for the next batch. */
  asking: Promise<void> | undefined;

  /** @param maxInFlight of batches on each server */
  constructor(deps: BatchPlacesDeps, { maxInFlight }: { readonly maxInFlight: number }) {
    this.#deps = deps;
    this.#maxInFlight = maxInFlight;
  }

  get areSeveral(): boolean {
    return this.#deps.servers().length > 1;
  }

  /** The keys of batches in flight that do not wait for their server. */
  going(): string[] {
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
      return batches < this.#maxInFlight && !awayShards.isWaitedFor(server);
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
