import { useMemo, useState } from 'react';
import { type LogMessage, messageKey } from '../../lib/messages/index.ts';

interface Active {
  readonly at: number;
  readonly key: string;
}

/** The row that the keys walk. It stays the same message when rows come before it or the list is another one. */
export function useActive(
  messages: readonly LogMessage[],
): readonly [at: number | undefined, set: (at: number) => void] {
  const [active, setActive] = useState<Active>();
  const at = useMemo(() => placeOf(messages, active), [messages, active]);
  return [
    at,
    (next) => {
      const message = messages[next];
      if (message !== undefined) setActive({ at: next, key: messageKey(message) });
    },
  ];
}

function placeOf(messages: readonly LogMessage[], active: Active | undefined): number | undefined {
  if (active === undefined) return undefined;
  const there = messages[active.at];
  if (there !== undefined && messageKey(there) === active.key) return active.at;
  const found = messages.findIndex((message) => messageKey(message) === active.key);
  return found < 0 ? undefined : found;
}
