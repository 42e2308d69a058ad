/** What is done to a pill that was drawn. The search may have changed since: the pill is looked for by what it says. */
import type { Pill } from '../../../components/clause-pills.tsx';
import {
  addClause,
  clausesOf,
  clauseText,
  flipClause,
  replaceClause,
  withoutClause,
} from '../../../lib/edit-query/index.ts';
import type { SearchValues } from '../search-params.ts';

type Searched = Pick<SearchValues, 'q' | 'off'>;

/** The clauses of the query, then those that are switched off. */
export function pillsOf({ q, off }: Searched): Pill[] {
  return [
    ...clausesOf(q).map((clause) => ({ ...clause, isOff: false })),
    ...off.flatMap((text) => clausesOf(text).slice(0, 1)).map((clause) => ({ ...clause, isOff: true })),
  ];
}

export function withFlipped({ q }: Searched, pill: Pill): Partial<Searched> {
  return { q: flipClause(q, placeIn(q, pill)) };
}

export function withReplaced({ q }: Searched, pill: Pill, text: string): Partial<Searched> {
  return { q: replaceClause(q, placeIn(q, pill), text) ?? q };
}

export function withoutPill(searched: Searched, pill: Pill): Partial<Searched> {
  const { q, off } = searched;
  if (!pill.isOff) return { q: withoutClause(q, placeIn(q, pill)) };
  const place = off.findIndex((text) =>
    clausesOf(text).slice(0, 1).map(clauseText).includes(clauseText(pill)),
  );
  return { off: off.filter((_, at) => at !== place) };
}

/** Off what is on, and the other way round; as it is if that has happened meanwhile. */
export function withSwitched(searched: Searched, pill: Pill): Partial<Searched> {
  const { q, off } = searched;
  const text = clauseText(pill);
  const isThere = pillsOf(searched).some((each) => each.isOff === pill.isOff && clauseText(each) === text);
  if (!isThere) return {};
  const without = withoutPill(searched, pill);
  return pill.isOff ? { ...without, q: addClause(q, text) } : { ...without, off: [...off, text] };
}

/** -1 if it is gone: nothing is changed then. */
function placeIn(query: string, pill: Pill): number {
  const text = clauseText(pill);
  return clausesOf(query).findIndex((clause) => clauseText(clause) === text);
}
