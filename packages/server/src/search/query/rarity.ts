/** What a query alone tells of how many messages it finds. */
import type { QueryNode } from '@millrace/query';
import { fieldColumn, isFilteredWord } from '#storage/index.ts';
import { foldCase, wordsOf } from './words.ts';

/**
 * Whether every match has a long word with digits: ids, large numbers and the like are in few messages each. A guess
 * on which no answer depends.
 */
export function isProbablyRare(query: QueryNode): boolean {
  switch (query.type) {
    case 'and':
      return query.parts.some(isProbablyRare);
    case 'or':
      return query.parts.every(isProbablyRare);
    case 'match': {
      const { field, match } = query;
      if (match.type !== 'term' && match.type !== 'phrase') return false;
      return mayBeAnyText(field) && wordsOf(foldCase(match.text)).some(isFilteredWord);
    }
    default:
      return false;
  }
}

/**
 * Whether the engine reads texts to find matches, because no index knows patterns. Then a page that is not full has read as much
 * as the count would.
 */
export function readsTexts(query: QueryNode): boolean {
  switch (query.type) {
    case 'and':
    case 'or':
      return query.parts.some(readsTexts);
    case 'match':
      return ['regex', 'wildcard', 'fuzzy'].includes(query.match.type);
    default:
      return false;
  }
}

/** Times, and the ids of inputs, nodes and streams, are long words with digits that many messages have. */
function mayBeAnyText(field: string | undefined): boolean {
  if (field === undefined) return true;
  const { kind } = fieldColumn(field);
  return kind === 'dynamic' || (kind === 'text' && field !== 'source');
}
