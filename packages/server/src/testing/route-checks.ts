/** What every group of routes owes its callers, as tests: its declarations, its permissions, no fault on any request. */
import { expect, test } from 'vitest';
import { openApiDocument, type Route } from '#api/index.ts';
import { type ApiFixture, basic } from './api-fixture.ts';
import { type FuzzAnswer, type FuzzRequest, fuzzApi } from './api-fuzz.ts';
import { type AuthFixture, basicAuth, passwordOf } from './auth-fixture.ts';
import { permissionMatrixProblems } from './permission-matrix.ts';
import { routeProblems } from './route-problems.ts';

/** Somewhere that routes are served. */
export interface ServedRoutes {
  send(request: FuzzRequest): Promise<FuzzAnswer>;
  /** Credentials of a user with exactly these permissions. */
  userWith(permissions: readonly string[]): Promise<Readonly<Record<string, string>>>;
  readonly admin: Readonly<Record<string, string>>;
}

export interface RouteCheckOptions {
  readonly runsPerOperation?: number;
  /** Routes whose permission depends on more than their declaration; they need a test of their own. */
  readonly decidesItself?: (route: Route) => boolean;
}

/** Registers the tests. `served` is called in each of them, so it may return something new every time. */
export function checkRoutes(
  served: () => ServedRoutes & { readonly routes: readonly Route[] },
  { runsPerOperation = 25, decidesItself = () => false }: RouteCheckOptions = {},
): void {
  test('every route declares what it owes its callers', () => {
    expect(routeProblems(served().routes)).toEqual([]);
  });

  test('every route asks for its permission', async () => {
    const { routes, ...at } = served();
    const checked = routes.filter((route) => !decidesItself(route));
    expect(await permissionMatrixProblems(checked, at)).toEqual([]);
  });

  test('every route answers any request without a fault', async () => {
    const { routes, send, admin } = served();
    const document = openApiDocument(routes, { version: '1' });
    const report = await fuzzApi(document, { send, credentials: admin, runsPerOperation });
    expect(report.operations).toBe(routes.filter(({ undocumented }) => undocumented !== true).length);
    expect(report.statuses[200]).toBeGreaterThan(0);
  });
}

/** Over the real authentication. */
export function servedBy({ api, addUser }: Pick<AuthFixture, 'api' | 'addUser'>): ServedRoutes {
  const credentials = (name: string) => ({ authorization: basicAuth(name, passwordOf(name)) });
  let users = 0;
  return {
    send: sendTo(api),
    async userWith(permissions) {
      const name = `user${users++}`;
      await addUser(name, permissions, []);
      return credentials(name);
    },
    admin: credentials('admin'),
  };
}

/** Over users of the fixture, which may be added to; `admin` is among them. */
export function servedTo(users: Record<string, readonly string[]>, api: ApiFixture): ServedRoutes {
  return {
    send: sendTo(api),
    async userWith(permissions) {
      const name = `with ${permissions.join(' ').replaceAll(':', '.')}`;
      users[name] = permissions;
      return { authorization: basic(name) };
    },
    admin: { authorization: basic('admin') },
  };
}

function sendTo({ api }: ApiFixture): ServedRoutes['send'] {
  return (request) => api.fastify.inject({ ...request, headers: { ...request.headers } });
}
