import type { Message, RoutedBatch, RoutingTarget } from '#core/index.ts';
import { type IndexSetSnapshot, placementOf, type WritableIndexSet } from '../index-sets/snapshot.ts';
import { createMessageBlock, type MessageBlock } from '../message-block.ts';
import { type SeenField, SeenFields } from '../seen-fields.ts';
import { BlockMemory } from './block-memory.ts';
import type { FieldNameWatch } from './field-name-watch.ts';

/** Encoded rows for the table of one index set. */
export interface TableBlock {
  readonly indexSet: WritableIndexSet;
  readonly indexNumber: number;
  readonly block: Buffer;
  readonly rows: number;
  /** See `MessageBlock`. */
  readonly fingerprint: string;
  /** To be called at most once, when nobody will read the block again: its memory is used for another one. */
  release?(): void;
}

/** Rows that wait to be sent: growing blocks for every index set that has messages. */
export interface PendingBlocks {
  readonly messages: number;
  readonly frameBytes: number;
  /** The approximate size of all blocks. */
  readonly byteLength: number;
  useIndexSets(snapshot: IndexSetSnapshot): void;
  append(batch: RoutedBatch): void;
  /** Appends a message to the block of one index set alone. */
  appendTo(indexSet: WritableIndexSet, message: Message, target: RoutingTarget): void;
  /** Encodes and empties all blocks. An index set has several if a single one would become too heavy. */
  take(indexNumber: (indexSet: WritableIndexSet) => number): TableBlock[];
  takeNewFields(): SeenField[];
}

export interface PendingBlocksConfig {
  readonly nodeId: string;
  /** Told when a block becomes too heavy because of its many field names. */
  readonly fieldNameWatch?: FieldNameWatch;
}

/** The blocks of one index set. */
class IndexSetBlocks {
  #indexSet: WritableIndexSet;
  readonly #nodeId: string;
  readonly #fieldNameWatch: FieldNameWatch | undefined;
  readonly #seenFields: SeenFields;
  /** The last one grows, the others are complete. */
  readonly #blocks: [MessageBlock, ...MessageBlock[]];

  constructor(indexSet: WritableIndexSet, { nodeId, fieldNameWatch }: PendingBlocksConfig) {
    this.#indexSet = indexSet;
    this.#nodeId = nodeId;
    this.#fieldNameWatch = fieldNameWatch;
    this.#seenFields = new SeenFields(indexSet.id);
    this.#blocks = [this.#newBlock()];
  }

  get indexSet(): WritableIndexSet {
    return this.#indexSet;
  }

  /** Its indices and the types of its fields may have changed. */
  set indexSet(indexSet: WritableIndexSet) {
    this.#indexSet = indexSet;
    for (const block of this.#blocks) block.useFieldTypes(indexSet.fieldTypes);
  }

  get isEmpty(): boolean {
    return this.#blocks[0].rows === 0;
  }

  get byteLength(): number {
    let sum = 0;
    for (const block of this.#blocks) sum += block.byteLength;
    return sum;
  }

  append(message: Message, target: RoutingTarget): void {
    let block = this.#blocks.at(-1) ?? this.#blocks[0];
    if (block.isTooHeavyFor(message)) {
      this.#fieldNameWatch?.observe(message.origin.inputId, block.fieldNames);
      block = this.#newBlock();
      this.#blocks.push(block);
    }
    block.append(message, target);
  }

  settle(): void {
    for (const block of this.#blocks) block.settle();
  }

  take(indexNumber: number, memory: BlockMemory): TableBlock[] {
    const { indexSet } = this;
    const taken: TableBlock[] = [];
    for (const block of this.#blocks) {
      if (block.rows === 0) continue;
      const { rows, fingerprint } = block;
      const encoded = block.encode(indexNumber, (bytes) => memory.take(bytes));
      const release = () => memory.giveBack(encoded);
      taken.push({ indexSet, indexNumber, block: encoded, rows, fingerprint, release });
      block.clear();
    }
    this.#blocks.length = 1;
    return taken;
  }

  takeNewFields(): readonly SeenField[] {
    return this.#seenFields.takeNews();
  }

  #newBlock(): MessageBlock {
    return createMessageBlock({
      indexSetId: this.indexSet.id,
      nodeId: this.#nodeId,
      seenFields: this.#seenFields,
      fieldTypes: this.#indexSet.fieldTypes,
    });
  }
}

/** What becomes of messages with the same target. */
interface Place {
  readonly blocks: readonly IndexSetBlocks[];
  readonly target: RoutingTarget;
}

export function createPendingBlocks(first: IndexSetSnapshot, config: PendingBlocksConfig): PendingBlocks {
  let indexSets = first;
  const pending = new Map<string, IndexSetBlocks>();
  let places = new WeakMap<RoutingTarget, Place>();
  const memory = new BlockMemory();
  let messages = 0;
  let frameBytes = 0;

  function pendingFor(indexSet: WritableIndexSet): IndexSetBlocks {
    let found = pending.get(indexSet.id);
    if (found === undefined) {
      found = new IndexSetBlocks(indexSet, config);
      pending.set(indexSet.id, found);
    }
    return found;
  }

  function findPlace(wanted: RoutingTarget): Place {
    const placement = placementOf(wanted, indexSets);
    const place = { blocks: placement.indexSets.map(pendingFor), target: placement.target };
    places.set(wanted, place);
    return place;
  }

  function appendTo({ blocks, target }: Place, message: Message): void {
    for (const each of blocks) each.append(message, target);
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
      for (const blocks of pending.values()) sum += blocks.byteLength;
      return sum;
    },
    useIndexSets(snapshot) {
      indexSets = snapshot;
      places = new WeakMap();
      const known = new Map(snapshot.indexSets.map((indexSet) => [indexSet.id, indexSet]));
      for (const [id, blocks] of pending) {
        const current = known.get(id);
        if (current !== undefined) blocks.indexSet = current;
        else if (blocks.isEmpty) pending.delete(id);
      }
    },
    append(batch) {
      for (let index = 0; index < batch.messages.length; index++) {
        const message = batch.messages[index];
        const target = batch.targets[index];
        if (message === undefined || target === undefined) throw new Error('a message has no destination');
        appendTo(places.get(target) ?? findPlace(target), message);
      }
      for (const blocks of pending.values()) blocks.settle();
    },
    appendTo: (indexSet, message, target) => appendTo({ blocks: [pendingFor(indexSet)], target }, message),
    take(indexNumber) {
      messages = 0;
      frameBytes = 0;
      return [...pending.values()].flatMap((blocks) => blocks.take(indexNumber(blocks.indexSet), memory));
    },
    takeNewFields: () => [...pending.values()].flatMap((blocks) => blocks.takeNewFields()),
  };
}
