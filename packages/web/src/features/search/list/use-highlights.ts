import { parseQuery } from '@millrace/query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { call } from '../../../lib/api/index.ts';
import { type LogMessage, messageKey } from '../../../lib/messages/index.ts';
import type { HighlightRule } from '../result-params.ts';

/** Rows that one request asks about. */
const BATCH = 100;
const ASK_AFTER_MS = 60;
/** Longer texts are cut: what stands further back decides no colour. */
const MAX_TEXT = 10_000;

/**
 * The colours that rules give to the messages in sight. The server decides, with the same meaning that queries have;
 * each message is asked about once.
 */
export function useHighlights(rules: readonly HighlightRule[], zone: string) {
  const usable = useMemo(() => rules.filter(({ query }) => parseQuery(query).query !== undefined), [rules]);
  const name = JSON.stringify([usable, zone]);
  const known = useRef({ name, colours: new Map<string, number>() });
  if (known.current.name !== name) known.current = { name, colours: new Map() };
  const [wanted, setWanted] = useState<readonly LogMessage[]>([]);
  const [, setAnswers] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name stands for the rules
  useEffect(() => {
    const { colours } = known.current;
    const asked = wanted.filter((message) => !colours.has(messageKey(message))).slice(0, BATCH);
    if (usable.length === 0 || asked.length === 0) return;
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const { matches } = await call('POST /search/match', {
          body: {
            queries: usable.map(({ query }) => query),
            messages: asked.map(asSent),
            time_zone: zone,
          },
          signal: controller.signal,
        });
        asked.forEach((message, at) => {
          // The last rule that fits wins, as the last coat of paint does.
          const rule = usable[matches[at]?.at(-1) ?? -1];
          colours.set(messageKey(message), rule?.colour ?? 0);
        });
        setAnswers((count) => count + 1);
      } catch {
        // Colours are not worth an error; they are asked for again with the next scroll.
      }
    }, ASK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [wanted, name]);
  const show = useCallback((messages: readonly LogMessage[]) => setWanted(messages), []);
  const highlightOf =
    usable.length === 0
      ? undefined
      : (message: LogMessage) => known.current.colours.get(messageKey(message)) || undefined;
  return { show, highlightOf };
}

function asSent({ id, fields }: LogMessage): Record<string, unknown> {
  const cut = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.slice(0, MAX_TEXT) : value,
  ]);
  return { ...Object.fromEntries(cut), _id: id };
}
