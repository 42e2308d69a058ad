import {
  areEqual,
  hashOf,
  KEYS,
  KEYS_BYTES,
  MAX_NODES,
  NODE_BYTES,
  NODE_TABLE,
  NODE_TABLE_SLOTS,
  NODES,
} from './memory';

/**
 * The tree of key sequences. A node stands for a key, the type of its value, and all keys and types before it. Which meaning
 * that has, only the other side knows: it looks at a sequence when it has come twice, and writes the kinds of its nodes.
 */

/** Kinds that the other side gives to nodes. 0: it has not looked at the node. */
export const KIND_VERSION: u8 = 2;
export const KIND_HOST: u8 = 3;
export const KIND_SHORT_MESSAGE: u8 = 4;
export const KIND_FULL_MESSAGE: u8 = 5;
/** Frames with such a key are not for us. */
export const KIND_REFUSED: u8 = 255;

/** The shape of a node with which no frame that is for us can end. 0: the other side has not looked. */
export const SHAPE_REFUSED: u32 = 1;

export const MAX_KEY_LENGTH: u32 = 256;

let nodeCount: u32 = 1;
let keysEnd: u32 = KEYS;
/** A key found no place. */
let isCrowded: bool = false;

export function parentOf(node: u32): u32 {
  return load<u32>(NODES + node * NODE_BYTES);
}
export function keyOf(node: u32): u32 {
  return load<u32>(NODES + node * NODE_BYTES, 4);
}
export function keyLengthOf(node: u32): u32 {
  return load<u16>(NODES + node * NODE_BYTES, 8);
}
export function typeOf(node: u32): u8 {
  return load<u8>(NODES + node * NODE_BYTES, 10);
}
export function kindOf(node: u32): u8 {
  return load<u8>(NODES + node * NODE_BYTES, 11);
}
/** The child that was taken last. */
export function likelyChildOf(node: u32): u32 {
  return load<u32>(NODES + node * NODE_BYTES, 12);
}
export function shapeOf(node: u32): u32 {
  return load<u32>(NODES + node * NODE_BYTES, 16);
}
/** Counts that a frame has ended with the node. */
export function countFrame(node: u32): void {
  const at = NODES + node * NODE_BYTES;
  store<u32>(at, load<u32>(at, 20) + 1, 20);
}

/** Whether the bytes at `at`, all before `limit`, are the key of the node and the quote after it. */
export function isKeyAt(node: u32, at: u32, limit: u32): bool {
  const length = keyLengthOf(node);
  return at + length < limit && load<u8>(at + length) == 0x22 && areEqual(at, keyOf(node), length);
}

/** Senders choose the keys, and could choose them so that all have the same place. */
const MAX_PROBES: u32 = 128;

/** The child for a key and a type; 0 when there is none and no room for another one. */
export function childOf(parent: u32, key: u32, length: u32, type: u8): u32 {
  const hash = hashOf(key, length, parent * 8 + type);
  let slot = hash & (NODE_TABLE_SLOTS - 1);
  for (let probe: u32 = 0; probe < MAX_PROBES; probe++) {
    const node = load<u32>(NODE_TABLE + slot * 4);
    if (node == 0) return insert(parent, key, length, type, slot);
    if (
      parentOf(node) == parent &&
      typeOf(node) == type &&
      keyLengthOf(node) == length &&
      areEqual(keyOf(node), key, length)
    ) {
      store<u32>(NODES + parent * NODE_BYTES, node, 12);
      return node;
    }
    slot = (slot + 1) & (NODE_TABLE_SLOTS - 1);
  }
  isCrowded = true;
  return 0;
}

function insert(parent: u32, key: u32, length: u32, type: u8, slot: u32): u32 {
  if (!hasRoom()) return 0;
  const node = nodeCount++;
  memory.copy(keysEnd, key, length);
  const at = NODES + node * NODE_BYTES;
  memory.fill(at, 0, NODE_BYTES);
  store<u32>(at, parent);
  store<u32>(at, keysEnd, 4);
  store<u16>(at, <u16>length, 8);
  store<u8>(at, type, 10);
  keysEnd += length;
  store<u32>(NODE_TABLE + slot * 4, node);
  store<u32>(NODES + parent * NODE_BYTES, node, 12);
  return node;
}

/** Whether there is room for one more key of any length. */
export function hasRoom(): bool {
  return !isCrowded && nodeCount < MAX_NODES && keysEnd + MAX_KEY_LENGTH + 16 <= KEYS + KEYS_BYTES;
}

/** Forgets all keys. */
export function forgetKeys(): void {
  memory.fill(NODE_TABLE, 0, NODE_TABLE_SLOTS * 4);
  memory.fill(NODES, 0, NODE_BYTES);
  nodeCount = 1;
  keysEnd = KEYS;
  isCrowded = false;
}
