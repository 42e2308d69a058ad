import type { MessageSearchBody } from '@millrace/contract';
import { onlineManager } from '@tanstack/react-query';
import { noteServerDate } from '../time/index.ts';
import { createClient } from './client.ts';
import { type SearchEventOptions, searchByEvents } from './search-events.ts';
import { createSessionGuard } from './session-guard.ts';
import { createTurns } from './turns.ts';

export { createBatches } from './batches.ts';
export type { CallOptions } from './client.ts';
export type { EndpointName, Endpoints, ResponseOf } from './endpoints/index.ts';
export { ApiError, isAborted, messageOf, NetworkError, type Problem } from './errors.ts';
export type { PartialResult } from './search-events.ts';

/** A tab has one session and one server, so there is one of each of these. */
export const sessionGuard = createSessionGuard();

/** The server lets one user run 8 searches at a time, and there may be another tab. */
const SEARCHES_AT_ONCE = 4;
const turns = createTurns(SEARCHES_AT_ONCE);

/** Queries wait while the server is away and are asked again when it is back. */
export const { call, open } = createClient({
  fetch: async (input, init) => {
    const response = await fetch(input, init);
    noteServerDate(response.headers.get('Date'));
    return response;
  },
  session: sessionGuard,
  turns,
  onContact: (isReachable) => onlineManager.setOnline(isReachable),
});

/** `POST /messages/search` with what it finds on the way. It takes a turn like every other search. */
export function searchMessages(body: Partial<MessageSearchBody>, options: SearchEventOptions) {
  return turns.run(options.signal, () => searchByEvents(open, body, options));
}
