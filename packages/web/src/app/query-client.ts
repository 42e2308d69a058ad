import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../lib/api/index.ts';

const SERVER_ERROR = 500;
const RETRIES = 2;

/** Only what may pass by itself is tried again: a refusal stays one. */
function shouldRetry(failures: number, error: Error): boolean {
  if (!(error instanceof ApiError)) return failures < RETRIES;
  return error.status > SERVER_ERROR && failures < RETRIES;
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: shouldRetry, staleTime: 5000, refetchOnWindowFocus: false },
      mutations: { retry: false },
    },
  });
}
