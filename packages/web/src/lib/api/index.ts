import { onlineManager } from '@tanstack/react-query';
import { noteServerDate } from '../time/index.ts';
import { createClient } from './client.ts';
import { createSessionGuard } from './session-guard.ts';

export type { CallOptions } from './client.ts';
export type { EndpointName, Endpoints, ResponseOf } from './endpoints/index.ts';
export { ApiError, isAborted, messageOf, NetworkError, type Problem } from './errors.ts';

/** A tab has one session and one server, so there is one of each of these. */
export const sessionGuard = createSessionGuard();

/** Queries wait while the server is away and are asked again when it is back. */
export const { call, open } = createClient({
  fetch: async (input, init) => {
    const response = await fetch(input, init);
    noteServerDate(response.headers.get('Date'));
    return response;
  },
  session: sessionGuard,
  onContact: (isReachable) => onlineManager.setOnline(isReachable),
});
