import { type FieldLayout, type FieldLayouts, isFieldName, isProtectedFieldName } from '#core/index.ts';

/**
 * What each top-level key of a GELF message means, worked out once per sequence of keys.
 *
 * The decoder walks a tree along the keys of a message. A node remembers the child taken last time, and
 * senders repeat themselves, so a step is one comparison of two internalized strings: no hashing, no regex,
 * no removal of underscores. The last node has the layout of the message's additional fields.
 *
 * The tree is bounded: when it is full the next message starts a new one.
 */

/** What to do with the value of a key. Small integers: the decoder switches on them for every field. */
export const KEY = {
  /** An additional field: the next value of the layout. */
  field: 0,
  /** The name was used before in this message (`_x` and `x`): the first one that has a value wins. */
  again: 1,
  version: 2,
  host: 3,
  shortMessage: 4,
  fullMessage: 5,
  timestamp: 6,
  level: 7,
  /** `message`: used when `short_message` is missing. */
  message: 8,
  /** `_level` and `_full_message`: used when the keys without underscore are missing. */
  levelField: 9,
  fullMessageField: 10,
  /** `_id`: the spec says that servers drop it. */
  id: 11,
  /** A name the server sets itself. */
  protected: 12,
  /** A name outside of `[\w.-]`. */
  badName: 13,
  /** More keys than a message may have. */
  excess: 14,
  /** The decoder's own mark. */
  mark: 15,
} as const;

export type KeyKind = (typeof KEY)[keyof typeof KEY];

const SPECIAL: ReadonlyMap<string, KeyKind> = new Map<string, KeyKind>([
  ['version', KEY.version],
  ['host', KEY.host],
  ['short_message', KEY.shortMessage],
  ['full_message', KEY.fullMessage],
  ['timestamp', KEY.timestamp],
  ['level', KEY.level],
  ['message', KEY.message],
  ['_level', KEY.levelField],
  ['_full_message', KEY.fullMessageField],
  ['_id', KEY.id],
]);

/** What the encoder writes beside additional fields, and the decoder's own mark. */
const CLEAN: ReadonlySet<KeyKind> = new Set<KeyKind>([
  KEY.version,
  KEY.host,
  KEY.shortMessage,
  KEY.fullMessage,
  KEY.timestamp,
  KEY.level,
  KEY.mark,
]);

const MAX_REMEMBERED_KEY_LENGTH = 256;

/** The name a key is stored under: without one leading underscore, except for `_` itself. */
export function fieldNameOf(key: string): string {
  return key.length > 1 && key.charCodeAt(0) === 0x5f ? key.slice(1) : key;
}

export class KeyNode {
  readonly kind: KeyKind;
  /** The additional fields up to and including this key. */
  readonly layout: FieldLayout;
  /** Keys up to and including this one. */
  readonly depth: number;
  /** Only for `again`: where the name was used before. */
  readonly position: number;
  /** All keys up to and including this one are those that the encoder would write. */
  readonly isClean: boolean;
  lastKey: string | undefined = undefined;
  lastChild: KeyNode = this;
  children: Map<string, KeyNode> | undefined = undefined;

  constructor(kind: KeyKind, layout: FieldLayout, depth: number, position: number, isClean = false) {
    this.kind = kind;
    this.layout = layout;
    this.depth = depth;
    this.position = position;
    this.isClean = isClean;
  }
}

export interface KeyTreeConfig {
  /** Top-level keys a message may have; the rest is dropped and counted. */
  readonly maxKeys: number;
  /** Nodes remembered at once. */
  readonly maxNodes?: number;
  /** A key that only the decoder itself adds. */
  readonly mark?: string;
}

export class KeyTree {
  readonly #layouts: FieldLayouts;
  readonly #maxKeys: number;
  readonly #maxNodes: number;
  readonly #mark: string | undefined;
  #root: KeyNode;
  #nodes = 0;

  constructor(layouts: FieldLayouts, config: KeyTreeConfig) {
    this.#layouts = layouts;
    this.#maxKeys = config.maxKeys;
    this.#maxNodes = config.maxNodes ?? 16_384;
    this.#mark = config.mark;
    this.#root = new KeyNode(KEY.mark, layouts.empty(), 0, -1, true);
  }

  /** Where every message starts. */
  root(): KeyNode {
    if (this.#nodes >= this.#maxNodes) {
      this.#nodes = 0;
      this.#root = new KeyNode(KEY.mark, this.#layouts.empty(), 0, -1, true);
    }
    return this.#root;
  }

  /** The node for the next key. `members` is the whole message: a name may come twice. */
  step(node: KeyNode, key: string, members: object): KeyNode {
    const known = node.children?.get(key);
    if (known !== undefined) {
      node.lastKey = key;
      node.lastChild = known;
      return known;
    }
    const child = this.#create(node, key, members);
    // A message with too many keys stays on one node. Long keys are not remembered, nor anything in a full tree.
    if (child === node || key.length > MAX_REMEMBERED_KEY_LENGTH || this.#nodes >= this.#maxNodes)
      return child;
    this.#nodes += 1;
    node.children ??= new Map();
    node.children.set(key, child);
    node.lastKey = key;
    node.lastChild = child;
    return child;
  }

  #create(node: KeyNode, key: string, members: object): KeyNode {
    const special = key === this.#mark ? KEY.mark : SPECIAL.get(key);
    const depth = node.depth + 1;
    if (special !== undefined) {
      return new KeyNode(special, node.layout, depth, -1, node.isClean && CLEAN.has(special));
    }
    if (node.depth >= this.#maxKeys) {
      return node.kind === KEY.excess ? node : new KeyNode(KEY.excess, node.layout, node.depth, -1);
    }
    const name = fieldNameOf(key);
    if (!isFieldName(name)) return new KeyNode(KEY.badName, node.layout, depth, -1);
    if (isProtectedFieldName(name)) return new KeyNode(KEY.protected, node.layout, depth, -1);
    const otherKey = key === name ? `_${name}` : name;
    if (Object.hasOwn(members, otherKey)) {
      const position = node.layout.find(name);
      if (position >= 0) return new KeyNode(KEY.again, node.layout, depth, position);
    }
    // The encoder adds a forwarder where there is none.
    const isClean = node.isClean && key !== name && name !== 'forwarder';
    return new KeyNode(KEY.field, node.layout.append(name), depth, -1, isClean);
  }
}
