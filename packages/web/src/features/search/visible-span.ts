import { createContext, useContext, useSyncExternalStore } from 'react';
import type { TimeSpan } from '../../lib/time/index.ts';

/** The times that the list shows: told by the list while it scrolls, read by the histogram alone. */
export interface VisibleSpan {
  readonly set: (span: TimeSpan | undefined) => void;
  readonly get: () => TimeSpan | undefined;
  readonly subscribe: (onChange: () => void) => () => void;
}

export function createVisibleSpan(): VisibleSpan {
  const listeners = new Set<() => void>();
  let current: TimeSpan | undefined;
  return {
    set(span) {
      if (span?.from === current?.from && span?.to === current?.to) return;
      current = span;
      for (const listener of listeners) listener();
    },
    get: () => current,
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
  };
}

export const VisibleSpanContext = createContext<VisibleSpan>(createVisibleSpan());

export function useVisibleSpan(): TimeSpan | undefined {
  const store = useContext(VisibleSpanContext);
  return useSyncExternalStore(store.subscribe, store.get);
}
