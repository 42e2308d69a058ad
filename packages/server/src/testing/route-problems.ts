import { ERROR_CODES } from '@millrace/contract';
import { z } from 'zod';
import type { ResponseDeclaration, Route } from '#api/route.ts';

/** Rules for every route declaration. Returns one line per violation; a test expects none for the whole list. */
export function routeProblems(routes: readonly Route[]): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const route of routes) {
    const name = `${route.method} ${route.path}`;
    const shape = name.replaceAll(/:\w+/g, ':');
    if (seen.has(shape)) problems.push(`${name}: declared twice`);
    seen.add(shape);
    problems.push(...problemsOf(route).map((problem) => `${name}: ${problem}`));
  }
  return problems;
}

function problemsOf(route: Route): string[] {
  return [
    ...textProblems(route),
    ...permissionProblems(route),
    ...parameterProblems(route),
    ...bodyProblems(route),
    ...responseProblems(route),
    ...errorProblems(route),
  ];
}

function textProblems(route: Route): string[] {
  const problems: string[] = [];
  if (!/^[A-Z].*[^.]$/.test(route.summary ?? '')) {
    problems.push('the summary must be one line, start with a capital and have no full stop');
  }
  if (!route.tag) problems.push('the tag is missing');
  if (!/^\/(?:[\w.:~-]+(?:\/[\w.:~-]+)*)?$/.test(route.path)) {
    problems.push('the path must start with a slash, not end with one, and have parameters as :name');
  }
  return problems;
}

function permissionProblems(route: Route): string[] {
  const { permission } = route;
  if (typeof permission === 'string') {
    return /^[a-z_]+:[a-z_]+$/.test(permission) ? [] : [`${permission} is not a permission (group:action)`];
  }
  if (permission?.kind !== 'public' && permission?.kind !== 'authenticated')
    return ['the permission is missing'];
  return route.instance === undefined ? [] : ['an instance makes no sense without a permission'];
}

function parameterProblems(route: Route): string[] {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map((match) => String(match[1])).sort();
  const declared = Object.keys(route.params?.shape ?? {}).sort();
  const problems: string[] = [];
  if (inPath.join() !== declared.join()) {
    problems.push(`the path has the parameters [${inPath}], the schema has [${declared}]`);
  }
  if (route.query !== undefined && isStrict(route.query)) {
    problems.push('the query schema must not be strict: unknown query parameters are tolerated');
  }
  return problems;
}

function bodyProblems(route: Route): string[] {
  if (route.body === undefined) return [];
  if (route.method === 'GET') return ['a GET request has no body'];
  return lenientObjects(route.body, 'body', new Set()).map(
    (path) => `${path} silently drops unknown properties: use z.strictObject, or z.looseObject to keep them`,
  );
}

function responseProblems(route: Route): string[] {
  const responses = Object.entries(route.responses ?? {});
  if (responses.length === 0) return ['no response is declared'];
  return responses
    .filter(([status, declaration]) => !(isSuccess(Number(status)) || isRawContent(declaration)))
    .map(([status]) => `${status} is not a success: declare its error code in \`errors\``);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 400;
}

/** An answer that is not JSON may have any status: a load balancer expects "DEAD" with a 503. */
function isRawContent(declaration: ResponseDeclaration): boolean {
  return declaration !== null && !(declaration instanceof z.ZodType);
}

function errorProblems(route: Route): string[] {
  if (!Array.isArray(route.errors)) return ['the list of error codes is missing'];
  return route.errors.filter((code) => !(code in ERROR_CODES)).map((code) => `${code} is not in ERROR_CODES`);
}

function isStrict(schema: z.ZodObject): boolean {
  return schema._zod.def.catchall instanceof z.ZodNever;
}

/** Paths of all objects in a schema that neither reject nor keep unknown properties. */
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
