import { errorMessage } from '#core/index.ts';

export interface JsonRequest {
  readonly url: URL;
  /** Only the server of the URL sees them, not one that it redirects to. */
  readonly headers: Headers;
  readonly timeoutMs: number;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

const MAX_BYTES = 1024 * 1024;
const MAX_REDIRECTS = 3;

/** The JSON that a server answers; undefined: it knows nothing of this (404). Rejects with an error that people understand. */
export async function requestJson({ url, headers, timeoutMs, signal }: JsonRequest): Promise<unknown> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const { origin } = url;
  let target = url;
  for (let redirects = 0; ; redirects += 1) {
    try {
      const response = await fetch(target, {
        headers: target.origin === origin ? headers : { accept: 'application/json' },
        redirect: 'manual',
        signal: AbortSignal.any([signal, timeout]),
      });
      if (!isRedirect(response)) return await readJson(response, target);
      await response.body?.cancel();
      target = redirectTarget(response, target, redirects);
    } catch (error) {
      if (error instanceof RequestFailure) throw error;
      if (timeout.aborted) throw new RequestFailure(`${target.origin} did not answer within ${timeoutMs} ms`);
      throw new RequestFailure(`${target.origin} cannot be asked: ${reasonOf(error)}`);
    }
  }
}

class RequestFailure extends Error {}

function isRedirect({ status }: Response): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function redirectTarget({ headers }: Response, from: URL, redirects: number): URL {
  if (redirects === MAX_REDIRECTS)
    throw new RequestFailure(`${from.origin} redirects more than ${MAX_REDIRECTS} times`);
  const target = URL.parse(headers.get('location') ?? '', from);
  if (target === null || !/^https?:$/.test(target.protocol))
    throw new RequestFailure(`${from.origin} redirects to something that is not http or https`);
  return target;
}

async function readJson(response: Response, { origin }: URL): Promise<unknown> {
  if (!response.ok) {
    await response.body?.cancel();
    if (response.status === 404) return undefined;
    throw new RequestFailure(`${origin} answered ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop ends the connection.
    if (bytes > MAX_BYTES) throw new RequestFailure(`${origin} answered more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new RequestFailure(`${origin} answered something that is not JSON`);
  }
}

/** What `fetch` says is in the cause. */
function reasonOf(error: unknown): string {
  return errorMessage(error instanceof Error && error.cause !== undefined ? error.cause : error);
}
