import { apiErrorSchema, ERROR_CODES, type ErrorCode } from '@millrace/contract';
import { z } from 'zod';
import { SESSION_COOKIE } from '#core/index.ts';
import type { ResponseDeclaration, Route } from '../route.ts';
import { errorCodesOf } from '../route-error-codes.ts';
import { createSchemaCollection, type JsonSchema, type SchemaCollection } from './json-schema.ts';

export interface OpenApiInfo {
  /** The server's version. */
  readonly version: string;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly [key: string]: unknown;
}

export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

export interface OpenApiOperation {
  readonly operationId: string;
  readonly parameters: ReadonlyArray<OpenApiParameter | { readonly $ref: string }>;
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  };
  readonly responses: Readonly<Record<string, unknown>>;
  readonly security?: readonly unknown[];
  readonly [key: string]: unknown;
}

const DESCRIPTION = `Everything the web interface does, it does through this API.

- Authenticate with HTTP Basic: user name and password, an access token with the password \`token\`, or a session id with the password \`session\`.
- Every request except GET, HEAD and OPTIONS needs the header \`X-Requested-By\` with any value.
- \`pretty=true\` returns indented JSON on every endpoint.
- Errors are \`{"type":"ApiError","message":"…"}\`; the header \`X-Millrace-Error-Code\` has a stable code. 401 has no body. Every 400 also has \`problems\`: a list of all problems, each with its \`path\` in the request.`;

/** The OpenAPI 3.1 document of these routes. Needs no server and no services: handlers are not called. */
export function openApiDocument(routes: readonly Route[], info: OpenApiInfo): OpenApiDocument {
  const schemas = createSchemaCollection();
  const paths: Record<string, Record<string, OpenApiOperation>> = {};
  const documented = routes.filter((route) => route.undocumented !== true);
  const canonicalPath = createPathNames();
  for (const route of documented) {
    const { path, parameterNames } = canonicalPath(route.path);
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = operation(route, parameterNames, schemas);
  }
  const apiError = schemas.convert(apiErrorSchema, 'output');
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millrace API',
      version: info.version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api' }],
    security: [{ basic: [] }, { session: [] }],
    tags: [...new Set(documented.map((route) => route.tag))].sort().map((name) => ({ name })),
    paths: sortedByKey(paths),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: SHARED_PARAMETERS,
      responses: errorResponses(apiError),
      schemas: schemas.named(),
    },
  };
}

/**
 * In OpenAPI, paths that differ only in the names of their parameters are the same path. All use the names of the first
 * route.
 */
function createPathNames() {
  const pathByShape = new Map<string, string>();
  const namesIn = (path: string) => [...path.matchAll(/:(\w+)/g)].map((match) => String(match[1]));
  return (path: string) => {
    const shape = path.replaceAll(/:\w+/g, ':');
    const first = pathByShape.get(shape) ?? path;
    pathByShape.set(shape, first);
    const firstNames = namesIn(first);
    return {
      path: first.replaceAll(/:(\w+)/g, '{$1}'),
      parameterNames: new Map(namesIn(path).map((name, index) => [name, firstNames[index] ?? name])),
    };
  };
}

const SECURITY_SCHEMES = {
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'User name and password; access token and `token`; session id and `session`.',
  },
  session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE, description: 'The session of a browser.' },
};

const SHARED_PARAMETERS = {
  pretty: {
    name: 'pretty',
    in: 'query',
    description: 'Indented JSON.',
    schema: { type: 'boolean' },
  },
  requestedBy: {
    name: 'X-Requested-By',
    in: 'header',
    required: true,
    description: 'Any text. Proves that the request does not come from another website.',
    schema: { type: 'string', minLength: 1, default: 'API Browser' },
  },
};

function operation(
  route: Route,
  parameterNames: ReadonlyMap<string, string>,
  schemas: SchemaCollection,
): OpenApiOperation {
  const isPublic = typeof route.permission === 'object' && route.permission.kind === 'public';
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    description: operationDescription(route),
    ...(route.deprecated === true ? { deprecated: true } : {}),
    ...(isPublic ? { security: [] } : {}),
    ...(typeof route.permission === 'string' ? { 'x-permission': route.permission } : {}),
    parameters: [
      ...parameters(route.params, 'path', schemas).map((parameter) => ({
        ...parameter,
        name: parameterNames.get(parameter.name) ?? parameter.name,
      })),
      ...parameters(route.query, 'query', schemas),
      { $ref: '#/components/parameters/pretty' },
      ...(route.method === 'GET' ? [] : [{ $ref: '#/components/parameters/requestedBy' }]),
    ],
    ...(route.body === undefined ? {} : { requestBody: requestBody(route.body, schemas, route.textBody) }),
    responses: responses(route, schemas),
  };
}

function operationDescription(route: Route): string {
  const who =
    typeof route.permission === 'string'
      ? `Permission: \`${route.permission}\`${route.instance === undefined ? '' : ' for the object in the path'}.`
      : {
          public: 'No login needed.',
          authenticated: 'For every user; answers contain what the user may see.',
        }[route.permission.kind];
  return route.description === undefined ? who : `${route.description}\n\n${who}`;
}

/** `GET /streams/:streamId/rules` is `getStreamsByStreamIdRules`. */
function operationId(route: Route): string {
  const words = route.path
    .split('/')
    .filter((segment) => segment !== '')
    .flatMap((segment) =>
      segment.startsWith(':') ? ['by', segment.slice(1)] : segment.split(/[^A-Za-z0-9]+/),
    )
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return route.method.toLowerCase() + (words.join('') || 'Root');
}

function parameters(
  schema: z.ZodObject | undefined,
  location: 'path' | 'query',
  schemas: SchemaCollection,
): OpenApiParameter[] {
  if (schema === undefined) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).map(([name, property]) => {
    const { description, ...rest } = schemas.convert(property, 'input');
    const required = location === 'path' || !property.safeParse(undefined).success;
    return {
      name,
      in: location,
      ...(required ? { required } : {}),
      ...(typeof description === 'string' ? { description } : {}),
      schema: rest,
    };
  });
}

function requestBody(schema: z.ZodType, schemas: SchemaCollection, textBody: string | undefined) {
  return {
    required: !schema.safeParse(undefined).success,
    content: {
      'application/json': { schema: schemas.convert(schema, 'input') },
      ...(textBody !== undefined && {
        'text/plain': { schema: { type: 'string', description: textBody } },
      }),
    },
  };
}

function responses(route: Route, schemas: SchemaCollection): Record<string, unknown> {
  const answers: Record<string, unknown> = {};
  for (const [status, declaration] of Object.entries(route.responses)) {
    answers[status] = successResponse(Number(status), declaration, schemas);
  }
  const [first] = Object.values(answers) as { content?: Record<string, unknown> }[];
  for (const [type, description] of Object.entries(route.alternatives ?? {})) {
    if (first?.content !== undefined) first.content[type] = { schema: { type: 'string', description } };
  }
  for (const code of errorCodesOf(route)) {
    const status = String(ERROR_CODES[code].status);
    answers[status] ??= { $ref: `#/components/responses/${errorResponseName(ERROR_CODES[code].status)}` };
  }
  return answers;
}

function successResponse(status: number, declaration: ResponseDeclaration, schemas: SchemaCollection) {
  if (declaration === null)
    return { description: status >= 300 && status < 400 ? 'Redirect' : 'Done, no body' };
  if (declaration instanceof z.ZodType) {
    return {
      description: declaration.description ?? 'OK',
      content: { 'application/json': { schema: schemas.convert(declaration, 'output') } },
    };
  }
  const schema =
    declaration.schema === undefined ? { type: 'string' } : schemas.convert(declaration.schema, 'output');
  return { description: declaration.description, content: { [declaration.contentType]: { schema } } };
}

function errorResponseName(status: number): string {
  return `error${status}`;
}

/** One response per status, listing the codes with that status. */
function errorResponses(apiError: JsonSchema): Record<string, unknown> {
  const codesByStatus = Map.groupBy(
    Object.keys(ERROR_CODES) as ErrorCode[],
    (code) => ERROR_CODES[code].status,
  );
  const entries = [...codesByStatus].map(([status, codes]) => [
    errorResponseName(status),
    {
      description: codes.map((code) => `\`${code}\`: ${ERROR_CODES[code].meaning}`).join('\n\n'),
      headers: {
        'X-Millrace-Error-Code': { schema: { type: 'string', enum: codes } },
        ...(status === 429 || status === 503 ? { 'Retry-After': { schema: { type: 'integer' } } } : {}),
      },
      ...(status === 401 ? {} : { content: { 'application/json': { schema: apiError } } }),
    },
  ]);
  return Object.fromEntries(entries);
}

function sortedByKey<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
