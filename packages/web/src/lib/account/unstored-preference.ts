import { type Mutation, type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { forgetAnswered, SAVING } from './preferences.ts';
import { SAVING_ZONE } from './time-zone.ts';

const KINDS = [SAVING, SAVING_ZONE];

/**
 * The request whose preference the server did not store. A later one takes its place: each request carries all
 * preferences.
 */
export function unstoredPreference(client: QueryClient): Mutation | undefined {
  return KINDS.map((mutationKey) => client.getMutationCache().findAll({ mutationKey }).at(-1)).find(
    (last) => last?.state.status === 'error',
  );
}

export interface UnstoredPreference {
  readonly error: Error | null;
  readonly tryAgain: () => void;
  readonly forget: () => void;
}

export function useUnstoredPreference(): UnstoredPreference | undefined {
  const client = useQueryClient();
  const cache = client.getMutationCache();
  const request = useSyncExternalStore(
    (listener) => cache.subscribe(listener),
    () => unstoredPreference(client),
  );
  if (request === undefined) return undefined;
  return {
    error: request.state.error,
    // What went wrong is said by the state of the request.
    tryAgain: () => void request.execute(request.state.variables).catch(() => undefined),
    forget: () => {
      for (const mutationKey of KINDS) forgetAnswered(client, mutationKey);
    },
  };
}
