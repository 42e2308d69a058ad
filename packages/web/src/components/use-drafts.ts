import { useState } from 'react';
import { type FormValues, isSame } from '../lib/forms/index.ts';

type Problems = Readonly<Record<string, string>>;

interface Draft {
  /** What stood there at first. */
  readonly first: FormValues;
  readonly values: FormValues;
  readonly problems: Problems;
  /** The fields somebody has been in. */
  readonly touched: Set<string>;
}

export interface Drafts extends Draft {
  readonly setValues: (values: FormValues) => void;
  readonly setProblems: (change: (now: Problems) => Problems) => void;
  /** Whether anything was typed, also for a type that is not shown now. */
  readonly isChanged: boolean;
}

/** What stands in a form, for each type that was chosen in it: somebody who looks at another one comes back to it. */
export function useDrafts(type: string, firstValues: () => FormValues): Drafts {
  const newDraft = (): Draft => {
    const first = firstValues();
    return { first, values: first, problems: {}, touched: new Set() };
  };
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(() => new Map([[type, newDraft()]]));
  const known = drafts.get(type);
  const draft = known ?? newDraft();
  if (known === undefined) setDrafts(new Map(drafts).set(type, draft));
  const change = (changed: (now: Draft) => Partial<Draft>) =>
    setDrafts((all) => {
      const now = all.get(type) ?? draft;
      return new Map(all).set(type, { ...now, ...changed(now) });
    });
  return {
    ...draft,
    setValues: (values) => change(() => ({ values })),
    setProblems: (next) => change(({ problems }) => ({ problems: next(problems) })),
    isChanged: [...drafts.values()].some(({ first, values }) => !isSame(first, values)),
  };
}
