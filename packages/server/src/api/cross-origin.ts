import type { FastifyReply, FastifyRequest } from 'fastify';

const ALLOWED_METHODS = 'GET, POST, PUT, PATCH, DELETE, OPTIONS';
const ALLOWED_HEADERS =
  'Authorization, Content-Type, X-Graylog-No-Session-Extension, X-Requested-With, X-Requested-By';
const MAX_AGE_SECONDS = '600';

/**
 * Lets scripts of the configured origins call the API. They may use the visitor's cookie, so each
 * origin is named: a wildcard would let every site act as the user who visits it.
 */
export function createCrossOriginPolicy(
  origins: readonly string[],
): (request: FastifyRequest, reply: FastifyReply) => void {
  const allowed = new Set(origins.map((origin) => origin.toLowerCase()));
  return (request, reply) => {
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !allowed.has(origin.toLowerCase())) return;
    reply.header('access-control-allow-origin', origin);
    reply.header('access-control-allow-credentials', 'true');
    if (request.method !== 'OPTIONS') return;
    reply.header('access-control-allow-methods', ALLOWED_METHODS);
    reply.header('access-control-allow-headers', ALLOWED_HEADERS);
    reply.header('access-control-max-age', MAX_AGE_SECONDS);
  };
}
