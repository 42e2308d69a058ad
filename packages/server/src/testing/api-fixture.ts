import { type Api, type ApiSettings, createApi, DEFAULT_API_SETTINGS, type Route } from '#api/index.ts';
import {
  type AuthenticationAttempt,
  type Authenticator,
  createAnswerMemory,
  type Principal,
} from '#core/index.ts';
import { createLogger, createMetrics, type Metrics } from '#telemetry/index.ts';
import { ManualClock } from './manual-clock.ts';

/** Everything the API needs, with users made of nothing but names and permissions. */
export interface ApiFixture {
  readonly api: Api;
  readonly metrics: Metrics;
  /** Every line the API logged, as JSON text. */
  readonly logLines: string[];
}

export const FIXTURE_NODE_ID = '11111111-2222-4333-8444-555555555555';

/** Basic credentials of a fixture user; the password is the name. */
export function basic(username: string, password = username): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

export interface FixtureUsers {
  /** Permissions by user name, with `*` for all and `group:action` or `group:action:instance`. */
  readonly [username: string]: readonly string[];
}

/**
 * Knows users by their name. Answers at once, or with a promise when the name starts with `async`, as a real
 * one does that has to look into the metadata.
 */
export function fixtureAuthenticator(users: FixtureUsers): Authenticator {
  return {
    authenticate(attempt: AuthenticationAttempt) {
      if (attempt.sessionCookie !== undefined && attempt.authorization === undefined) {
        return principalFor(users, attempt.sessionCookie) ?? { failure: 'wrong' };
      }
      if (attempt.authorization === undefined) return { failure: 'missing' };
      const text = Buffer.from(attempt.authorization.replace(/^Basic /, ''), 'base64').toString();
      const colon = text.indexOf(':');
      if (colon < 0) return { failure: 'malformed' };
      const username = text.slice(0, colon);
      if (username === 'slowed') return { failure: 'refused', retryAfterSeconds: 7 };
      if (username === 'broken') throw new Error('the users are away: secret internals');
      const principal = text.slice(colon + 1) === username ? principalFor(users, username) : undefined;
      const result = principal ?? ({ failure: 'wrong' } as const);
      return username.startsWith('async') ? Promise.resolve(result) : result;
    },
  };
}

export function principalFor(users: FixtureUsers, username: string): Principal | undefined {
  const granted = users[username];
  if (granted === undefined) return undefined;
  return {
    userId: `id-of-${username}`,
    username,
    can: (permission, instance) =>
      granted.includes('*') ||
      granted.includes(permission) ||
      (instance !== undefined && granted.includes(`${permission}:${instance}`)),
  };
}

export async function createApiFixture(
  routes: readonly Route[],
  options: {
    readonly users?: FixtureUsers;
    readonly settings?: Partial<ApiSettings>;
    readonly authenticator?: Authenticator;
    readonly maxAnswersBytes?: number;
  } = {},
): Promise<ApiFixture> {
  const logLines: string[] = [];
  const clock = new ManualClock();
  const metrics = createMetrics({ clock });
  const api = await createApi(
    {
      logger: createLogger({
        level: 'debug',
        stream: { write: (line) => logLines.push(line) },
        pretty: false,
        clock,
      }),
      metrics,
      nodeId: FIXTURE_NODE_ID,
      authenticator: options.authenticator ?? fixtureAuthenticator(options.users ?? { admin: ['*'] }),
      answerMemory: createAnswerMemory({ maxBytes: options.maxAnswersBytes ?? 2 ** 30 }),
    },
    { ...DEFAULT_API_SETTINGS, port: 0, validateResponses: true, ...options.settings },
    routes,
  );
  return { api, metrics, logLines };
}
