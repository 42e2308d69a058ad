import type { FastifyInstance } from 'fastify';
import { sendError } from './answer.ts';
import { errorAnswer } from './error-answer.ts';
import type { Route } from './route.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

export const METHOD_NOT_ALLOWED = 'HTTP 405 Method Not Allowed';

/** All methods, for answers to unknown paths. */
export const ALL_METHODS = METHODS.join(', ');

/**
 * Fastify answers 404 if a known path is requested with another method. This registers the missing methods of every
 * path: they answer 405 with `Allow`, OPTIONS answers 204 with `Allow`. Paths that differ only in the names of their
 * parameters are the same path.
 */
export function registerOtherMethods(
  fastify: FastifyInstance,
  routes: readonly Route[],
  prefix: string,
): void {
  const methodsByShape = new Map<string, { path: string; methods: Set<string> }>();
  for (const route of routes) {
    const shape = route.path.replaceAll(/:\w+/g, ':');
    const entry = methodsByShape.get(shape) ?? { path: route.path, methods: new Set(['OPTIONS']) };
    entry.methods.add(route.method);
    if (route.method === 'GET') entry.methods.add('HEAD');
    methodsByShape.set(shape, entry);
  }
  for (const { path, methods } of methodsByShape.values()) {
    const allow = METHODS.filter((method) => methods.has(method)).join(', ');
    const url = prefix + path;
    fastify.route({
      method: 'OPTIONS',
      url,
      // Answered before the body is read, because the body does not matter.
      onRequest: (_request, reply) => {
        reply.code(204).header('allow', allow).send();
      },
      handler: () => {},
    });
    const missing = METHODS.filter((method) => !methods.has(method));
    if (missing.length === 0) continue;
    fastify.route({
      method: missing,
      url,
      exposeHeadRoute: false,
      onRequest: (request, reply) => {
        sendError(request, reply, errorAnswer('method_not_allowed', METHOD_NOT_ALLOWED, { allow }));
      },
      handler: () => {},
    });
  }
}
