import type { Pill } from '../../../components/clause-pills.tsx';
import {
  addClause,
  clausesOf,
  clauseText,
  flipClause,
  replaceClause,
  withoutClause,
} from '../../../lib/edit-query/index.ts';
import type { SearchState } from '../use-search.ts';

/** The pills of the search: its clauses, then those that are switched off. */
export function usePills({ values, commit, change }: SearchState) {
  const { q, off } = values;
  const on = clausesOf(q);
  const offClauses = off.flatMap((text) => clausesOf(text).slice(0, 1));
  const pills: Pill[] = [
    ...on.map((clause) => ({ ...clause, isOff: false })),
    ...offClauses.map((clause) => ({ ...clause, isOff: true })),
  ];
  const textAt = (at: number) => {
    const pill = pills[at];
    return pill === undefined ? '' : clauseText(pill);
  };
  const withoutOff = (at: number) => off.filter((_, index) => index !== at - on.length);
  return {
    pills,
    flip: (at: number) => commit({ q: flipClause(q, at) }, `flip ${textAt(at)}`),
    toggle(at: number) {
      if (at < on.length)
        commit({ q: withoutClause(q, at), off: [...off, textAt(at)] }, `switch off ${textAt(at)}`);
      else commit({ q: addClause(q, textAt(at)), off: withoutOff(at) }, `switch on ${textAt(at)}`);
    },
    remove(at: number) {
      if (at < on.length) commit({ q: withoutClause(q, at) }, `remove ${textAt(at)}`);
      else change({ off: withoutOff(at) });
    },
    edit(at: number, text: string): boolean {
      const isNegated = pills[at]?.isNegated === true;
      const next = replaceClause(
        q,
        at,
        isNegated && text.trim() !== '' ? clauseText({ text, isNegated }) : text,
      );
      if (next === undefined) return false;
      commit({ q: next });
      return true;
    },
  };
}
