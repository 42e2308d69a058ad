import { ERROR_CODE_HEADER, ERROR_CODES } from '@millrace/contract';
import fc from 'fast-check';
import type { OpenApiDocument, OpenApiOperation } from '#api/index.ts';
import { type JsonSchemaNode, type ResolveReference, valuesOf } from './json-schema-arbitrary.ts';

/** A request as the fuzzer makes it; `inject` of Fastify takes it as it is. */
export interface FuzzRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string;
}

export interface FuzzAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

export interface FuzzOptions {
  readonly send: (request: FuzzRequest) => Promise<FuzzAnswer>;
  /** Headers of a user who may do everything, so that requests get as far as they can. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly runsPerOperation?: number;
  /** Printed with a failure; give it back here to see the same requests again. */
  readonly seed?: number;
  /** Operations to leave alone, such as the one that stops the node. */
  readonly skip?: (method: string, path: string) => boolean;
}

export interface FuzzReport {
  readonly operations: number;
  readonly requests: number;
  /** How often each status came back: a run in which nothing succeeded proves little. */
  readonly statuses: Readonly<Record<number, number>>;
}

const NASTY_TEXTS = [
  '',
  ' ',
  '0',
  '-1',
  '1e999',
  'null',
  'undefined',
  'true',
  '*',
  '..',
  '../../etc/passwd',
  '%00',
  '\u0000',
  "'; DROP TABLE users; --",
  '"\\',
  '__proto__',
  'constructor',
  '\ud800',
  '\u202e',
  '🦀',
  'x'.repeat(900),
  '000000000000000000000000',
  'ffffffffffffffffffffffff',
];
const CONTENT_TYPES = ['application/json', 'application/json; charset=utf-8', 'text/plain', 'nonsense', ''];

const texts = fc.oneof(fc.constantFrom(...NASTY_TEXTS), fc.string({ maxLength: 40, unit: 'binary' }));

/**
 * Sends random requests to every operation of the document and fails on the first answer that is a fault of
 * the server or not in the shape every error has. The failing request is shrunk and printed.
 */
export async function fuzzApi(document: OpenApiDocument, options: FuzzOptions): Promise<FuzzReport> {
  const statuses: Record<number, number> = {};
  let operations = 0;
  let requests = 0;
  const resolve: ResolveReference = (reference) => lookUp(document, reference);

  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (options.skip?.(method.toUpperCase(), path) === true) continue;
      operations += 1;
      await fc.assert(
        fc.asyncProperty(
          requestsFor(method, path, operation, resolve, options.credentials),
          async (request) => {
            const answer = await options.send(request);
            requests += 1;
            statuses[answer.statusCode] = (statuses[answer.statusCode] ?? 0) + 1;
            const problem = problemOf(answer);
            if (problem !== undefined)
              throw new Error(`${request.method} ${request.url}: ${problem}\n${answer.body}`);
          },
        ),
        {
          numRuns: options.runsPerOperation ?? 30,
          includeErrorInReport: true,
          ...(options.seed === undefined ? {} : { seed: options.seed }),
        },
      );
    }
  }
  return { operations, requests, statuses };
}

/** What is wrong with an answer, whatever was asked. */
export function problemOf(answer: FuzzAnswer): string | undefined {
  const { statusCode, headers, body } = answer;
  if (statusCode >= 500 && statusCode !== 503) return `answered ${statusCode}`;
  if (headers['x-graylog-node-id'] === undefined) return 'the node id header is missing';
  if (statusCode < 400) return undefined;
  const code = headers[ERROR_CODE_HEADER.toLowerCase()];
  if (typeof code !== 'string' || !Object.hasOwn(ERROR_CODES, code))
    return `unknown error code ${String(code)}`;
  if (statusCode === 401) return body === '' ? undefined : '401 must have no body';
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return `${statusCode} without a JSON body`;
  }
  if (Array.isArray(parsed)) return problemOfList(parsed, statusCode);
  const { type, message } = (parsed ?? {}) as { type?: unknown; message?: unknown };
  if (typeof type !== 'string' || typeof message !== 'string' || message === '') {
    return `${statusCode} without type and message`;
  }
  return undefined;
}

/** A source of a rule or pipeline is answered with the list of its problems. */
function problemOfList(list: readonly unknown[], status: number): string | undefined {
  const isProblem = (each: unknown) => {
    const { type, reason } = (each ?? {}) as { type?: unknown; reason?: unknown };
    return typeof type === 'string' && typeof reason === 'string' && reason !== '';
  };
  return list.length > 0 && list.every(isProblem) ? undefined : `${status} with a list that has no problems`;
}

function requestsFor(
  method: string,
  path: string,
  operation: OpenApiOperation,
  resolve: ResolveReference,
  credentials: Readonly<Record<string, string>>,
): fc.Arbitrary<FuzzRequest> {
  const parameters = operation.parameters.map((parameter) =>
    '$ref' in parameter ? (lookUpParameter(parameter.$ref, resolve) ?? undefined) : parameter,
  );
  const named = (location: string) =>
    parameters.filter((parameter) => parameter !== undefined && parameter.in === location) as Array<{
      name: string;
      schema: JsonSchemaNode;
    }>;
  const valuesFor = (location: string, likelyAbsent: boolean) =>
    fc.record(
      Object.fromEntries(
        named(location).map(({ name, schema }) => [
          name,
          fc.oneof(
            { weight: 3, arbitrary: valuesOf(schema, resolve).map(asText) },
            { weight: 2, arbitrary: texts },
          ),
        ]),
      ),
      { requiredKeys: likelyAbsent ? [] : named(location).map(({ name }) => name) },
    ) as fc.Arbitrary<Record<string, string>>;

  return fc
    .record({
      path: valuesFor('path', false),
      query: valuesFor('query', true),
      stray: fc.dictionary(fc.constantFrom('pretty', 'stray', '__proto__', 'a[b]'), texts, { maxKeys: 2 }),
      body: bodiesFor(operation, resolve),
      hasCsrfHeader: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
      contentType: fc.oneof(
        { weight: 6, arbitrary: fc.constant('application/json') },
        fc.constantFrom(...CONTENT_TYPES),
      ),
    })
    .map(({ path: pathValues, query, stray, body, hasCsrfHeader, contentType }) => ({
      method: method.toUpperCase() as FuzzRequest['method'],
      url: `/api${filledPath(path, pathValues)}${queryText({ ...stray, ...query })}`,
      headers: {
        ...credentials,
        ...(hasCsrfHeader ? { 'x-requested-by': 'fuzz' } : {}),
        ...(body === undefined ? {} : { 'content-type': contentType }),
      },
      ...(body === undefined || method === 'get' ? {} : { payload: body }),
    }));
}

/** Mostly bodies that fit the schema or nearly do: others do not get past the first check. */
function bodiesFor(operation: OpenApiOperation, resolve: ResolveReference): fc.Arbitrary<string | undefined> {
  const junk = fc.oneof(
    fc.constant(undefined),
    fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)),
    fc.string({ maxLength: 60 }),
  );
  const schema = operation.requestBody?.content['application/json']?.schema;
  if (schema === undefined) return junk;
  const fitting = valuesOf(schema, resolve);
  const nearly = fc
    .tuple(fitting, fc.jsonValue({ maxDepth: 2 }), fc.nat())
    .map(([value, replacement, position]) => withOneReplaced(value, replacement, position));
  return fc.oneof(
    // Many bodies have defaults for everything: that is what gets furthest.
    { weight: 1, arbitrary: fc.constant('{}') },
    { weight: 5, arbitrary: fitting.map((value) => JSON.stringify(value)) },
    { weight: 4, arbitrary: nearly.map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: junk },
  );
}

function withOneReplaced(value: unknown, replacement: unknown, position: number): unknown {
  if (typeof value !== 'object' || value === null) return replacement;
  const keys = Object.keys(value);
  const key = keys[position % (keys.length + 1)] ?? 'stray_property';
  return { ...value, [key]: replacement };
}

function filledPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => encoded(values[name] ?? ''));
}

function queryText(values: Readonly<Record<string, string>>): string {
  const parts = Object.entries(values).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** Lone surrogates have no UTF-8 form; they travel as the replacement character. */
function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function lookUpParameter(reference: string, resolve: ResolveReference) {
  return resolve(reference) as { name: string; in: string; schema: JsonSchemaNode } | undefined;
}

function lookUp(document: OpenApiDocument, reference: string): JsonSchemaNode {
  let node: unknown = document;
  for (const key of reference.replace(/^#\//, '').split('/')) node = (node as Record<string, unknown>)[key];
  if (typeof node !== 'object' || node === null) throw new Error(`${reference} is not in the document`);
  return node as JsonSchemaNode;
}
