/**
 * Conditions of a WHERE clause while they are put together: what the text index answers is kept apart from the rest,
 * so that the words of several parts become one question to it and come first.
 */
import { filteredWordsHint, isExactWord, isFilteredWord } from '#storage/index.ts';
import type { SqlParameters } from './sql-parameters.ts';

export type Condition =
  | { readonly type: 'constant'; readonly value: boolean }
  /** All of these words may be in the column `text`, as its indexes tell; those that `isExactWord` are. */
  | { readonly type: 'words'; readonly words: readonly string[] }
  /** Never NULL. */
  | { readonly type: 'sql'; readonly sql: string; readonly cost: Cost; readonly negated?: Condition }
  | { readonly type: 'and'; readonly parts: readonly Condition[] };

/** What a condition reads: the cheap ones are written first. The engine orders by size of columns on its own, too. */
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

/** Of words that no index knows it says nothing. */
export function words(needed: readonly string[]): Condition {
  const known = needed.filter((word) => isExactWord(word) || isFilteredWord(word));
  return known.length === 0 ? ALWAYS : { type: 'words', words: known };
}

export function and(parts: readonly Condition[]): Condition {
  const flat = parts.flatMap((part) => (part.type === 'and' ? part.parts : [part]));
  if (flat.some((part) => part.type === 'constant' && !part.value)) return NEVER;
  const needed = new Set(flat.flatMap((part) => (part.type === 'words' ? part.words : [])));
  const rest = flat.filter((part) => part.type === 'sql');
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
    `(${inOrder(all)
      .map((part) => render(part, parameters))
      .join(' OR ')})`,
    cost,
  );
}

/** All words of one of these lists: of each list the indexes are asked for the word that tells most. */
export function anyWords(lists: readonly (readonly string[])[], parameters: SqlParameters): Condition {
  return or(
    lists.map((list) => words(tellingWord(list))),
    parameters,
  );
}

function tellingWord(list: readonly string[]): string[] {
  const exact = list.filter(isExactWord);
  const candidates = exact.length > 0 ? exact : list;
  return candidates.toSorted((one, other) => other.length - one.length).slice(0, 1);
}

export function not(part: Condition, parameters: SqlParameters): Condition {
  if (part.type === 'constant') return part.value ? NEVER : ALWAYS;
  // The engine takes long over NOT of NOT of much.
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
    case 'and':
      return `(${inOrder(condition.parts)
        .map((part) => render(part, parameters))
        .join(' AND ')})`;
  }
}

function wordsSql(which: 'all' | 'any', sought: readonly string[], parameters: SqlParameters): string {
  const list = (some: readonly string[]) => parameters.add([...some].sort(), 'Array(String)');
  const exact = sought.filter(isExactWord);
  const filtered = sought.filter(isFilteredWord);
  const parts: string[] = [];
  if (exact.length > 0) parts.push(`has${which === 'all' ? 'All' : 'Any'}Tokens(text, ${list(exact)})`);
  if (filtered.length > 0) parts.push(filteredWordsHint(which, list(filtered)));
  return parts.length === 1 ? parts.join('') : `(${parts.join(which === 'all' ? ' AND ' : ' OR ')})`;
}

function inOrder(parts: readonly Condition[]): Condition[] {
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
      // The dearest part is computed for what the others have left.
      return Math.min(...condition.parts.map(costOf)) as Cost;
  }
}
