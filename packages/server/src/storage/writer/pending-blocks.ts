import type { Message, RoutedBatch, RoutingTarget } from '#core/index.ts';
import type { SeenField } from '../field-types.ts';
import type { IndexSetSnapshot, WritableIndexSet } from '../index-sets/snapshot.ts';
import { createMessageBlock, type MessageBlock } from '../message-block.ts';

/** Rows for one index set, encoded, on their way to its table. */
export interface TableBlock {
  readonly indexSet: WritableIndexSet;
  readonly indexNumber: number;
  readonly block: Buffer;
  readonly rows: number;
  /** See `MessageBlock`. */
  readonly fingerprint: string;
}

/** What waits to be sent: a growing block for every index set that has messages. */
export interface PendingBlocks {
  readonly messages: number;
  readonly frameBytes: number;
  /** About the size of all blocks. */
  readonly byteLength: number;
  useIndexSets(snapshot: IndexSetSnapshot): void;
  append(batch: RoutedBatch): void;
  /** Encodes and empties all blocks. */
  take(indexNumber: (indexSet: WritableIndexSet) => number): TableBlock[];
  takeNewFields(): SeenField[];
}

export interface PendingBlocksConfig {
  readonly nodeId: string;
  /** Where messages go whose own index set is not there: it was deleted a moment ago. */
  readonly fallbackIndexSetId: string;
}

interface Pending {
  indexSet: WritableIndexSet;
  readonly block: MessageBlock;
}

export function createPendingBlocks(first: IndexSetSnapshot, config: PendingBlocksConfig): PendingBlocks {
  let indexSets = byId(first);
  const pending = new Map<string, Pending>();
  let blocksOf = new WeakMap<RoutingTarget, readonly MessageBlock[]>();
  let messages = 0;
  let frameBytes = 0;

  function blockOf(indexSet: WritableIndexSet): MessageBlock {
    const { id } = indexSet;
    let found = pending.get(id);
    if (found === undefined) {
      found = { indexSet, block: createMessageBlock({ indexSetId: id, nodeId: config.nodeId }) };
      pending.set(id, found);
    }
    return found.block;
  }

  function find(target: RoutingTarget): readonly MessageBlock[] {
    const own = target.indexSetIds.map((id) => indexSets.get(id) ?? indexSets.get(config.fallbackIndexSetId));
    if (own.length === 0 || own.includes(undefined)) {
      throw new Error(
        `of the index sets ${target.indexSetIds.join(', ')} one is missing, and so is the default one`,
      );
    }
    const found = [...new Set(own)].flatMap((indexSet) => (indexSet === undefined ? [] : blockOf(indexSet)));
    blocksOf.set(target, found);
    return found;
  }

  function appendOne(message: Message, target: RoutingTarget): void {
    for (const block of blocksOf.get(target) ?? find(target)) block.append(message, target);
    messages += 1;
    frameBytes += message.size;
  }

  return {
    get messages() {
      return messages;
    },
    get frameBytes() {
      return frameBytes;
    },
    get byteLength() {
      let sum = 0;
      for (const { block } of pending.values()) sum += block.byteLength;
      return sum;
    },
    useIndexSets(snapshot) {
      indexSets = byId(snapshot);
      blocksOf = new WeakMap();
      for (const [id, entry] of pending) {
        const current = indexSets.get(id);
        if (current !== undefined) entry.indexSet = current;
        else if (entry.block.rows === 0) pending.delete(id);
      }
    },
    append(batch) {
      for (let index = 0; index < batch.messages.length; index++) {
        const message = batch.messages[index];
        const target = batch.targets[index];
        if (message === undefined || target === undefined) throw new Error('a message has no destination');
        appendOne(message, target);
      }
    },
    take(indexNumber) {
      const taken: TableBlock[] = [];
      for (const { indexSet, block } of pending.values()) {
        if (block.rows === 0) continue;
        const number = indexNumber(indexSet);
        const { rows, fingerprint } = block;
        taken.push({ indexSet, indexNumber: number, block: block.encode(number), rows, fingerprint });
        block.clear();
      }
      messages = 0;
      frameBytes = 0;
      return taken;
    },
    takeNewFields: () => [...pending.values()].flatMap(({ block }) => block.takeNewFields()),
  };
}

function byId(snapshot: IndexSetSnapshot): Map<string, WritableIndexSet> {
  return new Map(snapshot.indexSets.map((indexSet) => [indexSet.id, indexSet]));
}
