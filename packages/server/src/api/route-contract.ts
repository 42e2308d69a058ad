import { ERROR_CODES, type ErrorCode } from '@millrace/contract';
import { z } from 'zod';
import type { ResponseDeclaration, Route } from './route.ts';

/** What every route owes its callers. A test runs this over the whole list and expects no complaint. */

/** Every code a route can answer with: those of its kind and its own. Sorted by status. */
export function errorCodesOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(route.errors);
  const isPublic = typeof route.permission === 'object' && route.permission.kind === 'public';
  if (!isPublic) codes.add('malformed_credentials').add('unauthenticated').add('too_many_requests');
  if (typeof route.permission === 'string') codes.add('forbidden');
  if (route.method !== 'GET') codes.add('csrf_header_missing');
  if (route.params || route.query || route.body) codes.add('invalid_request');
  if (route.body) codes.add('malformed_body').add('body_too_large').add('unsupported_media_type');
  codes.add('internal_error').add('unavailable');
  return [...codes].sort((a, b) => ERROR_CODES[a].status - ERROR_CODES[b].status);
}

/** One sentence per fault, with the route's name. Empty: all is well. */
export function routeComplaints(routes: readonly Route[]): string[] {
  const complaints: string[] = [];
  const seen = new Set<string>();
  for (const route of routes) {
    const name = `${route.method} ${route.path}`;
    const shape = name.replaceAll(/:\w+/g, ':');
    if (seen.has(shape)) complaints.push(`${name}: declared twice`);
    seen.add(shape);
    complaints.push(...complaintsAbout(route).map((complaint) => `${name}: ${complaint}`));
  }
  return complaints;
}

function complaintsAbout(route: Route): string[] {
  return [
    ...textComplaints(route),
    ...permissionComplaints(route),
    ...parameterComplaints(route),
    ...bodyComplaints(route),
    ...responseComplaints(route),
    ...errorComplaints(route),
  ];
}

function textComplaints(route: Route): string[] {
  const complaints: string[] = [];
  if (!/^[A-Z].*[^.]$/.test(route.summary ?? '')) {
    complaints.push('the summary must be one line, start with a capital and have no full stop');
  }
  if (!route.tag) complaints.push('the tag is missing');
  if (!/^\/(?:[\w.:~-]+(?:\/[\w.:~-]+)*)?$/.test(route.path)) {
    complaints.push('the path must start with a slash, end without one, and hold parameters as :name');
  }
  return complaints;
}

function permissionComplaints(route: Route): string[] {
  const { permission } = route;
  if (typeof permission === 'string') {
    return /^[a-z_]+:[a-z_]+$/.test(permission) ? [] : [`${permission} is not a permission (group:action)`];
  }
  if (permission?.kind !== 'public' && permission?.kind !== 'authenticated')
    return ['the permission is missing'];
  return route.instance === undefined ? [] : ['an instance makes no sense without a permission'];
}

function parameterComplaints(route: Route): string[] {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map((match) => String(match[1])).sort();
  const declared = Object.keys(route.params?.shape ?? {}).sort();
  const complaints: string[] = [];
  if (inPath.join() !== declared.join()) {
    complaints.push(`the path has the parameters [${inPath}], the schema has [${declared}]`);
  }
  if (route.query !== undefined && isStrict(route.query)) {
    complaints.push('the query schema must not be strict: unknown query parameters are tolerated');
  }
  return complaints;
}

function bodyComplaints(route: Route): string[] {
  if (route.body === undefined) return [];
  if (route.method === 'GET') return ['a GET request has no body'];
  return lenientObjects(route.body, 'body', new Set()).map(
    (path) =>
      `${path} drops unknown properties in silence: use z.strictObject, or z.looseObject to keep them`,
  );
}

function responseComplaints(route: Route): string[] {
  const responses = Object.entries(route.responses ?? {});
  if (responses.length === 0) return ['no response is declared'];
  return responses
    .filter(([status, declaration]) => !(isSuccess(Number(status)) || isRawContent(declaration)))
    .map(([status]) => `${status} is not a success: declare its error code in \`errors\``);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 400;
}

/** What is not JSON may have any status: a load balancer reads "DEAD" off a 503. */
function isRawContent(declaration: ResponseDeclaration): boolean {
  return declaration !== null && !(declaration instanceof z.ZodType);
}

function errorComplaints(route: Route): string[] {
  if (!Array.isArray(route.errors)) return ['the list of error codes is missing'];
  return route.errors.filter((code) => !(code in ERROR_CODES)).map((code) => `${code} is not in ERROR_CODES`);
}

function isStrict(schema: z.ZodObject): boolean {
  return schema._zod.def.catchall instanceof z.ZodNever;
}

/** Paths of all objects in a schema that neither refuse nor keep unknown properties. */
function lenientObjects(schema: unknown, path: string, seen: Set<unknown>): string[] {
  if (!(schema instanceof z.ZodType) || seen.has(schema)) return [];
  seen.add(schema);
  const def = schema._zod.def as unknown as Readonly<Record<string, unknown>>;
  if (schema instanceof z.ZodObject) {
    const here = schema._zod.def.catchall === undefined ? [path] : [];
    const inside = Object.entries(schema.shape).flatMap(([key, inner]) =>
      lenientObjects(inner, `${path}.${key}`, seen),
    );
    return [...here, ...inside];
  }
  const inner = [def.innerType, def.element, def.valueType, def.in, def.out, def.left, def.right];
  const options = Array.isArray(def.options) ? def.options : [];
  const lazy = typeof def.getter === 'function' ? [def.getter()] : [];
  return [...inner, ...options, ...lazy].flatMap((part) => lenientObjects(part, path, seen));
}
