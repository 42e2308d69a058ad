/**
 * Field layouts: what hidden classes are to objects, for the additional fields of messages.
 *
 * Messages of one sender carry the same field names in the same order again and again. The names live once
 * in a layout that all those messages share; a message itself holds only its values. So a message costs one
 * array, and reading a field of many messages looks the name up once per layout, not per message.
 * The figures are in `message.ts`.
 *
 * Layouts form a tree: `append` leads from a layout to the one with one more name. The tree is bounded: when
 * it is full, further layouts still work but are not remembered, and the next message starts a new tree.
 */

const MAX_REMEMBERED_NAME_LENGTH = 256;
/** A layout that is only passed through, while a message gets many new fields, is not worth an index. */
const LOOKUPS_WITHOUT_INDEX = 8;

/** An ordered set of field names. Immutable to its users; the same object for the same names, mostly. */
export class FieldLayout {
  /** How many names. */
  readonly size: number;
  readonly #parent: FieldLayout | undefined;
  readonly #name: string;
  readonly #tree: LayoutTree;
  #children: Map<string, FieldLayout> | undefined = undefined;
  #names: readonly string[] | undefined = undefined;
  #positions: Map<string, number> | undefined = undefined;
  #lookups = 0;

  constructor(tree: LayoutTree, parent: FieldLayout | undefined, name: string) {
    this.#tree = tree;
    this.#parent = parent;
    this.#name = name;
    this.size = parent === undefined ? 0 : parent.size + 1;
  }

  /** The names, in the order of a message's values. Built on first use and then shared. */
  get names(): readonly string[] {
    if (this.#names !== undefined) return this.#names;
    const names = new Array<string>(this.size);
    let layout: FieldLayout = this;
    for (let position = this.size - 1; position >= 0; position--) {
      names[position] = layout.#name;
      layout = layout.#parent ?? layout;
    }
    this.#names = names;
    return names;
  }

  /** The position of a name among a message's values, or -1. */
  indexOf(name: string): number {
    if (this.#positions === undefined) {
      this.#lookups += 1;
      if (this.#lookups <= LOOKUPS_WITHOUT_INDEX) return this.find(name);
      this.#positions = new Map(this.names.map((known, position) => [known, position]));
    }
    return this.#positions.get(name) ?? -1;
  }

  /** The same, by walking the names: for layouts that are only passed through and not worth an index. */
  find(name: string): number {
    let layout: FieldLayout | undefined = this;
    while (layout !== undefined && layout.size > 0) {
      if (layout.#name === name) return layout.size - 1;
      layout = layout.#parent;
    }
    return -1;
  }

  /** The layout with one more name at its end. The name must not be in this layout yet. */
  append(name: string): FieldLayout {
    const known = this.#children?.get(name);
    if (known !== undefined) return known;
    const child = new FieldLayout(this.#tree, this, name);
    if (this.#tree.remembered < this.#tree.limit && name.length <= MAX_REMEMBERED_NAME_LENGTH) {
      this.#tree.remembered += 1;
      this.#children ??= new Map();
      this.#children.set(name, child);
    }
    return child;
  }
}

interface LayoutTree {
  readonly limit: number;
  remembered: number;
}

export interface FieldLayouts {
  /** The layout without names: where the fields of every new message start. */
  empty(): FieldLayout;
}

export interface FieldLayoutsConfig {
  /** How many layouts are remembered at once. */
  readonly maxLayouts?: number;
}

/** One per thread. Layouts of different trees mix freely: they are only less shared. */
export function createFieldLayouts(config: FieldLayoutsConfig = {}): FieldLayouts {
  const limit = config.maxLayouts ?? 16_384;
  let tree: LayoutTree = { limit, remembered: 0 };
  let root = new FieldLayout(tree, undefined, '');
  return {
    empty() {
      if (tree.remembered >= limit) {
        tree = { limit, remembered: 0 };
        root = new FieldLayout(tree, undefined, '');
      }
      return root;
    },
  };
}
