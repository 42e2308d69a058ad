import { type RouterHistory, useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** What the step did that led from the entry before to this one. */
    step?: string | undefined;
  }
}

/** The steps that Back undoes, with what each one did. */
export interface Steps {
  /** What the last step did; undefined when there is none to undo here. */
  readonly undoLabel: string | undefined;
  readonly redoLabel: string | undefined;
  readonly undo: () => void;
  readonly redo: () => void;
}

export function useSteps(): Steps {
  'use memo';
  const { history } = useRouter();
  const undoLabel = useLocation({ select: ({ state }) => state.step });
  const position = useLocation({ select: ({ state }) => state.__TSR_index });
  // They change only with the history, before the page is drawn for another entry.
  const redoLabel = useSyncExternalStore(never, knownLabels)[position + 1];
  useEffect(() => watch(history), [history]);
  return {
    undoLabel,
    redoLabel,
    undo: () => undoLabel !== undefined && history.back(),
    redo: () => redoLabel !== undefined && history.forward(),
  };
}

/** Labels by the position in the history of this tab of the browser to which their steps lead: what Forward does. */
type Labels = Readonly<Record<number, string>>;

const KEY = 'millrace-search-steps';
const MAX_LABELS = 200;

const never = () => () => {};
let known: Labels | undefined;

function knownLabels(): Labels {
  known ??= isReload() ? storedLabels() : {};
  return known;
}

/** Otherwise the page is a new entry of the history: nothing comes after it, and its position is counted anew. */
function isReload(): boolean {
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return load?.type !== 'navigate';
}

function storedLabels(): Labels {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
  } catch {
    return {};
  }
}

const watched = new WeakSet<RouterHistory>();

/** Also while another page is shown: what is visited anew takes the place of the steps that were undone. */
function watch(history: RouterHistory): void {
  if (watched.has(history)) return;
  watched.add(history);
  history.subscribe(({ action, location: { state } }) => {
    if (action.type !== 'PUSH') return;
    known = labelsAfter(knownLabels(), state.__TSR_index, state.step);
    sessionStorage.setItem(KEY, JSON.stringify(known));
  });
}

/** The labels once a new entry stands at a position. */
export function labelsAfter(labels: Labels, position: number, step: string | undefined): Labels {
  const kept = Object.entries(labels).filter(
    ([at]) => Number(at) < position && Number(at) >= position - MAX_LABELS,
  );
  return { ...Object.fromEntries(kept), ...(step === undefined ? {} : { [position]: step }) };
}
