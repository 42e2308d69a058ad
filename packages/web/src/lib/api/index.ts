import type { ConditionPreview, ConditionPreviewRequest, MessageSearchBody } from '@millrace/contract';
import { onlineManager } from '@tanstack/react-query';
import { noteServerDate } from '../time/index.ts';
import { watchAttention } from './attention.ts';
import { createClient } from './client.ts';
import { resultByEvents } from './event-results.ts';
import { type SearchEventOptions, searchByEvents } from './search-events.ts';
import { createSessionGuard } from './session-guard.ts';
import { createTurns } from './turns.ts';

export { createBatches } from './batches.ts';
export type { CallOptions } from './client.ts';
export type { EndpointName, Endpoints, ResponseOf } from './endpoints/index.ts';
export {
  ApiError,
  isAborted,
  isUnauthenticated,
  messageOf,
  NetworkError,
  type Problem,
} from './errors.ts';
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
  isAttended: watchAttention(globalThis),
  turns,
  onContact: (isReachable) => onlineManager.setOnline(isReachable),
});

/** What an alert condition would have done, with how much of the time has been looked at, in percent. */
export function previewCondition(
  streamId: string,
  body: ConditionPreviewRequest,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (percent: number) => void },
): Promise<ConditionPreview> {
  return turns.run(signal, () =>
    resultByEvents(open, 'POST /streams/{streamId}/alerts/conditions/preview', {
      path: { streamId },
      body,
      signal,
      onEvent: (event, value) => event === 'progress' && onProgress((value as { percent: number }).percent),
    }),
  );
}

/** `POST /messages/search` with what it finds on the way. It takes a turn like every other search. */
export function searchMessages(body: Partial<MessageSearchBody>, options: SearchEventOptions) {
  return turns.run(options.signal, () => searchByEvents(open, body, options));
}
