import { type HttpClient, HttpFailure } from '#core/index.ts';

export interface JsonRequest {
  readonly url: URL;
  /** Only the server of the URL sees them, not one that it redirects to. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Ends it early. */
  readonly signal: AbortSignal;
}

const MAX_BYTES = 1024 * 1024;

/** The JSON that a server answers; undefined: it knows nothing of this (404). Rejects with an error that people understand. */
export async function requestJson(
  client: HttpClient,
  { url, headers, timeoutMs, signal }: JsonRequest,
): Promise<unknown> {
  const { origin, status, body, isCut } = await client
    .request({
      url,
      method: 'GET',
      headers: { accept: 'application/json' },
      ownHeaders: headers,
      timeoutMs,
      maxBytes: MAX_BYTES,
      signal,
    })
    .catch((error) => {
      throw explained(error);
    });
  if (status === 404) return undefined;
  if (status >= 300 && status < 400)
    throw new Error(`${origin} redirects to something that is not http or https`);
  if (status < 200 || status >= 300) throw new Error(`${origin} answered ${status}`);
  if (isCut) throw new Error(`${origin} answered more than ${MAX_BYTES} bytes`);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new Error(`${origin} answered something that is not JSON`);
  }
}

function explained(error: unknown): unknown {
  if (!(error instanceof HttpFailure) || error.kind !== 'refused') return error;
  return new Error(
    `${error.message}. If lookup tables may ask it, add its network to lookup_allowed_networks.`,
  );
}
