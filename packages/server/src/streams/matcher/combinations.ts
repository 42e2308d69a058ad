import type { RoutingTarget } from '#core/index.ts';
import type { StreamDefinition } from '../rules/rule.ts';

/** The stream every message is in, unless a stream it matches takes it out. */
export interface DefaultStream {
  readonly id: string;
  readonly indexSetId: string;
}

/** One set of matching streams, with the target all messages share that match exactly these. */
export interface Combination {
  readonly target: RoutingTarget;
  /** Messages since the counts were last taken. */
  uses: number;
}

interface Node extends Combination {
  readonly children: Map<number, Node>;
}

/** Past this many the tree is planted anew: senders must not be able to fill the memory with combinations. */
const MAX_COMBINATIONS = 50_000;

/**
 * Turns sets of streams into shared targets. A tree with a step for each stream, in ascending order: finding
 * the target of a message costs one look-up for each stream it matches and no allocation.
 */
export class Combinations {
  readonly #streams: readonly StreamDefinition[];
  readonly #default: DefaultStream;
  #root: Node;
  #size = 0;
  #used: Node[] = [];

  constructor(streams: readonly StreamDefinition[], defaultStream: DefaultStream) {
    this.#streams = streams;
    this.#default = defaultStream;
    this.#root = this.#newNode([]);
  }

  /** `matched` holds positions of streams, each once; they are brought into order in place. */
  find(matched: number[], count: number): RoutingTarget {
    if (count > 1) sortFirst(matched, count);
    let node = this.#root;
    for (let index = 0; index < count; index++) {
      const stream = matched[index] ?? 0;
      node = node.children.get(stream) ?? this.#grow(node, matched, index + 1);
    }
    if (node.uses === 0) this.#used.push(node);
    node.uses += 1;
    return node.target;
  }

  /** Calls `visit` with every stream's messages since the last call. */
  takeCounts(visit: (streamId: string, messages: number) => void): void {
    if (this.#used.length === 0) return;
    const counts = new Map<string, number>();
    for (const node of this.#used) {
      for (const id of node.target.streamIds) counts.set(id, (counts.get(id) ?? 0) + node.uses);
      node.uses = 0;
    }
    this.#used = [];
    for (const [id, messages] of counts) visit(id, messages);
  }

  #grow(parent: Node, matched: readonly number[], length: number): Node {
    const node = this.#newNode(matched.slice(0, length));
    this.#size += 1;
    if (this.#size > MAX_COMBINATIONS) {
      this.#size = 0;
      this.#root = this.#newNode([]);
    }
    parent.children.set(matched[length - 1] ?? 0, node);
    return node;
  }

  #newNode(matched: readonly number[]): Node {
    const streams = matched.flatMap((position) => this.#streams[position] ?? []);
    const staysInDefault = !streams.some((stream) => stream.removeMatchesFromDefault);
    const all = staysInDefault ? [this.#default, ...streams] : streams;
    const target = Object.freeze({
      streamIds: Object.freeze([...new Set(all.map((stream) => stream.id))].sort()),
      indexSetIds: Object.freeze([...new Set(all.map((stream) => stream.indexSetId))].sort()),
    });
    return { target, uses: 0, children: new Map() };
  }
}

/** Sorts the first few numbers; a handful is the rule, so insertion is the quickest way. */
function sortFirst(numbers: number[], count: number): void {
  for (let index = 1; index < count; index++) {
    const number = numbers[index] ?? 0;
    let place = index;
    while (place > 0 && (numbers[place - 1] ?? 0) > number) {
      numbers[place] = numbers[place - 1] ?? 0;
      place -= 1;
    }
    numbers[place] = number;
  }
}
