import type { FoundMessageView, MessageSearchBody, MessageSearchResultView } from '@millrace/contract';
import { serverEvents } from '../events/index.ts';
import type { Client } from './client.ts';
import { ApiError, isAborted, NetworkError } from './errors.ts';

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
  const response = await open('POST /messages/search', { body, signal, accept: 'text/event-stream' });
  if (response.body === null) throw new NetworkError();
  const found: FoundMessageView[] = [];
  try {
    for await (const { event, data } of serverEvents(response.body)) {
      const value = JSON.parse(data);
      if (event === 'result') return value;
      if (event === 'error') throw failureOf(value);
      if (event !== 'partial') continue;
      found.push(...value.messages);
      onPartial({ messages: [...found], searchedFrom: value.searched_from });
    }
  } catch (error) {
    if (error instanceof ApiError || isAborted(error) || signal.aborted) throw error;
    throw new NetworkError({ cause: error });
  }
  throw new NetworkError();
}

const SERVER_ERROR = 500;

function failureOf(body: { readonly message?: unknown }): ApiError {
  return new ApiError(String(body.message ?? 'The search failed.'), { status: SERVER_ERROR, body });
}
