import { createHttpClient, type HttpAnswer, type HttpClientDeps, HttpFailure } from '#core/index.ts';
import { givesUp, type SendFailure, triesAgain } from '../sending.ts';
import { shorten } from '../template/escape.ts';

export interface HttpCall {
  readonly url: string;
  readonly method: 'POST' | 'PUT' | 'GET';
  readonly headers: Readonly<Record<string, string>>;
  /** Headers that another host must not see: they are left out when a redirect leads elsewhere. */
  readonly secretHeaders?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For the whole call, redirects included. */
  readonly timeoutMs: number;
  /** False: any certificate is taken. */
  readonly verifyTls?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Calls other servers for notifications.
 *
 * Contract: `call` resolves when the answer is 2xx and rejects with a `SendFailure` otherwise. Addresses that are not
 * allowed are refused. Nothing of a URL but its origin is ever in an error: paths hold secrets.
 */
export interface HttpCaller {
  call(call: HttpCall): Promise<void>;
}

/** So much of an answer is read; it is only shown to people. */
const MAX_ANSWER_BYTES = 4096;
const SHOWN_ANSWER_LENGTH = 300;

/** Every call has its own connection, so that every call is checked. */
export function createHttpCaller(deps: Pick<HttpClientDeps, 'targets' | 'lookup'>): HttpCaller {
  const client = createHttpClient(deps);
  return {
    async call({ url, secretHeaders, ...call }) {
      const request = { ...call, url: new URL(url), ownHeaders: secretHeaders, maxBytes: MAX_ANSWER_BYTES };
      const answer = await client.request(request).catch((error) => {
        throw failureOf(error);
      });
      if (answer.status < 200 || answer.status >= 300) throw refusal(answer);
    },
  };
}

const RETRYABLE_STATUSES = new Set([408, 425, 429]);

function refusal({ origin, status, body, headers }: HttpAnswer): SendFailure {
  const text = body.toString('utf8').replace(/[\p{Cc}\s]+/gu, ' ');
  const said = shorten(text.trim(), SHOWN_ANSWER_LENGTH);
  const message = `${origin} answered ${status}${said === '' ? '' : `: ${said}`}`;
  if (status >= 500 || RETRYABLE_STATUSES.has(status)) {
    const seconds = Number(headers['retry-after']);
    const afterMs = Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3600) * 1000 : undefined;
    return triesAgain(message, undefined, afterMs);
  }
  if (status >= 300 && status < 400) {
    return givesUp(`${message}. Enter the address it redirects to, or let it redirect with 307 or 308.`);
  }
  return givesUp(message);
}

function failureOf(error: unknown): unknown {
  if (!(error instanceof HttpFailure)) return error;
  const { kind, message, cause } = error;
  if (kind === 'redirects' || kind === 'not-listed') return givesUp(message);
  if (kind === 'refused') {
    return givesUp(
      `${message}. If notifications may call it, add its network to notification_allowed_networks.`,
    );
  }
  return triesAgain(message, cause);
}
