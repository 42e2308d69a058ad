import { serverEvents } from '../events/index.ts';
import { parseJson } from '../exact-json.ts';
import type { Client, PlainRequest } from './client.ts';
import { ApiError, isAborted, NetworkError } from './errors.ts';

export interface EventRequest extends Pick<PlainRequest, 'path' | 'body'> {
  readonly signal: AbortSignal;
  /** What comes before the result. */
  readonly onEvent: (event: string, value: unknown) => void;
}

/** A request that tells how far it is. Leaving it ends the work in the engine. */
export async function resultByEvents<Result>(
  open: Client['open'],
  endpoint: string,
  { onEvent, ...request }: EventRequest,
): Promise<Result> {
  const response = await open(endpoint, { ...request, accept: 'text/event-stream' });
  if (response.body === null) throw new NetworkError();
  try {
    for await (const { event, data } of serverEvents(response.body)) {
      const value = parseJson(data);
      if (event === 'result') return value as Result;
      if (event === 'error') throw failureOf(value as { readonly message?: unknown });
      onEvent(event, value);
    }
  } catch (error) {
    if (error instanceof ApiError || isAborted(error) || request.signal.aborted) throw error;
    throw new NetworkError({ cause: error });
  }
  throw new NetworkError();
}

const SERVER_ERROR = 500;

function failureOf(body: { readonly message?: unknown }): ApiError {
  return new ApiError(String(body.message ?? 'The search failed.'), { status: SERVER_ERROR, body });
}
