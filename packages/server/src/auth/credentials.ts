/** What a request says about who it comes from, in the forms of the API's HTTP Basic authentication. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'password'; readonly username: string; readonly password: string }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'session'; readonly sessionId: string }
  /** A Basic header that says nothing: the client is broken, which is not the same as a wrong password. */
  | { readonly kind: 'malformed' };

const NONE: Credentials = { kind: 'none' };
const MALFORMED: Credentials = { kind: 'malformed' };
const BASIC = /^basic(?:\s+(.*))?$/i;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(encoded: string): string | undefined {
  // Buffer skips what is not base64, which would turn rubbish into a login attempt with other rubbish.
  if (!BASE64.test(encoded)) return undefined;
  try {
    return utf8.decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
}

/**
 * Reads the `Authorization` header. The password word `token` or `session`, in any case, says that the user
 * part is an access token or a session id. Other schemes than Basic count as no credentials.
 */
export function parseAuthorization(header: string): Credentials {
  const scheme = BASIC.exec(header.trim());
  if (scheme === null) return NONE;
  const text = decode((scheme[1] ?? '').trim());
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon < 0) return MALFORMED;
  const user = text.slice(0, colon);
  const password = text.slice(colon + 1);
  switch (password.toLowerCase()) {
    case 'token':
      return { kind: 'token', token: user };
    case 'session':
      // Web clients that have no session yet send the JavaScript value as text.
      return user === 'undefined' ? NONE : { kind: 'session', sessionId: user };
    default:
      return { kind: 'password', username: user, password };
  }
}

/** The header wins over the cookie: a script with a cookie jar means what it says explicitly. */
export function parseCredentials(
  authorization: string | undefined,
  sessionCookie: string | undefined,
): Credentials {
  const fromHeader = authorization === undefined ? NONE : parseAuthorization(authorization);
  if (fromHeader.kind !== 'none') return fromHeader;
  return sessionCookie === undefined || sessionCookie === ''
    ? NONE
    : { kind: 'session', sessionId: sessionCookie };
}
