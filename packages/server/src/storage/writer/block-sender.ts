/**
 * Stores single blocks exactly once, however long it takes.
 *
 * Every insert has a token made of the batch's key, the table and the rows: the engine drops the same rows when they
 * are sent again, and does not mistake other rows of the batch for them.
 *
 * The token alone is not enough. The engine records a token before the new part becomes visible, so an engine that is
 * killed in between confirms the next attempt as a duplicate of rows that do not exist. After an attempt whose outcome
 * is unknown, a confirmation is therefore checked against the table, and rows that are missing are sent with a new token.
 * An engine whose disk was full can have stored the part and lost the token: the table is asked before the next attempt, too.
 *
 * Replicated tables are another case: Keeper records token and part in one step, so a confirmation is the truth. The table
 * would not be: a replica may not have fetched yet what another one has stored, and rows sent again would be there twice.
 */
import { randomBytes } from 'node:crypto';
import { createFieldLayouts, errorMessage, PermanentError } from '#core/index.ts';
import { type BlockMessage, messagesOfBlock } from '../block-messages.ts';
import {
  type ClickHouse,
  type ClickHouseServer,
  isMemoryLimitError,
  isUnreachable,
  qualifiedName,
  type Replication,
} from '../clickhouse/index.ts';
import type { WritableIndexSet } from '../index-sets/snapshot.ts';
import { createMessageBlock } from '../message-block.ts';
import { insertSettings } from '../schema/message-table.ts';
import type { AwayShards } from './away-shards.ts';
import { type BatchToken, isBegunWith, shardOfKey } from './batch-token.ts';
import { storesRows } from './insert-probe.ts';
import type { TableBlock } from './pending-blocks.ts';
import type { UntilItWorks } from './retrying.ts';
import { type Asking, earlierInsertsEnded, storedIds } from './stored-rows.ts';

export interface BlockSenderDeps {
  readonly untilItWorks: UntilItWorks;
  readonly awayShards: Pick<AwayShards, 'isAway' | 'isBack' | 'watch' | 'waitFor'>;
  /** Whether the index set was deleted. */
  readonly isGone: (indexSet: WritableIndexSet) => boolean;
}

export interface BlockSenderSettings {
  readonly nodeId: string;
  readonly database: string;
}

/** Rows of a block that are not stored, and why. */
export interface Unstored {
  readonly error: Error;
  readonly messages: readonly BlockMessage[];
}

export interface SendOptions {
  /** The block may have been sent before, by an earlier run of this program. */
  readonly mayBeStored?: boolean;
  /** Called when rows have to wait, until their table accepts others or their server, one of several, stores them. */
  readonly onWaiting?: (() => void) | undefined;
}

/** About a batch that an earlier run of this program was sending. */
export interface EarlierBatch {
  readonly token: BatchToken;
  /** See `SendOptions`. */
  readonly onWaiting: () => void;
}

interface Asked {
  readonly key: string;
  readonly onWaiting?: (() => void) | undefined;
  readonly isFinal?: (error: unknown) => Promise<boolean>;
}

type Work<T> = (server: ClickHouseServer, clickhouse: ClickHouse, asking?: Asking) => Promise<T>;

/** After this many failures for want of memory a block is given back, to be split. */
const MAX_MEMORY_FAILURES = 3;

export class BlockSender {
  readonly #deps: BlockSenderDeps;
  readonly #settings: BlockSenderSettings;
  readonly #signal: AbortSignal;
  readonly #layouts = createFieldLayouts();
  readonly #accepted = new Map<string, number>();
  #inserts = 0;

  /** When the signal aborts, whatever is in progress rejects with its reason. */
  constructor(deps: BlockSenderDeps, settings: BlockSenderSettings, signal: AbortSignal) {
    this.#deps = deps;
    this.#settings = settings;
    this.#signal = signal;
  }

  /** How many blocks with rows this table has accepted. */
  acceptedBlocks(table: string): number {
    return this.#accepted.get(table) ?? 0;
  }

  /**
   * Tries until the block is stored. Gives up only when the index set was deleted, when the table refuses these rows
   * but not an empty block, or when the engine repeatedly has too little memory for them.
   */
  async store(key: string, block: TableBlock, options: SendOptions = {}): Promise<Unstored | undefined> {
    let attempts = 0;
    let memoryFailures = 0;
    let isReplicated = false;
    const isFinal = async (error: unknown): Promise<boolean> => {
      if (isMemoryLimitError(error)) return block.rows > 1 && ++memoryFailures >= MAX_MEMORY_FAILURES;
      if (!(error instanceof PermanentError)) return false;
      return (
        this.#deps.isGone(block.indexSet) || this.#acceptsEmptyBlock(key, block.indexSet, options.onWaiting)
      );
    };
    const isUnclear = () => !isReplicated && (attempts > 1 || options.mayBeStored === true);
    const send: Work<void> = async (server, { replication }, asking) => {
      attempts += 1;
      isReplicated = replication !== undefined;
      // Those that are missing are sent below.
      if (isUnclear() && (await this.#isStored(key, block, server, asking))) return;
      await this.#send(server, key, block, replication);
    };
    try {
      await this.#untilItWorks({ key, onWaiting: options.onWaiting, isFinal }, send);
    } catch (error) {
      if (this.#signal.aborted || !(error instanceof Error) || attempts === 0) throw error;
      if (!(error instanceof PermanentError) && !isMemoryLimitError(error)) throw error;
      return this.#unstored(key, block, error, options.onWaiting);
    }
    if (isUnclear()) return this.#resendMissing(key, block, options.onWaiting);
    this.#countAccepted(block);
    // The server has read it to its end. After a failed attempt, a connection that is being closed might still hold it.
    if (attempts === 1 && !isReplicated) block.release?.();
    return undefined;
  }

  encode(indexSet: WritableIndexSet, indexNumber: number, messages: readonly BlockMessage[]): TableBlock {
    const block = createMessageBlock({ indexSetId: indexSet.id, nodeId: this.#settings.nodeId });
    for (const { message, target } of messages) block.append(message, target);
    const { rows, fingerprint } = block;
    return { indexSet, indexNumber, block: block.encode(indexNumber), rows, fingerprint };
  }

  /** Those of the messages of an earlier batch that the table of the index set does not have yet, on any server. */
  missingOfEarlier(
    { token, onWaiting }: EarlierBatch,
    indexSet: WritableIndexSet,
    messages: readonly BlockMessage[],
  ): Promise<readonly BlockMessage[]> {
    return this.#missing({ key: token.key, onWaiting }, token, indexSet, messages);
  }

  /** Those of the messages that the table of the index set does not have yet. */
  missing(
    key: string,
    indexSet: WritableIndexSet,
    messages: readonly BlockMessage[],
    onWaiting?: (() => void) | undefined,
  ): Promise<readonly BlockMessage[]> {
    return this.#missing({ key, onWaiting }, undefined, indexSet, messages);
  }

  async #missing(
    asked: Asked,
    earlier: BatchToken | undefined,
    indexSet: WritableIndexSet,
    messages: readonly BlockMessage[],
  ): Promise<readonly BlockMessage[]> {
    const table = qualifiedName(this.#settings.database, indexSet.table);
    const ids = messages.map(({ message }) => message.id);
    const stored = await this.#untilItWorks(asked, async (own, { servers, replication }, asking) => {
      const holders = earlier === undefined ? [own] : holdersOf(earlier, own, servers);
      const isReplicated = replication !== undefined;
      await earlierInsertsEnded(holders, `${asked.key}/${indexSet.id}/`, this.#signal, asking);
      return storedIds(holders, { table, isReplicated }, ids, this.#signal, asking);
    });
    return messages.filter(({ message }) => !stored.has(message.id));
  }

  /** Resolves when no insert of the batch is running. */
  whenIdle({ token, onWaiting }: EarlierBatch): Promise<void> {
    const { key } = token;
    return this.#untilItWorks({ key, onWaiting }, (own, { servers }, asking) =>
      earlierInsertsEnded(holdersOf(token, own, servers), key, this.#signal, asking),
    );
  }

  /** Whether the engine that gets this batch stores rows at the moment. */
  storesRows(key: string, onWaiting?: (() => void) | undefined): Promise<boolean> {
    const { database } = this.#settings;
    return this.#untilItWorks({ key, onWaiting }, (server, { replication }) =>
      storesRows(server, database, replication, this.#signal),
    );
  }

  /**
   * A batch always goes to the same server: only that one recognises its tokens. While it is away or fails, the batch
   * waits. Until this call ends, the server gets no new batches.
   */
  async #untilItWorks<T>({ key, onWaiting, isFinal }: Asked, work: Work<T>): Promise<T> {
    const { awayShards, untilItWorks } = this.#deps;
    const waits = new Map<ClickHouseServer, () => void>();
    /** With several servers: the one that was asked last. */
    let asked: ClickHouseServer | undefined;
    const wait = (server: ClickHouseServer, reason?: string) => {
      if (!waits.has(server)) waits.set(server, awayShards.waitFor(server, reason));
      onWaiting?.();
    };
    const ask = async (clickhouse: ClickHouse) => {
      const own = serverFor(clickhouse, key);
      if (clickhouse.servers.length === 1) return work(own, clickhouse);
      let current = own;
      const all = new Set<ClickHouseServer>();
      const asking = (server: ClickHouseServer) => {
        current = server;
        asked = server;
        all.add(server);
      };
      asking(own);
      const unwatch = awayShards.watch(() => current, wait);
      try {
        const result = await work(own, clickhouse, asking);
        for (const server of all) awayShards.isBack(server);
        return result;
      } catch (error) {
        if (isUnreachable(error) && !this.#signal.aborted) awayShards.isAway(current);
        throw error;
      } finally {
        unwatch();
      }
    };
    const isFinalOrWaits = async (error: unknown) => {
      if (await isFinal?.(error)) return true;
      if (asked !== undefined) wait(asked, errorMessage(error));
      return false;
    };
    try {
      return await untilItWorks(this.#signal, ask, isFinalOrWaits);
    } finally {
      for (const end of waits.values()) end();
    }
  }

  /** Whether the table has any of its rows. */
  async #isStored(
    key: string,
    block: TableBlock,
    server: ClickHouseServer,
    asking: Asking | undefined,
  ): Promise<boolean> {
    const { indexSet } = block;
    await earlierInsertsEnded([server], `${key}/${indexSet.id}/`, this.#signal, asking);
    const table = qualifiedName(this.#settings.database, indexSet.table);
    const ids = this.#messagesOf(block).map(({ message }) => message.id);
    const stored = await storedIds([server], { table, isReplicated: false }, ids, this.#signal, asking);
    return stored.size > 0;
  }

  async #resendMissing(
    key: string,
    block: TableBlock,
    onWaiting: (() => void) | undefined,
  ): Promise<Unstored | undefined> {
    const { indexSet, indexNumber } = block;
    const missing = await this.missing(key, indexSet, this.#messagesOf(block), onWaiting);
    if (missing.length < block.rows) this.#countAccepted(block);
    if (missing.length === 0) return undefined;
    return this.store(newKey(key), this.encode(indexSet, indexNumber, missing), { onWaiting });
  }

  /** A failed attempt may have stored the block all the same. */
  async #unstored(
    key: string,
    block: TableBlock,
    error: Error,
    onWaiting: (() => void) | undefined,
  ): Promise<Unstored | undefined> {
    const messages = this.#messagesOf(block);
    if (this.#deps.isGone(block.indexSet)) return { error, messages };
    const missing = await this.missing(key, block.indexSet, messages, onWaiting);
    return missing.length === 0 ? undefined : { error, messages: missing };
  }

  #messagesOf({ block, indexSet }: TableBlock): BlockMessage[] {
    return messagesOfBlock(block, indexSet.id, this.#layouts);
  }

  #countAccepted({ indexSet }: TableBlock): void {
    this.#accepted.set(indexSet.table, this.acceptedBlocks(indexSet.table) + 1);
  }

  #send(
    server: ClickHouseServer,
    key: string,
    { indexSet, block, fingerprint }: TableBlock,
    replication: Replication | undefined,
  ): Promise<void> {
    const token = `${key}/${indexSet.id}/${fingerprint}`;
    this.#inserts += 1;
    return server.insertNative({
      database: this.#settings.database,
      table: indexSet.table,
      block,
      deduplicationToken: token,
      queryId: `${token}/${this.#inserts}`,
      settings: insertSettings(replication),
      signal: this.#signal,
    });
  }

  /** An empty block has all names and types: a table that refuses it refuses every block. */
  async #acceptsEmptyBlock(
    key: string,
    { table }: WritableIndexSet,
    onWaiting: (() => void) | undefined,
  ): Promise<boolean> {
    const { database, nodeId } = this.#settings;
    const block = createMessageBlock({ indexSetId: '', nodeId }).encode(0);
    return this.#untilItWorks({ key, onWaiting }, async (server) => {
      try {
        await server.insertNative({ database, table, block, signal: this.#signal });
        return true;
      } catch (error) {
        if (error instanceof PermanentError) return false;
        throw error;
      }
    });
  }
}

/** A key of the same batch under which nothing was sent before. */
function newKey(key: string): string {
  return `${key}~${randomBytes(6).toString('base64url')}`;
}

/** The servers that can have rows of the batch. */
function holdersOf(
  token: BatchToken,
  own: ClickHouseServer,
  servers: readonly ClickHouseServer[],
): readonly ClickHouseServer[] {
  return isBegunWith(token, servers) ? [own] : servers;
}

function serverFor({ servers }: ClickHouse, key: string): ClickHouseServer {
  const server = servers[shardOfKey(key, servers.length)];
  if (server === undefined) throw new PermanentError('there is no ClickHouse server to use');
  return server;
}
