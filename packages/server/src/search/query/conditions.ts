/**
 * Conditions of a WHERE clause while it is built. Words for the text index are kept apart from the rest, so that the
 * words of several parts become one index lookup, which comes first.
 */
import { filteredWordsHint, isExactWord, isFilteredWord } from '#storage/index.ts';
import type { SqlParameters } from './sql-parameters.ts';

export type Condition =
  | { readonly type: 'constant'; readonly value: boolean }
  /** Index lookup: rows whose `text` may contain all of these words, and does contain those that `isExactWord`. */
  | { readonly type: 'words'; readonly words: readonly string[] }
  /** Never NULL. */
  | { readonly type: 'sql'; readonly sql: string; readonly cost: Cost; readonly negated?: Condition }
  | { readonly type: 'and'; readonly parts: readonly Condition[] }
  /** Either of the two: the index narrows `narrowed`, but nothing narrows both together. See `splitConditions`. */
  | { readonly type: 'either'; readonly narrowed: Condition; readonly other: Condition };

/** By what a condition reads. Cheap ones come first; the engine also orders conditions by the size of their columns. */
export const COST = {
  ownColumn: 0,
  index: 1,
  field: 2,
  fields: 3,
  text: 4,
  everything: 5,
} as const;
export type Cost = (typeof COST)[keyof typeof COST];

export const ALWAYS: Condition = { type: 'constant', value: true };
export const NEVER: Condition = { type: 'constant', value: false };

export function sql(text: string, cost: Cost): Condition {
  return { type: 'sql', sql: text, cost };
}

/** Leaves out words that no index covers. */
export function words(needed: readonly string[]): Condition {
  const known = needed.filter((word) => isExactWord(word) || isFilteredWord(word));
  return known.length === 0 ? ALWAYS : { type: 'words', words: known };
}

export function and(parts: readonly Condition[]): Condition {
  const flat = parts.flatMap((part) => (part.type === 'and' ? part.parts : [part]));
  if (flat.some((part) => part.type === 'constant' && !part.value)) return NEVER;
  const needed = new Set(flat.flatMap((part) => (part.type === 'words' ? part.words : [])));
  const rest = flat.filter((part) => part.type === 'sql' || part.type === 'either');
  const all: Condition[] = needed.size === 0 ? rest : [words([...needed]), ...rest];
  const [first] = all;
  if (first === undefined) return ALWAYS;
  return all.length === 1 ? first : { type: 'and', parts: all };
}

export function or(parts: readonly Condition[], parameters: SqlParameters): Condition {
  if (parts.some((part) => part.type === 'constant' && part.value)) return ALWAYS;
  const single = new Set<string>();
  const rest: Condition[] = [];
  for (const part of parts) {
    if (part.type === 'words' && part.words.length === 1) single.add(part.words[0] ?? '');
    else if (part.type !== 'constant') rest.push(part);
  }
  const all: Condition[] =
    single.size < 2
      ? [...[...single].map((word) => words([word])), ...rest]
      : [sql(wordsSql('any', [...single], parameters), COST.index), ...rest];
  const [first] = all;
  if (first === undefined) return NEVER;
  if (all.length === 1) return first;
  const cost = Math.max(...all.map(costOf)) as Cost;
  return sql(
    `(${cheapestFirst(all)
      .map((part) => render(part, parameters))
      .join(' OR ')})`,
    cost,
  );
}

/** Rows that may contain all words of at least one list: looks up one word of each list. */
export function anyWords(lists: readonly (readonly string[])[], parameters: SqlParameters): Condition {
  return or(
    lists.map((list) => words(mostSelectiveWord(list))),
    parameters,
  );
}

/** The longest word, preferably one the index knows exactly. */
function mostSelectiveWord(list: readonly string[]): string[] {
  const exact = list.filter(isExactWord);
  const candidates = exact.length > 0 ? exact : list;
  return candidates.toSorted((one, other) => other.length - one.length).slice(0, 1);
}

/** Like `or` of the two, but remembers them. */
export function either(narrowed: Condition, other: Condition, parameters: SqlParameters): Condition {
  if (narrowed.type === 'constant' || other.type === 'constant') return or([narrowed, other], parameters);
  return { type: 'either', narrowed, other };
}

/**
 * Two conditions that no row meets both, and that together find the same rows; undefined if there are none that the engine
 * could answer with less reading. It uses an index for parts of an AND only: of an OR it reads all columns of every row.
 */
export function splitConditions(
  condition: Condition,
  parameters: SqlParameters,
): readonly [Condition, Condition] | undefined {
  const parts = condition.type === 'and' ? condition.parts : [condition];
  const split = parts.find((part) => part.type === 'either');
  if (split === undefined) return undefined;
  const rest = parts.filter((part) => part !== split);
  return [and([...rest, split.narrowed]), and([...rest, split.other, not(split.narrowed, parameters)])];
}

export function not(part: Condition, parameters: SqlParameters): Condition {
  if (part.type === 'constant') return part.value ? NEVER : ALWAYS;
  // The engine is slow to analyse a nested NOT over a large condition.
  if (part.type === 'sql' && part.negated !== undefined) return part.negated;
  return { type: 'sql', sql: `NOT (${render(part, parameters)})`, cost: costOf(part), negated: part };
}

export function render(condition: Condition, parameters: SqlParameters): string {
  switch (condition.type) {
    case 'constant':
      return condition.value ? '1' : '0';
    case 'words':
      return wordsSql('all', condition.words, parameters);
    case 'sql':
      return condition.sql;
    case 'either':
      return render(or([condition.narrowed, condition.other], parameters), parameters);
    case 'and':
      return `(${cheapestFirst(condition.parts)
        .map((part) => render(part, parameters))
        .join(' AND ')})`;
  }
}

/**
 * Where the index is missing, `hasAllTokens` splits every text into words: `hasToken`, which searches for one word, is
 * four times as fast. For more words than this, splitting once is faster.
 */
const MAX_READ_WORDS = 4;

function wordsSql(which: 'all' | 'any', wanted: readonly string[], parameters: SqlParameters): string {
  const list = (some: readonly string[]) => parameters.add([...some].sort(), 'Array(String)');
  const exact = wanted.filter(isExactWord);
  const filtered = wanted.filter(isFilteredWord);
  const parts: string[] = [];
  // Outside of WHERE the engine knows nothing of the index, so not of its lower case either.
  const text = parameters.parts === 'any' ? 'lowerUTF8(text)' : 'text';
  if (exact.length > MAX_READ_WORDS || (exact.length > 0 && parameters.parts === 'indexed')) {
    parts.push(`has${which === 'all' ? 'All' : 'Any'}Tokens(${text}, ${list(exact)})`);
  } else {
    parts.push(...exact.map((word) => `hasToken(lowerUTF8(text), ${parameters.add(word, 'String')})`));
  }
  if (filtered.length > 0) parts.push(filteredWordsHint(which, list(filtered)));
  return parts.length === 1 ? parts.join('') : `(${parts.join(which === 'all' ? ' AND ' : ' OR ')})`;
}

function cheapestFirst(parts: readonly Condition[]): Condition[] {
  return [...parts].sort((a, b) => costOf(a) - costOf(b));
}

function costOf(condition: Condition): Cost {
  switch (condition.type) {
    case 'constant':
      return COST.ownColumn;
    case 'words':
      return COST.index;
    case 'sql':
      return condition.cost;
    case 'and':
      // The expensive parts run only on rows that pass the cheap ones.
      return Math.min(...condition.parts.map(costOf)) as Cost;
    case 'either':
      return Math.max(costOf(condition.narrowed), costOf(condition.other)) as Cost;
  }
}
