/** The credentials of a request, in the forms that the API accepts over HTTP Basic. */
export type Credentials =
  | { readonly kind: 'none' }
  | { readonly kind: 'password'; readonly username: string; readonly password: string }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'session'; readonly sessionId: string }
  /** A Basic header that cannot be read: the client is broken, which differs from a wrong password. */
  | { readonly kind: 'malformed' };

const NONE: Credentials = { kind: 'none' };
const MALFORMED: Credentials = { kind: 'malformed' };
const BASIC = /^basic(?:\s+(.*))?$/i;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;
const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(encoded: string): string | undefined {
  // Buffer skips characters that are not base64, which would turn a broken header into a login attempt.
  if (!BASE64.test(encoded)) return undefined;
  try {
    return utf8.decode(Buffer.from(encoded, 'base64'));
  } catch {
    return undefined;
  }
}

/**
 * Parses the `Authorization` header. If the password is the word `token` or `session`, in any case, the user part is an
 * access token or a session id. Schemes other than Basic count as no credentials.
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
      // Web clients without a session send the JavaScript value `undefined` as text.
      return user === 'undefined' ? NONE : { kind: 'session', sessionId: user };
    default:
      return { kind: 'password', username: user, password };
  }
}

/** The header wins over the cookie: it is explicit, while a cookie may just come from a script's cookie jar. */
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
