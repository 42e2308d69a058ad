import type { Message, RoutedBatch, RoutingTarget } from '#core/index.ts';
import { type SeenField, SeenFields } from '../field-types.ts';
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
  /** Appends a message to the block of one index set alone. */
  appendTo(indexSet: WritableIndexSet, message: Message, target: RoutingTarget): void;
  /** Encodes and empties all blocks. An index set has several when one would have become too heavy. */
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
  readonly seenFields: SeenFields;
  /** The last one grows, the others are complete. */
  readonly blocks: [MessageBlock, ...MessageBlock[]];
}

export function createPendingBlocks(first: IndexSetSnapshot, config: PendingBlocksConfig): PendingBlocks {
  let indexSets = byId(first);
  const pending = new Map<string, Pending>();
  let pendingOf = new WeakMap<RoutingTarget, readonly Pending[]>();
  let messages = 0;
  let frameBytes = 0;

  function newBlock(indexSetId: string, seenFields: SeenFields): MessageBlock {
    return createMessageBlock({ indexSetId, nodeId: config.nodeId, seenFields });
  }

  function pendingFor(indexSet: WritableIndexSet): Pending {
    const { id } = indexSet;
    let found = pending.get(id);
    if (found === undefined) {
      const seenFields = new SeenFields(id);
      found = { indexSet, seenFields, blocks: [newBlock(id, seenFields)] };
      pending.set(id, found);
    }
    return found;
  }

  function find(target: RoutingTarget): readonly Pending[] {
    const own = target.indexSetIds.map((id) => indexSets.get(id) ?? indexSets.get(config.fallbackIndexSetId));
    if (own.length === 0 || own.includes(undefined)) {
      throw new Error(
        `of the index sets ${target.indexSetIds.join(', ')} one is missing, and so is the default one`,
      );
    }
    const found = [...new Set(own)].flatMap((indexSet) =>
      indexSet === undefined ? [] : pendingFor(indexSet),
    );
    pendingOf.set(target, found);
    return found;
  }

  function appendTo(
    { indexSet, seenFields, blocks }: Pending,
    message: Message,
    target: RoutingTarget,
  ): void {
    let block = blocks.at(-1) ?? blocks[0];
    if (block.isTooHeavyFor(message)) {
      block = newBlock(indexSet.id, seenFields);
      blocks.push(block);
    }
    block.append(message, target);
  }

  function appendOne(message: Message, target: RoutingTarget): void {
    for (const each of pendingOf.get(target) ?? find(target)) appendTo(each, message, target);
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
      for (const { blocks } of pending.values()) for (const block of blocks) sum += block.byteLength;
      return sum;
    },
    useIndexSets(snapshot) {
      indexSets = byId(snapshot);
      pendingOf = new WeakMap();
      for (const [id, entry] of pending) {
        const current = indexSets.get(id);
        if (current !== undefined) entry.indexSet = current;
        else if (entry.blocks[0].rows === 0) pending.delete(id);
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
    appendTo(indexSet, message, target) {
      appendTo(pendingFor(indexSet), message, target);
      messages += 1;
      frameBytes += message.size;
    },
    take(indexNumber) {
      const taken: TableBlock[] = [];
      for (const { indexSet, blocks } of pending.values()) {
        const number = indexNumber(indexSet);
        for (const block of blocks) {
          if (block.rows === 0) continue;
          const { rows, fingerprint } = block;
          taken.push({ indexSet, indexNumber: number, block: block.encode(number), rows, fingerprint });
          block.clear();
        }
        blocks.length = 1;
      }
      messages = 0;
      frameBytes = 0;
      return taken;
    },
    takeNewFields: () => [...pending.values()].flatMap(({ seenFields }) => seenFields.takeNews()),
  };
}

function byId(snapshot: IndexSetSnapshot): Map<string, WritableIndexSet> {
  return new Map(snapshot.indexSets.map((indexSet) => [indexSet.id, indexSet]));
}
