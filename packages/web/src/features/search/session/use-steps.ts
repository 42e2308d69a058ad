import { useLocation, useRouter } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';

/** The steps that Back undoes, with what each one did. */
export interface Steps {
  /** What the last step did; undefined when there is none to undo here. */
  readonly undoLabel: string | undefined;
  readonly redoLabel: string | undefined;
  readonly undo: () => void;
  readonly redo: () => void;
  /** Before a navigation that is a step: what it does. */
  readonly note: (label: string) => void;
}

/** Of this tab of the browser: labels by the position in its history. */
const KEY = 'millrace-search-steps';
const MAX_LABELS = 200;

export function useSteps(): Steps {
  'use memo';
  const { history } = useRouter();
  const position = useLocation({ select: ({ state }) => state.__TSR_index });
  // Only this page writes them, before it goes on to another step.
  const labels = labelsIn(useSyncExternalStore(never, storedLabels));
  return {
    undoLabel: labels[position],
    redoLabel: labels[position + 1],
    undo: () => labels[position] !== undefined && history.back(),
    redo: () => labels[position + 1] !== undefined && history.forward(),
    note(label) {
      // A new step makes those that were undone unreachable.
      const kept = Object.entries(labelsIn(storedLabels())).filter(
        ([at]) => Number(at) <= position && Number(at) > position - MAX_LABELS,
      );
      sessionStorage.setItem(KEY, JSON.stringify({ ...Object.fromEntries(kept), [position + 1]: label }));
    },
  };
}

const never = () => () => {};
const storedLabels = () => sessionStorage.getItem(KEY) ?? '{}';

function labelsIn(stored: string): Readonly<Record<number, string>> {
  try {
    return JSON.parse(stored);
  } catch {
    return {};
  }
}
