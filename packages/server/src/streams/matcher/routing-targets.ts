import type { RoutingTarget } from '#core/index.ts';
import type { RoutableStream, StreamDefinition } from '../rules/rule.ts';

/**
 * The targets of messages: one object for each set of streams that occurs, with the index sets and outputs that follow
 * from it, computed once. Changing the streams of a message is a step from one target to another, and every step is
 * remembered. So neither routing nor changing streams allocates anything once a set of streams has been seen.
 */
export interface RoutingTargets {
  /** The target of messages that are only in the default stream, as every message is before any step. */
  readonly defaultTarget: RoutingTarget;
  /** The target of failures. */
  readonly failureTarget: RoutingTarget;
  /**
   * `before`, with the streams whose rules match, and without the default stream if one of them removes its matches
   * from there. `matched` holds positions of streams, each once; the first `count` are sorted in place.
   */
  withMatches(before: RoutingTarget, matched: number[], count: number): RoutingTarget;
  /**
   * The same target if the message is in the stream already, or if there is no such stream that runs. Without the default
   * stream if this one removes its messages from there.
   */
  add(target: RoutingTarget, streamId: string): RoutingTarget;
  /** Without its last stream a message is in the default stream, until it gets another one. */
  remove(target: RoutingTarget, streamId: string): RoutingTarget;
  /** Counts a message for each stream of its target. */
  count(target: RoutingTarget): void;
  /** Calls `visit` with the messages of each stream since the last call. */
  takeCounts(visit: (streamId: string, messages: number) => void): void;
}

export interface BuiltInStreams {
  readonly defaultStream: RoutableStream;
  readonly failureStream: RoutableStream;
}

/** Beyond this number everything is forgotten: senders must not be able to fill the memory with combinations. */
const MAX_STEPS = 50_000;

/** `streams` are in the order of the routing plan: the positions are those of `withMatches`. */
export function createRoutingTargets(
  streams: readonly StreamDefinition[],
  builtIn: BuiltInStreams,
): RoutingTargets {
  return new InternedTargets(streams, builtIn);
}

class InternedTarget implements RoutingTarget {
  readonly streamIds: readonly string[];
  readonly indexSetIds: readonly string[];
  readonly outputIds: readonly string[];
  /** By the id of the stream that is added or removed. */
  #added: Map<string, RoutingTarget> | undefined = undefined;
  #removed: Map<string, RoutingTarget> | undefined = undefined;
  #messages = 0;

  constructor(streams: readonly RoutableStream[]) {
    this.streamIds = Object.freeze(streams.map(({ id }) => id));
    this.indexSetIds = ascending(streams.map(({ indexSetId }) => indexSetId));
    this.outputIds = ascending(streams.flatMap(({ outputIds }) => outputIds));
  }

  get added(): Map<string, RoutingTarget> {
    this.#added ??= new Map();
    return this.#added;
  }

  get removed(): Map<string, RoutingTarget> {
    this.#removed ??= new Map();
    return this.#removed;
  }

  /** True for the first message since the counts were taken. */
  count(): boolean {
    this.#messages += 1;
    return this.#messages === 1;
  }

  takeCount(): number {
    const messages = this.#messages;
    this.#messages = 0;
    return messages;
  }
}

/** A path from the root has one step for each matching stream, by ascending position. */
interface MatchNode {
  /** Of messages whose path ends here; undefined until there is one. */
  target: RoutingTarget | undefined;
  readonly next: Map<number, MatchNode>;
}

class InternedTargets implements RoutingTargets {
  readonly #matching: readonly StreamDefinition[];
  readonly #streams: ReadonlyMap<string, RoutableStream>;
  /** The streams that remove their messages from the default stream. */
  readonly #withoutDefault: ReadonlySet<string>;
  readonly #defaultId: string;
  readonly defaultTarget: InternedTarget;
  readonly failureTarget: InternedTarget;
  /** Of messages that were removed from all streams: the default stream only keeps them from being nowhere. */
  readonly #lastResort: InternedTarget;
  #targets = new Map<string, InternedTarget>();
  #root: MatchNode;
  /** Steps from one target or node to another, since everything was last forgotten. */
  #steps = 0;
  #counted: InternedTarget[] = [];

  constructor(matching: readonly StreamDefinition[], { defaultStream, failureStream }: BuiltInStreams) {
    this.#matching = matching;
    this.#streams = new Map([...matching, defaultStream].map((stream) => [stream.id, stream]));
    this.#withoutDefault = new Set(
      matching.filter(({ removeMatchesFromDefault }) => removeMatchesFromDefault).map(({ id }) => id),
    );
    this.#defaultId = defaultStream.id;
    this.defaultTarget = new InternedTarget([defaultStream]);
    this.failureTarget = new InternedTarget([failureStream]);
    this.#lastResort = new InternedTarget([defaultStream]);
    this.#root = { target: this.defaultTarget, next: new Map() };
    this.#forget();
  }

  withMatches(before: RoutingTarget, matched: number[], count: number): RoutingTarget {
    if (count > 1) sortFirst(matched, count);
    if (before !== this.defaultTarget) return this.#withMatches(before, matched, count);
    let node = this.#root;
    for (let index = 0; index < count; index++) {
      const position = matched[index] ?? 0;
      node = node.next.get(position) ?? this.#grow(node, position);
    }
    node.target ??= this.#targetOfMatches(matched.slice(0, count));
    return node.target;
  }

  #grow(parent: MatchNode, position: number): MatchNode {
    this.#rememberStep();
    const node = { target: undefined, next: new Map() };
    parent.next.set(position, node);
    return node;
  }

  /** In one step: senders choose the combinations, and a target for each part of one would take the square of its streams. */
  #targetOfMatches(matched: readonly number[]): RoutingTarget {
    const ids = matched.flatMap((position) => this.#matching[position]?.id ?? []);
    const isInDefault = !ids.some((id) => this.#withoutDefault.has(id));
    return this.#targetOf(isInDefault ? [this.#defaultId, ...ids] : ids);
  }

  #withMatches(before: RoutingTarget, matched: readonly number[], count: number): RoutingTarget {
    let target = before;
    for (let index = 0; index < count; index++) {
      const stream = this.#matching[matched[index] ?? 0];
      if (stream !== undefined) target = this.add(target, stream.id);
    }
    return target;
  }

  add(target: RoutingTarget, streamId: string): RoutingTarget {
    const { added } = target as InternedTarget;
    let after = added.get(streamId);
    if (after === undefined) {
      if (!this.#streams.has(streamId)) return target;
      after = this.#withStream(target, streamId);
      this.#rememberStep();
      added.set(streamId, after);
    }
    return after;
  }

  #withStream(target: RoutingTarget, streamId: string): RoutingTarget {
    const before = target === this.#lastResort ? [] : target.streamIds;
    if (before.includes(streamId)) return target;
    const leavesDefault = this.#withoutDefault.has(streamId);
    const kept = leavesDefault ? before.filter((id) => id !== this.#defaultId) : before;
    return this.#targetOf([...kept, streamId]);
  }

  remove(target: RoutingTarget, streamId: string): RoutingTarget {
    if (!target.streamIds.includes(streamId)) return target;
    const { removed } = target as InternedTarget;
    let after = removed.get(streamId);
    if (after === undefined) {
      const left = target.streamIds.filter((id) => id !== streamId);
      after = left.length === 0 ? this.#lastResort : this.#targetOf(left);
      this.#rememberStep();
      removed.set(streamId, after);
    }
    return after;
  }

  #targetOf(streamIds: readonly string[]): RoutingTarget {
    const streams = ascending(streamIds).flatMap((id) => this.#streams.get(id) ?? []);
    const key = streams.map(({ id }) => id).join();
    let target = this.#targets.get(key);
    if (target === undefined) {
      target = new InternedTarget(streams);
      this.#targets.set(key, target);
    }
    return target;
  }

  #rememberStep(): void {
    this.#steps += 1;
    if (this.#steps > MAX_STEPS) this.#forget();
  }

  /** Targets that are in use stay valid, but later messages get new ones; only the built-in ones stay the same. */
  #forget(): void {
    this.#targets = new Map([[this.#defaultId, this.defaultTarget]]);
    this.#root = { target: this.defaultTarget, next: new Map() };
    this.#steps = 0;
    for (const target of [this.defaultTarget, this.#lastResort]) {
      target.added.clear();
      target.removed.clear();
    }
  }

  count(target: RoutingTarget): void {
    if ((target as InternedTarget).count()) this.#counted.push(target as InternedTarget);
  }

  takeCounts(visit: (streamId: string, messages: number) => void): void {
    if (this.#counted.length === 0) return;
    const counts = new Map<string, number>();
    for (const target of this.#counted) {
      const messages = target.takeCount();
      for (const id of target.streamIds) counts.set(id, (counts.get(id) ?? 0) + messages);
    }
    this.#counted = [];
    for (const [id, messages] of counts) visit(id, messages);
  }
}

function ascending(ids: readonly string[]): readonly string[] {
  return Object.freeze([...new Set(ids)].sort());
}

/** Sorts the first few numbers. There is rarely more than a handful, for which insertion is fastest. */
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
