import type { FoundMessageView, MessageSearchBody, MessageSearchResultView } from '@millrace/contract';
import type { Client } from './client.ts';
import { resultByEvents } from './event-results.ts';

/** What a search has found before it is done. */
export interface PartialResult {
  readonly messages: readonly FoundMessageView[];
  /** The time range has been searched from here to its end. */
  readonly searchedFrom: string;
}

export interface SearchEventOptions {
  readonly signal: AbortSignal;
  /** Everything found so far, whenever there is more. */
  readonly onPartial: (result: PartialResult) => void;
}

/** A search that tells what it finds while it goes back in time. Leaving it ends it in the engine. */
export async function searchByEvents(
  open: Client['open'],
  body: Partial<MessageSearchBody>,
  { signal, onPartial }: SearchEventOptions,
): Promise<MessageSearchResultView> {
  const found: FoundMessageView[] = [];
  return resultByEvents(open, 'POST /messages/search', {
    body,
    signal,
    onEvent(event, value) {
      if (event !== 'partial') return;
      const { messages, searched_from: searchedFrom } = value as PartialEvent;
      found.push(...messages);
      onPartial({ messages: [...found], searchedFrom });
    },
  });
}

interface PartialEvent {
  readonly messages: readonly FoundMessageView[];
  readonly searched_from: string;
}
