import type { AuthenticationResult, Authenticator } from '#core/index.ts';
import { createPrincipal } from './accounts.ts';
import { parseCredentials } from './credentials.ts';
import type { LoginAttempt, PasswordLogin } from './login.ts';
import type { Sessions } from './sessions.ts';
import type { Tokens } from './tokens.ts';

export interface AuthenticatorDeps {
  readonly login: PasswordLogin;
  readonly sessions: Sessions;
  readonly tokens: Tokens;
}

/** Passes each kind of credentials to the part that checks it. */
export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  async function byPassword(attempt: LoginAttempt): Promise<AuthenticationResult> {
    const outcome = await deps.login.verify(attempt);
    switch (outcome.kind) {
      case 'accepted':
        return createPrincipal(outcome.account);
      case 'wrong':
        return { failure: 'wrong' };
      case 'refused':
        return { failure: 'refused', retryAfterSeconds: outcome.retryAfterSeconds };
    }
  }

  return {
    authenticate({ authorization, sessionCookie, deviceCookie, remoteAddress, extendSession }) {
      const credentials = parseCredentials(authorization, sessionCookie);
      switch (credentials.kind) {
        case 'none':
          return { failure: 'missing' };
        case 'malformed':
          return { failure: 'malformed' };
        case 'session':
          return deps.sessions.authenticate(credentials.sessionId, { extend: extendSession, remoteAddress });
        case 'token':
          return deps.tokens.authenticate(credentials.token, remoteAddress);
        case 'password':
          return byPassword({
            username: credentials.username,
            password: credentials.password,
            remoteAddress,
            deviceCookie,
          });
      }
    },
  };
}
