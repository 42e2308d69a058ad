import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import {
  auditRoutes,
  defineRoute,
  permissionRoutes,
  type Route,
  roleRoutes,
  sessionRoutes,
  tokenRoutes,
  userRoutes,
} from '#api/index.ts';
import { type Auth, type AuthSettings, createAuth } from '#auth/index.ts';
import { Secret } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import { type ApiFixture, createApiFixture } from './api-fixture.ts';
import { ManualClock } from './manual-clock.ts';
import { openTestMetadata } from './metadata.ts';

export const ROOT_PASSWORD = 'the root password';

export interface Call {
  /** A user of the fixture (the password is known), or a whole `Authorization` header. */
  readonly as?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Left out to see that it is needed. */
  readonly withoutCsrfHeader?: boolean;
  readonly remoteAddress?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The parsed body; undefined when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly body: any;
  readonly text: string;
}

/** The real authentication over the real routes, on SQLite in memory and with a clock moved by hand. */
export interface AuthFixture {
  readonly auth: Auth;
  readonly metadata: Metadata;
  readonly clock: ManualClock;
  readonly api: ApiFixture;
  /** Pauses the throttle asked for. They do not happen. */
  readonly pauses: number[];
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, call?: Call): Promise<Answer>;
  /** Creates a user whose password is `password of <name>`, straight in the database's terms. */
  addUser(name: string, permissions?: readonly string[], roles?: readonly string[]): Promise<string>;
  logIn(name: string, password?: string): Promise<string>;
  close(): Promise<void>;
}

export function passwordOf(name: string): string {
  return name === 'admin' ? ROOT_PASSWORD : `password of ${name}`;
}

export function basicAuth(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`;
}

/** A protected resource like any other, to see who gets in. */
const whoami: Route = defineRoute({
  method: 'GET',
  path: '/whoami',
  tag: 'Test',
  summary: 'Tell who calls',
  permission: { kind: 'authenticated' },
  responses: { 200: { contentType: 'text/plain', description: 'user name' } },
  errors: [],
  handler: ({ principal }) => ({
    isReply: true,
    status: 200,
    headers: { 'content-type': 'text/plain' },
    raw: principal.username,
  }),
});

export interface AuthFixtureOptions {
  readonly settings?: Partial<AuthSettings>;
  readonly metadata?: Metadata;
  readonly clock?: ManualClock;
  /** Otherwise the clock of the wall, which then never jumps. */
  readonly monotonic?: ManualClock;
  readonly trustedProxies?: readonly string[];
  /** Routes of the part under test, over the same authentication. */
  readonly moreRoutes?: (auth: Auth) => Promise<readonly Route[]>;
}

export function rootSettings(password = ROOT_PASSWORD): AuthSettings['root'] {
  return {
    username: 'admin',
    password: { kind: 'sha256', hex: createHash('sha256').update(password).digest('hex') },
    email: 'admin@example.org',
    timezone: 'UTC',
    sessionTimeoutMs: 8 * 3_600_000,
  };
}

export async function createAuthFixture(options: AuthFixtureOptions = {}): Promise<AuthFixture> {
  const clock = options.clock ?? new ManualClock();
  const metadata = options.metadata ?? (await openTestMetadata(clock));
  const pauses: number[] = [];
  const auth = createAuth(
    {
      metadata,
      clock,
      monotonic: options.monotonic ?? clock,
      logger: pino({ level: 'silent' }),
      pause: async (milliseconds) => {
        pauses.push(milliseconds);
      },
    },
    // The real cost has a test of its own; here it would only be slow.
    {
      root: rootSettings(),
      passwordSecret: new Secret('the secret of all nodes'),
      passwordCost: { memoryKib: 64, passes: 1 },
      ...options.settings,
    },
  );
  await auth.start();
  const moreRoutes = (await options.moreRoutes?.(auth)) ?? [];
  const api = await createApiFixture(
    [
      whoami,
      ...userRoutes(auth),
      ...roleRoutes(auth),
      ...tokenRoutes(auth),
      ...sessionRoutes(auth),
      ...permissionRoutes(),
      ...auditRoutes(auth),
      ...moreRoutes,
    ],
    {
      authenticator: auth.authenticator,
      settings: { trustedProxies: options.trustedProxies ?? [] },
    },
  );
  await api.api.fastify.ready();
  const call = callApi(api);
  return {
    auth,
    metadata,
    clock,
    api,
    pauses,
    call,
    ...createUserActions(call),
    async close() {
      await api.api.stop();
      await auth.stop();
      await metadata.close();
    },
  };
}

function callApi(api: ApiFixture): AuthFixture['call'] {
  return async (method, path, { as, body, headers = {}, withoutCsrfHeader = false, remoteAddress } = {}) => {
    const authorization = as === undefined || as.includes(' ') ? as : basicAuth(as, passwordOf(as));
    // As over a socket: every request arrives in a turn of the event loop of its own.
    await nextTurn();
    const response = await api.api.fastify.inject({
      method,
      url: `/api${path}`,
      headers: {
        ...(withoutCsrfHeader ? {} : { 'x-requested-by': 'test' }),
        ...(authorization === undefined ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(remoteAddress === undefined ? {} : { remoteAddress }),
    });
    const isJson =
      response.payload !== '' && String(response.headers['content-type']).startsWith('application/json');
    return {
      status: response.statusCode,
      headers: response.headers,
      body: isJson ? JSON.parse(response.payload) : undefined,
      text: response.payload,
    };
  };
}

function createUserActions(call: AuthFixture['call']) {
  return {
    async addUser(
      name: string,
      permissions: readonly string[] = [],
      roles?: readonly string[],
    ): Promise<string> {
      const created = await call('POST', '/users', {
        as: 'admin',
        body: {
          username: name,
          password: passwordOf(name),
          email: `${name}@example.org`,
          full_name: `Test ${name}`,
          permissions,
          ...(roles === undefined ? {} : { roles }),
        },
      });
      if (created.status !== 201) throw new Error(`${name} could not be created: ${created.text}`);
      const user = await call('GET', `/users/${encodeURIComponent(name)}`, { as: 'admin' });
      return user.body.id;
    },

    async logIn(name: string, password = passwordOf(name)): Promise<string> {
      const session = await call('POST', '/system/sessions', {
        body: { username: name, password, host: '' },
      });
      if (session.status !== 200)
        throw new Error(`${name} could not log in: ${session.status} ${session.text}`);
      return session.body.session_id;
    },
  };
}
