import type { Route } from '#api/index.ts';
import type { FuzzRequest } from './api-fuzz.ts';

export interface PermissionMatrixOptions {
  readonly send: (request: FuzzRequest) => Promise<{ readonly statusCode: number }>;
  /** Credentials of a user who holds exactly these permissions (`group:action` or `group:action:instance`). */
  readonly userWith: (permissions: readonly string[]) => Promise<Readonly<Record<string, string>>>;
  /** Values for the path, by parameter name; `INSTANCE` unless given. */
  readonly pathValues?: (route: Route) => Readonly<Record<string, string>>;
}

/** What path parameters are filled with: no such object exists, which is enough to tell 403 from 404. */
export const INSTANCE = 'aaaaaaaaaaaaaaaaaaaaaaaa';
const OTHER_INSTANCE = 'bbbbbbbbbbbbbbbbbbbbbbbb';

/**
 * Asks every route without a user, with a user who lacks the permission, and with one who has it, and returns
 * one sentence per wrong answer. Nothing is changed: requests other than GET come without the CSRF header, so
 * whoever may pass gets 400 for that, which is checked after the permission.
 */
export async function permissionMatrixProblems(
  routes: readonly Route[],
  options: PermissionMatrixOptions,
): Promise<string[]> {
  const problems: string[] = [];
  for (const route of routes) {
    const values = options.pathValues?.(route) ?? {};
    const ask = async (who: string, headers: Readonly<Record<string, string>>, expected: Expected) => {
      const { statusCode } = await options.send({ method: route.method, url: urlOf(route, values), headers });
      if (!isExpected(statusCode, expected, route)) {
        problems.push(
          `${route.method} ${route.path} ${who}: ${statusCode}, expected ${describe(expected, route)}`,
        );
      }
    };
    await askAll(route, values, options, ask);
  }
  return problems;
}

type Expected = 401 | 403 | 'passes';

async function askAll(
  route: Route,
  values: Readonly<Record<string, string>>,
  options: PermissionMatrixOptions,
  ask: (who: string, headers: Readonly<Record<string, string>>, expected: Expected) => Promise<void>,
): Promise<void> {
  const { permission } = route;
  const isPublic = typeof permission === 'object' && permission.kind === 'public';
  await ask('without a user', {}, isPublic ? 'passes' : 401);
  if (isPublic) return;
  if (typeof permission !== 'string') {
    await ask('by a user without permissions', await options.userWith([]), 'passes');
    return;
  }
  await ask('without the permission', await options.userWith([]), 403);
  await ask(`with ${permission}`, await options.userWith([permission]), 'passes');
  if (route.instance === undefined) return;
  const instance = route.instance(paramsOf(route, values));
  await ask('with it for this object', await options.userWith([`${permission}:${instance}`]), 'passes');
  await ask('with it for another object', await options.userWith([`${permission}:${OTHER_INSTANCE}`]), 403);
}

function isExpected(status: number, expected: Expected, route: Route): boolean {
  if (expected !== 'passes') return status === expected;
  return route.method === 'GET' ? status !== 401 && status !== 403 && status < 500 : status === 400;
}

function describe(expected: Expected, route: Route): string {
  if (expected !== 'passes') return String(expected);
  return route.method === 'GET' ? 'neither 401, 403 nor a fault' : '400 for the missing CSRF header';
}

function paramsOf(route: Route, values: Readonly<Record<string, string>>): Record<string, string> {
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => String(match[1]));
  return Object.fromEntries(names.map((name) => [name, values[name] ?? INSTANCE]));
}

function urlOf(route: Route, values: Readonly<Record<string, string>>): string {
  const params = paramsOf(route, values);
  return `/api${route.path.replaceAll(/:(\w+)/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''))}`;
}
