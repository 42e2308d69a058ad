/**
 * Inserts the blocks of a batch into their tables, however long it takes.
 *
 * - Temporary problems (server down, busy, disk full) are retried with growing pauses.
 * - A block for which the engine has too little memory is split.
 * - When the table refuses a block for good, the block is halved until the rows are found that it refuses. A row is
 *   blamed only when the same engine stores rows at the same time: a probe row before and after the row's last
 *   refusal, and other rows of the same table since an earlier one, unless the error can only come from the row's
 *   content. Blamed rows become failures. All others are tried again: then it is the engine that needs repair.
 * - When the index set was deleted, messages that have no other one go to the default index set.
 */
import { errorMessage, type Message, PermanentError, type RoutingTarget } from '#core/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { BlockMessage } from '../block-messages.ts';
import { isDataError, isMemoryLimitError } from '../clickhouse/index.ts';
import { activeIndex, type IndexSetSnapshot, type WritableIndexSet } from '../index-sets/snapshot.ts';
import {
  BlockSender,
  type BlockSenderDeps,
  type EarlierBatch,
  type SendOptions,
  type Unstored,
} from './block-sender.ts';
import type { TableBlock } from './pending-blocks.ts';
import type { CreatePause } from './retrying.ts';

/** A message that could not be stored, with the reason for its failure message. */
export interface RefusedMessage {
  readonly type: 'storing';
  readonly cause: 'refused';
  readonly details: string;
  readonly message: Message;
}

export interface TableInserterDeps extends Pick<BlockSenderDeps, 'untilItWorks' | 'awayShards'> {
  readonly createPause: CreatePause;
  readonly logger: Logger;
  readonly indexSets: () => IndexSetSnapshot;
  readonly failureMessage: (refused: RefusedMessage) => Message;
  readonly failureTarget: RoutingTarget;
  /** Rows that were refused and are in the failure store now. */
  readonly refused: (rows: number) => void;
  /** Rows that even the failure store refuses. */
  readonly lost: (rows: number) => void;
}

export interface TableInserterConfig {
  readonly nodeId: string;
  readonly database: string;
}

/** Rows for one index of one index set. */
interface Destination {
  readonly key: string;
  readonly onWaiting: (() => void) | undefined;
  readonly indexSet: WritableIndexSet;
  readonly indexNumber: number;
}

interface Refused extends BlockMessage {
  readonly error: Error;
}

/** An earlier run may have been killed while it sent the same part of a block, under the same token. */
const PART_OF_BLOCK: SendOptions = { mayBeStored: true };

/** What becomes of rows that their table does not take. */
interface Disposal {
  /** They are at fault themselves. */
  readonly refused: (rows: readonly Refused[]) => Promise<void>;
  /** Their index set was deleted. */
  readonly gone: (messages: readonly BlockMessage[]) => Promise<void>;
}

export class TableInserter {
  readonly #deps: TableInserterDeps;
  readonly #signal: AbortSignal;
  readonly #sender: BlockSender;
  #lastMove: Promise<void> = Promise.resolve();

  /** When the signal aborts, whatever is in progress rejects with its reason. */
  constructor(deps: TableInserterDeps, config: TableInserterConfig, signal: AbortSignal) {
    this.#deps = deps;
    this.#signal = signal;
    this.#sender = new BlockSender(
      {
        untilItWorks: deps.untilItWorks,
        awayShards: deps.awayShards,
        isGone: (indexSet) => this.#isGone(indexSet),
      },
      config,
      signal,
    );
  }

  /** Resolves when all rows are stored or in the failure store. `key` is that of the batch. */
  insert(key: string, block: TableBlock, options: SendOptions = {}): Promise<void> {
    return this.#insert(key, block, options, {
      refused: (rows) => this.#storeFailures(key, block.indexSet, rows),
      gone: (messages) => this.#moveToDefault(key, messages),
    });
  }

  async #insert(key: string, block: TableBlock, options: SendOptions, disposal: Disposal): Promise<void> {
    const unstored = await this.#sender.store(key, block, options);
    if (unstored === undefined) return;
    const { indexSet, indexNumber } = block;
    if (this.#isGone(indexSet)) return disposal.gone(unstored.messages);
    if (isMemoryLimitError(unstored.error)) {
      for (const half of halvesOf(unstored.messages)) {
        const part = this.#sender.encode(indexSet, indexNumber, half);
        await this.#insert(key, part, { ...options, ...PART_OF_BLOCK }, disposal);
      }
      return;
    }
    await this.#storeRows({ key, indexSet, indexNumber, onWaiting: options.onWaiting }, unstored, disposal);
  }

  /** Resolves when no insert of the batch is running that an earlier run of this program began. */
  whenIdle(batch: EarlierBatch): Promise<void> {
    return this.#sender.whenIdle(batch);
  }

  /** Those of the messages that the table of the index set does not have yet. */
  missing(
    batch: EarlierBatch,
    indexSet: WritableIndexSet,
    messages: readonly BlockMessage[],
  ): Promise<readonly BlockMessage[]> {
    return this.#sender.missingOfEarlier(batch, indexSet, messages);
  }

  /** Stores every row that the table accepts and disposes of those that are at fault themselves. */
  async #storeRows(destination: Destination, unstored: Unstored, disposal: Disposal): Promise<void> {
    const { key, indexSet, indexNumber, onWaiting } = destination;
    const pause = this.#deps.createPause(this.#signal);
    let left: Unstored | undefined = unstored;
    let acceptedBefore = this.#sender.acceptedBlocks(indexSet.table);
    for (;;) {
      const refused = await this.#storeHalves(destination, left);
      const blamed = await this.#blame(destination, refused, acceptedBefore);
      if (blamed.rows.length > 0) await disposal.refused(blamed.rows);
      const [first] = blamed.unclear;
      if (first === undefined) return;
      acceptedBefore = this.#sender.acceptedBlocks(indexSet.table);
      onWaiting?.();
      await pause(errorMessage(first.error));
      const unclear = this.#sender.encode(indexSet, indexNumber, blamed.unclear);
      left = await this.#sender.store(key, unclear, { ...PART_OF_BLOCK, onWaiting });
      if (left === undefined) return;
      if (this.#isGone(indexSet)) return disposal.gone(left.messages);
    }
  }

  /** Halves rows that were refused together until each is stored or refused alone. Returns the refused ones. */
  async #storeHalves(destination: Destination, { error, messages }: Unstored): Promise<Refused[]> {
    if (messages.length <= 1) return messages.map((row) => ({ ...row, error }));
    const { key, indexSet, indexNumber, onWaiting } = destination;
    const refused: Refused[] = [];
    for (const half of halvesOf(messages)) {
      const part = this.#sender.encode(indexSet, indexNumber, half);
      const again = await this.#sender.store(key, part, { ...PART_OF_BLOCK, onWaiting });
      if (again !== undefined) refused.push(...(await this.#storeHalves(destination, again)));
    }
    return refused;
  }

  /** Which of the refused rows are at fault themselves. Rows that are accepted this time are stored. */
  async #blame(
    { key, indexSet, indexNumber, onWaiting }: Destination,
    refused: readonly Refused[],
    acceptedBefore: number,
  ): Promise<{ rows: Refused[]; unclear: readonly Refused[] }> {
    if (refused.length === 0 || !(await this.#sender.storesRows(key, onWaiting)))
      return { rows: [], unclear: refused };
    const again: Refused[] = [];
    for (const { message, target } of refused) {
      const row = this.#sender.encode(indexSet, indexNumber, [{ message, target }]);
      const unstored = await this.#sender.store(key, row, { ...PART_OF_BLOCK, onWaiting });
      if (unstored !== undefined) again.push({ message, target, error: unstored.error });
    }
    if (!(await this.#sender.storesRows(key, onWaiting))) return { rows: [], unclear: again };
    const hasAcceptedOthers = this.#sender.acceptedBlocks(indexSet.table) > acceptedBefore;
    const isAtFault = ({ error }: Refused) =>
      error instanceof PermanentError && (hasAcceptedOthers || isDataError(error));
    return { rows: again.filter(isAtFault), unclear: again.filter((row) => !isAtFault(row)) };
  }

  async #storeFailures(key: string, { table }: WritableIndexSet, rows: readonly Refused[]): Promise<void> {
    this.#deps.logger.warn(
      { rows: rows.length, table, reason: errorMessage(rows[0]?.error) },
      'ClickHouse refused single messages; they are in the stream of processing failures',
    );
    const failures = rows.map((row) => this.#failureOf(row));
    const indexSetId = this.#deps.failureTarget.indexSetIds[0] ?? '';
    await this.#storeIn(indexSetId, `${key}/failures`, failures, async (lost) => this.#giveUp(lost));
    this.#deps.refused(rows.length);
  }

  #failureOf({ message, error }: Refused): BlockMessage {
    const failure = this.#deps.failureMessage({
      type: 'storing',
      cause: 'refused',
      details: errorMessage(error),
      message,
    });
    failure.id = message.id;
    return { message: failure, target: this.#deps.failureTarget };
  }

  #isGone(indexSet: WritableIndexSet): boolean {
    return !this.#deps.indexSets().indexSets.some(({ id }) => id === indexSet.id);
  }

  /** One after the other: two tables that are gone at once may have the same messages. */
  #moveToDefault(key: string, messages: readonly BlockMessage[]): Promise<void> {
    const moved = this.#lastMove.then(() => this.#move(key, messages));
    this.#lastMove = moved.catch(() => {});
    return moved;
  }

  async #move(key: string, messages: readonly BlockMessage[]): Promise<void> {
    const { defaultIndexSetId, indexSets } = this.#deps.indexSets();
    const known = new Set(indexSets.map(({ id }) => id));
    const withoutPlace = messages
      .filter(({ target }) => !target.indexSetIds.some((id) => known.has(id)))
      .map(({ message, target }) => ({ message, target: { ...target, indexSetIds: [defaultIndexSetId] } }));
    if (withoutPlace.length === 0) return;
    const indexSet = this.#indexSet(defaultIndexSetId);
    await this.#storeIn(defaultIndexSetId, `${key}/moved`, withoutPlace, (rows) =>
      this.#storeFailures(key, indexSet, rows),
    );
  }

  async #storeIn(
    indexSetId: string,
    key: string,
    messages: readonly BlockMessage[],
    refused: Disposal['refused'],
  ): Promise<void> {
    const indexSet = this.#indexSet(indexSetId);
    // An earlier run may have stored them in an index that is no longer the active one.
    const missing = await this.#sender.missing(key, indexSet, messages);
    if (missing.length === 0) return;
    const block = this.#sender.encode(indexSet, activeIndex(indexSet), missing);
    // A move must not wait for itself.
    await this.#insert(key, block, PART_OF_BLOCK, { refused, gone: (left) => this.#move(key, left) });
  }

  #indexSet(wanted: string): WritableIndexSet {
    const indexSet = this.#deps.indexSets().indexSets.find(({ id }) => id === wanted);
    if (indexSet === undefined) throw new Error(`there is no index set ${wanted}`);
    return indexSet;
  }

  #giveUp(rows: readonly Refused[]): void {
    this.#deps.logger.error(
      { rows: rows.length, reason: errorMessage(rows[0]?.error) },
      'messages that could not be stored could not be stored as failures either; they are lost',
    );
    this.#deps.lost(rows.length);
  }
}

function halvesOf<Row>(rows: readonly Row[]): (readonly Row[])[] {
  const middle = Math.ceil(rows.length / 2);
  return [rows.slice(0, middle), rows.slice(middle)];
}
