import { useCallback, useState } from 'react';
import { type LogMessage, messageKey } from '../../../lib/messages/index.ts';

export interface Marks {
  readonly messages: readonly LogMessage[];
  readonly has: (message: LogMessage) => boolean;
  readonly toggle: (message: LogMessage) => void;
  readonly clear: () => void;
}

/** Marked messages, also those that a new search no longer finds: they are kept to be compared. */
export function useMarks(): Marks {
  const [marked, setMarked] = useState<ReadonlyMap<string, LogMessage>>(new Map());
  const has = useCallback((message: LogMessage) => marked.has(messageKey(message)), [marked]);
  return {
    messages: [...marked.values()],
    has,
    toggle: (message) => {
      const next = new Map(marked);
      if (!next.delete(messageKey(message))) next.set(messageKey(message), message);
      setMarked(next);
    },
    clear: () => setMarked(new Map()),
  };
}
