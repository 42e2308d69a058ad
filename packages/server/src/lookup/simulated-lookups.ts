import { answerOf, type LookupAnswer, NO_ANSWER } from './answer.ts';
import { changedValue, entryValueOf, type LookupChange } from './remote/change.ts';
import { answerOr } from './source.ts';
import type { WorkerLookups } from './worker-lookups.ts';

/** Lookup tables for simulations: what rules change is seen by the rest of the run, and nowhere else. */
export interface SimulatedLookups extends Pick<WorkerLookups, 'lookup' | 'change'> {
  /** Forgets the changes of the run before. */
  begin(): void;
  /** Names of the tables that a rule wanted to ask, and that were left out. */
  readonly leftOut: ReadonlySet<string>;
}

/** @param asksServers false: tables of servers elsewhere answer with their defaults, and nobody is asked */
export function createSimulatedLookups(
  lookups: WorkerLookups,
  { asksServers }: { readonly asksServers: boolean },
): SimulatedLookups {
  const leftOut = new Set<string>();
  const changed = new Map<string, LookupAnswer>();
  const place = (table: string, key: string) => `${table}\n${key}`;
  const current = (table: string, key: string) =>
    changed.get(place(table, key)) ?? lookups.stored(table, key) ?? NO_ANSWER;

  return {
    begin: () => changed.clear(),
    leftOut,
    lookup(table, key) {
      if (!asksServers && lookups.isOfServer(table)) {
        leftOut.add(table);
        return lookups.fallback(table);
      }
      const answer = changed.get(place(table, key));
      return answer === undefined ? lookups.lookup(table, key) : answerOr(lookups.fallback(table), answer);
    },
    change(table: string, key: string, change: LookupChange) {
      if (!lookups.isWritable(table)) return undefined;
      const value = changedValue(entryValueOf(current(table, key)), change);
      const answer = value === undefined ? NO_ANSWER : answerOf(value);
      changed.set(place(table, key), answer);
      return answer;
    },
  };
}
