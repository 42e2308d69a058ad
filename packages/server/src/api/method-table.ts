import type { FastifyReply, FastifyRequest } from 'fastify';
import createRouter from 'find-my-way';
import { sendError } from './answer.ts';
import { errorAnswer } from './error-answer.ts';
import type { Route } from './route.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

const METHOD_NOT_ALLOWED = 'HTTP 405 Method Not Allowed';

/** For unknown methods, and for unknown paths. */
export const ALL_METHODS = METHODS.join(', ');

/** How paths are told apart: the same for routes and for the answers to other methods. */
export interface PathOptions {
  readonly ignoreTrailingSlash: boolean;
  readonly ignoreDuplicateSlashes: boolean;
  readonly maxParamLength: number;
}

/**
 * Answers requests for a known path with another method, for which Fastify has no route: 405 with `Allow`, OPTIONS 204 with
 * `Allow`. False if the path is unknown too.
 *
 * Fastify could have a route for each of these methods. It has a tree of paths for each method, and to build those took a
 * tenth of the processor time of a start and 10 MB.
 */
export type AnswerOtherMethods = (request: FastifyRequest, reply: FastifyReply) => boolean;

export function createOtherMethods(
  routes: readonly Route[],
  prefix: string,
  options: PathOptions,
): AnswerOtherMethods {
  let allowedAt: ((path: string) => string | undefined) | undefined;

  return (request, reply) => {
    // Most nodes are never asked.
    allowedAt ??= methodTable(routes, prefix, options);
    const allow = allowedAt(request.url);
    if (allow === undefined) return false;
    // Answered before the body is read, because the body does not matter.
    if (request.method === 'OPTIONS') reply.code(204).header('allow', allow).send();
    else sendError(request, reply, errorAnswer('method_not_allowed', METHOD_NOT_ALLOWED, { allow }));
    return true;
  };
}

export function methodNotAllowed(request: FastifyRequest, reply: FastifyReply): void {
  sendError(request, reply, errorAnswer('method_not_allowed', METHOD_NOT_ALLOWED, { allow: ALL_METHODS }));
}

/** The methods of a path, as `Allow` lists them. Paths that differ only in the names of their parameters are the same path. */
function methodTable(
  routes: readonly Route[],
  prefix: string,
  options: PathOptions,
): (path: string) => string | undefined {
  const methodsByShape = new Map<string, { path: string; methods: Set<string> }>();
  for (const route of routes) {
    const shape = route.path.replaceAll(/:\w+/g, ':');
    const entry = methodsByShape.get(shape) ?? { path: route.path, methods: new Set(['OPTIONS']) };
    entry.methods.add(route.method);
    if (route.method === 'GET') entry.methods.add('HEAD');
    methodsByShape.set(shape, entry);
  }
  const router = createRouter(options);
  for (const { path, methods } of methodsByShape.values()) {
    const allow = METHODS.filter((method) => methods.has(method)).join(', ');
    router.on('GET', prefix + path, () => {}, allow);
  }
  return (path) => router.find('GET', path)?.store;
}
