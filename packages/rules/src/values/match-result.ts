import type { Value } from './value.ts';

/**
 * What a pattern found: a map of its groups. `matches` says whether it was found at all.
 *
 * Patterns have few groups, and every match makes one of these. Two lists cost a fraction of what a `Map` does; the
 * names are the same list for all matches of a pattern.
 */
export class MatchResult implements ReadonlyMap<string, Value> {
  readonly matches: boolean;
  readonly #names: readonly string[];
  readonly #values: readonly Value[];

  /** @param names each of them once, with the value at the same position */
  constructor(matches: boolean, names: readonly string[], values: readonly Value[]) {
    this.matches = matches;
    this.#names = names;
    this.#values = values;
  }

  get size(): number {
    return this.#names.length;
  }

  get(name: string): Value {
    const position = this.#names.indexOf(name);
    return position < 0 ? undefined : this.#values[position];
  }

  has(name: string): boolean {
    return this.#names.includes(name);
  }

  forEach(visit: (value: Value, name: string, map: ReadonlyMap<string, Value>) => void): void {
    for (let position = 0; position < this.#names.length; position++) {
      visit(this.#values[position], this.#names[position] ?? '', this);
    }
  }

  keys(): MapIterator<string> {
    return this.#names.values();
  }

  values(): MapIterator<Value> {
    return this.#values.values();
  }

  *entries(): MapIterator<[string, Value]> {
    for (let position = 0; position < this.#names.length; position++) {
      yield [this.#names[position] ?? '', this.#values[position]];
    }
  }

  [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries();
  }
}
