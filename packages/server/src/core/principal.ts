/**
 * Who makes a request, and what they may do. Built by `auth/`, used by `api/` and by services that filter
 * what they give by what the caller may see.
 */
export interface Principal {
  readonly userId: string;
  readonly username: string;
  /** The user from the configuration file, who cannot be changed through the API. */
  readonly isRoot?: boolean;
  /** The session the request came with, when it came with one. */
  readonly sessionId?: string;
  /** The access token (its id, never its value) the request came with, when it came with one. */
  readonly tokenId?: string;
  /**
   * Whether the caller holds `permission` (`group:action`). Without `instance`: for every instance; with it:
   * for that one. Synchronous and cheap: it is called for every row of a list.
   */
  can(permission: string, instance?: string): boolean;
}

/** Name of the cookie that carries the session id of a browser. */
export const SESSION_COOKIE = 'authentication';

/** Name of the cookie by which a browser is recognised in which a user has logged in before. It gives no access. */
export const DEVICE_COOKIE = 'known_device';

/** The credentials of a request. */
export interface AuthenticationAttempt {
  /** The `Authorization` header as it was sent. */
  readonly authorization: string | undefined;
  /** The value of the cookie `SESSION_COOKIE`. The header wins when both are there. */
  readonly sessionCookie: string | undefined;
  /** The value of the cookie `DEVICE_COOKIE`. */
  readonly deviceCookie?: string | undefined;
  /** The client, not the proxy in front of us. */
  readonly remoteAddress: string;
  /** False when the client asked that this request does not prolong its session. */
  readonly extendSession: boolean;
}

export interface AuthenticationFailure {
  /**
   * `missing`: no credentials. `wrong`: credentials that are not valid. `malformed`: a Basic header
   * without a colon (the API answers 400). `refused`: too many failures from this address or for this user,
   * the credentials were not checked (429 with `Retry-After`).
   */
  readonly failure: 'missing' | 'wrong' | 'malformed' | 'refused';
  /** With `refused`: when to try again. */
  readonly retryAfterSeconds?: number;
}

export type AuthenticationResult = Principal | AuthenticationFailure;

/**
 * Turns the credentials of a request into a principal.
 *
 * Contract: never throws for bad credentials; a rejection means that the answer is not known (the metadata
 * store is away) and is answered with an error, never with access. May answer at once instead of with a promise:
 * it runs for every request.
 */
export interface Authenticator {
  authenticate(attempt: AuthenticationAttempt): AuthenticationResult | Promise<AuthenticationResult>;
}

export function isAuthenticationFailure(result: AuthenticationResult): result is AuthenticationFailure {
  return 'failure' in result;
}
