/**
 * Finds, in one pass over a text, which of many rules could match it at all.
 *
 * A `contains` rule, and nearly every regular expression, needs a literal in the text (`refused` in
 * `connection .* refused$`). Each rule is filed under three successive characters of its literal, those that the fewest
 * other rules share. Every three characters of a text are then looked up, and only the rules filed under them are
 * tested. So a text costs its length, not the number of rules: with 1000 streams, 400 of which look for a text, a
 * message costs 6 µs instead of 60 (`bench/cases/routing.ts`).
 *
 * ASCII letters are looked up without their case, which only adds a few candidates.
 */
export interface LiteralRule<T> {
  readonly rule: T;
  /** Every text that the rule matches contains this, with `ignoreCase` in any case. */
  readonly literal: string;
  readonly ignoreCase: boolean;
}

const LENGTH = 3;
const BITS_PER_CHARACTER = 7;
const KEY_MASK = 2 ** (LENGTH * BITS_PER_CHARACTER) - 1;
const MULTIPLIER = 0x9e3779b1;
const SLOTS_PER_KEY = 16;
const MIN_SLOT_BITS = 10;
const MAX_SLOT_BITS = 16;

/** Lower case for ASCII. Every other character becomes 0, which is in no key. */
const FOLDED = Uint8Array.from({ length: 128 }, (_, code) =>
  code >= 0x41 && code <= 0x5a ? code + 32 : code,
);

/** Whether a rule with this literal can be filed. */
export function isIndexable(literal: string): boolean {
  return keysOf(literal).length > 0;
}

interface Filed<T> {
  readonly rules: T[];
  /** The last search that found them. */
  search: number;
}

export class LiteralIndex<T> {
  readonly #rules = new Map<number, Filed<T>>();
  #search = 0;
  readonly #slots: Uint8Array;
  readonly #shift: number;
  /** If case is ignored, some characters outside of ASCII match ASCII letters (the Kelvin sign is a k). */
  readonly #ignoringCase: readonly T[];

  constructor(rules: readonly LiteralRule<T>[]) {
    const usage = countKeys(rules);
    for (const { rule, literal } of rules) {
      const key = rarest(keysOf(literal), usage);
      const filed = this.#rules.get(key);
      if (filed === undefined) this.#rules.set(key, { rules: [rule], search: 0 });
      else filed.rules.push(rule);
    }
    const bits = Math.ceil(Math.log2(Math.max(1, this.#rules.size * SLOTS_PER_KEY)));
    this.#shift = 32 - Math.min(MAX_SLOT_BITS, Math.max(MIN_SLOT_BITS, bits));
    this.#slots = new Uint8Array(2 ** (32 - this.#shift));
    for (const key of this.#rules.keys()) this.#slots[this.#slotOf(key)] = 1;
    this.#ignoringCase = rules.filter(({ ignoreCase }) => ignoreCase).map(({ rule }) => rule);
  }

  /** Puts the rules that could match into `found`, some perhaps twice, and returns their number. */
  find(text: string, found: T[]): number {
    const slots = this.#slots;
    const shift = this.#shift;
    this.#search += 1;
    let count = 0;
    let key = 0;
    let isAscii = true;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code > 127) isAscii = false;
      key = ((key << BITS_PER_CHARACTER) | (code > 127 ? 0 : (FOLDED[code] ?? 0))) & KEY_MASK;
      if (slots[Math.imul(key, MULTIPLIER) >>> shift] !== 0) {
        const filed = this.#rules.get(key);
        if (filed !== undefined && filed.search !== this.#search) {
          filed.search = this.#search;
          for (const rule of filed.rules) found[count++] = rule;
        }
      }
    }
    if (!isAscii) for (const rule of this.#ignoringCase) found[count++] = rule;
    return count;
  }

  #slotOf(key: number): number {
    return Math.imul(key, MULTIPLIER) >>> this.#shift;
  }
}

/** The keys of all runs of three ASCII characters. */
function keysOf(literal: string): number[] {
  const keys: number[] = [];
  for (let start = 0; start + LENGTH <= literal.length; start++) {
    let key = 0;
    let isUsable = true;
    for (let index = start; index < start + LENGTH; index++) {
      const code = literal.charCodeAt(index);
      if (code === 0 || code > 127) isUsable = false;
      key = (key << BITS_PER_CHARACTER) | (FOLDED[code] ?? 0);
    }
    if (isUsable) keys.push(key);
  }
  return keys;
}

function countKeys(rules: readonly LiteralRule<unknown>[]): ReadonlyMap<number, number> {
  const usage = new Map<number, number>();
  for (const { literal } of rules) {
    for (const key of new Set(keysOf(literal))) usage.set(key, (usage.get(key) ?? 0) + 1);
  }
  return usage;
}

function rarest(keys: readonly number[], usage: ReadonlyMap<number, number>): number {
  return keys.reduce(
    (best, key) => ((usage.get(key) ?? 0) < (usage.get(best) ?? 0) ? key : best),
    keys[0] ?? 0,
  );
}
