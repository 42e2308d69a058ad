import type { Pill } from '../../../components/clause-pills.tsx';
import { clauseText, replaceClause } from '../../../lib/edit-query/index.ts';
import type { SearchState } from '../use-search.ts';
import { pillsOf, withFlipped, withoutPill, withReplaced, withSwitched } from './pill-changes.ts';

/** The pills of the search, and what can be done to them. */
export function usePills({ values, commit, change }: SearchState) {
  const pills = pillsOf(values);
  const nameOf = (pill: Pill | undefined) => (pill === undefined ? '' : clauseText(pill));
  /** Names the pill itself: its place may be another one by the time of the change. */
  const at = (place: number, run: (pill: Pill) => void) => {
    const pill = pills[place];
    if (pill !== undefined) run(pill);
  };
  return {
    pills,
    flip: (place: number) =>
      at(place, (pill) => commit((latest) => withFlipped(latest, pill), `flip ${nameOf(pill)}`)),
    toggle: (place: number) =>
      at(place, (pill) =>
        commit((latest) => withSwitched(latest, pill), `switch ${pill.isOff ? 'on' : 'off'} ${nameOf(pill)}`),
      ),
    remove: (place: number) =>
      at(place, (pill) => {
        const removed = (latest: SearchState['values']) => withoutPill(latest, pill);
        if (pill.isOff) change(removed);
        else commit(removed, `remove ${nameOf(pill)}`);
      }),
    edit(place: number, text: string): boolean {
      const pill = pills[place];
      if (pill === undefined) return false;
      const next = pill.isNegated && text.trim() !== '' ? clauseText({ text, isNegated: true }) : text;
      if (replaceClause(values.q, place, next) === undefined) return false;
      commit((latest) => withReplaced(latest, pill, next));
      return true;
    },
  };
}
