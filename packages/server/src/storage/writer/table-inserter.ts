/**
 * Brings the blocks of a batch into their tables, however long it takes.
 *
 * - What passes (server away, busy, full) is tried again with growing pauses.
 * - When a block is refused for good, an empty block tells whether the table is to blame. If so, that is a state
 *   somebody has to put right, and the block is tried again as above. If not, it is tried once more, since the table
 *   may have been made or mended in between. Refused again, a row is to blame: the block is halved until the rows
 *   that are refused are found. They become failures, the rest is stored.
 * - When the index set was deleted meanwhile, messages that have no other place go to the default one.
 *
 * Every insert has a token that follows from the batch, the table and the rows in it: the same rows sent again are
 * not stored again, and other rows of the same batch are not taken for them.
 */
import {
  createFieldLayouts,
  errorMessage,
  type Message,
  PermanentError,
  type RoutingTarget,
} from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import { type BlockMessage, messagesOfBlock } from '../block-messages.ts';
import { type ClickHouse, type ClickHouseServer, qualifiedName } from '../clickhouse/index.ts';
import { activeIndex, type IndexSetSnapshot, type WritableIndexSet } from '../index-sets/snapshot.ts';
import { createMessageBlock } from '../message-block.ts';
import { INSERT_SETTINGS } from '../schema/message-table.ts';
import { frameOfMessage } from './frame-of-message.ts';
import type { TableBlock } from './pending-blocks.ts';
import type { UntilItWorks } from './retrying.ts';
import { storedIds } from './stored-rows.ts';

/** What could not be stored, in the words of a failure message. */
export interface RefusedMessage {
  readonly type: 'storing';
  readonly cause: 'refused';
  readonly details: string;
  /** The message as GELF. */
  readonly frame: Buffer;
  readonly source: Message['origin'];
  readonly receivedAt: number;
}

export interface TableInserterDeps {
  readonly untilItWorks: UntilItWorks;
  readonly logger: Logger;
  readonly indexSets: () => IndexSetSnapshot;
  readonly failureMessage: (refused: RefusedMessage) => Message;
  readonly failureTarget: RoutingTarget;
  /** Rows that were refused and are in the failure store now. */
  readonly refused: (rows: number) => void;
  /** Rows that not even the failure store takes. */
  readonly lost: (rows: number) => void;
}

export interface TableInserterConfig {
  readonly nodeId: string;
  readonly database: string;
  readonly fallbackIndexSetId: string;
}

interface Refused extends BlockMessage {
  readonly reason: string;
}

export class TableInserter {
  readonly #deps: TableInserterDeps;
  readonly #config: TableInserterConfig;
  readonly #signal: AbortSignal;
  readonly #layouts = createFieldLayouts();
  #inserts = 0;

  /** With the signal everything ends; what was going on rejects with its reason. */
  constructor(deps: TableInserterDeps, config: TableInserterConfig, signal: AbortSignal) {
    this.#deps = deps;
    this.#config = config;
    this.#signal = signal;
  }

  /** Resolves when all rows are stored or in the failure store. `key` is that of the batch. */
  async insert(key: string, block: TableBlock): Promise<void> {
    const refusal = await this.#store(key, block);
    if (refusal === undefined) return;
    const messages = messagesOfBlock(block.block, block.indexSet.id, this.#layouts);
    if (this.#isGone(block.indexSet)) return this.#moveToDefault(key, messages);
    const refused = await this.#storeHalves(key, block, messages, refusal);
    if (refused.length === 0) return;
    this.#deps.logger.warn(
      { rows: refused.length, table: block.indexSet.table, reason: refused[0]?.reason },
      'ClickHouse refused single messages; they are in the stream of processing failures',
    );
    const failures = refused.map((row) => this.#failureOf(row));
    await this.#storeIn(this.#deps.failureTarget.indexSetIds[0] ?? '', `${key}/failures`, failures);
    this.#deps.refused(refused.length);
  }

  /**
   * Undefined when it is stored; the error when a row is to blame, or the index set is no more. `tableWorked`: the
   * table took a block a moment ago.
   */
  async #store(key: string, block: TableBlock, tableWorked = false): Promise<PermanentError | undefined> {
    const { indexSet } = block;
    let workedBefore = tableWorked;
    const isFinal = async (error: unknown) => {
      if (!(error instanceof PermanentError)) return false;
      if (this.#isGone(indexSet)) return true;
      const worksNow = await this.#takesBlocks(key, indexSet);
      const isRowToBlame = workedBefore && worksNow;
      workedBefore = worksNow;
      return isRowToBlame;
    };
    try {
      await this.#deps.untilItWorks(
        this.#signal,
        (clickhouse) => this.#send(serverFor(clickhouse, key), key, block),
        isFinal,
      );
      return undefined;
    } catch (error) {
      if (this.#signal.aborted || !(error instanceof PermanentError)) throw error;
      return error;
    }
  }

  #send(server: ClickHouseServer, key: string, { indexSet, block, fingerprint }: TableBlock): Promise<void> {
    const token = `${key}/${indexSet.id}/${fingerprint}`;
    this.#inserts += 1;
    return server.insertNative({
      database: this.#config.database,
      table: indexSet.table,
      block,
      deduplicationToken: token,
      queryId: `${token}/${this.#inserts}`,
      settings: INSERT_SETTINGS,
      signal: this.#signal,
    });
  }

  /** Whether the table takes blocks at all: an empty one has all names and types in it. */
  async #takesBlocks(key: string, { table }: WritableIndexSet): Promise<boolean> {
    const empty = createMessageBlock({ indexSetId: '', nodeId: this.#config.nodeId }).encode(0);
    const attempt = async (clickhouse: ClickHouse) => {
      try {
        const { database } = this.#config;
        await serverFor(clickhouse, key).insertNative({
          database,
          table,
          block: empty,
          signal: this.#signal,
        });
        return true;
      } catch (error) {
        if (error instanceof PermanentError) return false;
        throw error;
      }
    };
    return this.#deps.untilItWorks(this.#signal, attempt);
  }

  #isGone(indexSet: WritableIndexSet): boolean {
    return !this.#deps.indexSets().indexSets.some(({ id }) => id === indexSet.id);
  }

  /** Halves rows that were refused together until each is stored or refused alone. */
  async #storeHalves(
    key: string,
    block: TableBlock,
    messages: readonly BlockMessage[],
    refusal: PermanentError,
  ): Promise<Refused[]> {
    if (messages.length <= 1) return messages.map((row) => ({ ...row, reason: errorMessage(refusal) }));
    const middle = Math.ceil(messages.length / 2);
    const refused: Refused[] = [];
    for (const half of [messages.slice(0, middle), messages.slice(middle)]) {
      const part = this.#encode(block.indexSet, block.indexNumber, half);
      const again = await this.#store(key, part, true);
      if (again !== undefined) refused.push(...(await this.#storeHalves(key, part, half, again)));
    }
    return refused;
  }

  #failureOf({ message, reason }: Refused): BlockMessage {
    const failure = this.#deps.failureMessage({
      type: 'storing',
      cause: 'refused',
      details: reason,
      frame: frameOfMessage(message),
      source: message.origin,
      receivedAt: message.receivedAt,
    });
    failure.id = message.id;
    return { message: failure, target: this.#deps.failureTarget };
  }

  async #moveToDefault(key: string, messages: readonly BlockMessage[]): Promise<void> {
    const fallback = this.#config.fallbackIndexSetId;
    const homeless = messages.filter(({ target }) => !target.indexSetIds.includes(fallback));
    if (homeless.length > 0) await this.#storeIn(fallback, `${key}/moved`, homeless);
  }

  async #storeIn(indexSetId: string, key: string, messages: readonly BlockMessage[]): Promise<void> {
    const indexSet = this.#deps.indexSets().indexSets.find(({ id }) => id === indexSetId);
    if (indexSet === undefined) throw new Error(`there is no index set ${indexSetId}`);
    const ids = messages.map(({ message }) => message.id);
    // Whoever was here before a crash may have stored them in an index that is not the active one any more.
    const there = await this.#deps.untilItWorks(this.#signal, (clickhouse) =>
      storedIds(clickhouse, qualifiedName(this.#config.database, indexSet.table), ids, this.#signal),
    );
    const missing = messages.filter(({ message }) => !there.has(message.id));
    if (missing.length === 0) return;
    const refusal = await this.#store(key, this.#encode(indexSet, activeIndex(indexSet), missing));
    if (refusal === undefined) return;
    this.#deps.logger.error(
      { rows: missing.length, table: indexSet.table, reason: errorMessage(refusal) },
      'messages that could not be stored could not be stored as failures either; they are lost',
    );
    this.#deps.lost(missing.length);
  }

  #encode(indexSet: WritableIndexSet, indexNumber: number, messages: readonly BlockMessage[]): TableBlock {
    const block = createMessageBlock({ indexSetId: indexSet.id, nodeId: this.#config.nodeId });
    for (const { message, target } of messages) block.append(message, target);
    const { rows, fingerprint } = block;
    return { indexSet, indexNumber, block: block.encode(indexNumber), rows, fingerprint };
  }
}

/** A batch goes to the same server however often it is sent: only that one recognises it. */
function serverFor(clickhouse: ClickHouse, key: string): ClickHouseServer {
  const { servers } = clickhouse;
  const server = servers[Buffer.from(key.slice(0, 8), 'base64url').readUInt32LE(0) % servers.length];
  if (server === undefined) throw new PermanentError('there is no ClickHouse server to use');
  return server;
}
