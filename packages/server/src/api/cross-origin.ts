import type { FastifyReply, FastifyRequest } from 'fastify';

const ALLOWED_METHODS = 'GET, POST, PUT, PATCH, DELETE, OPTIONS';
const ALLOWED_HEADERS =
  'Authorization, Content-Type, X-Graylog-No-Session-Extension, X-Requested-With, X-Requested-By';
const MAX_AGE_SECONDS = '600';

/**
 * Lets scripts of the configured origins call the API. The answer contains the origin itself, never `*`, because
 * browsers do not accept a wildcard together with credentials.
 */
export function createCrossOriginPolicy(
  origins: readonly string[],
): (request: FastifyRequest, reply: FastifyReply) => void {
  const any = origins.includes('*');
  const allowed = new Set(origins.map((origin) => origin.toLowerCase()));
  return (request, reply) => {
    reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !(any || allowed.has(origin.toLowerCase()))) return;
    reply.header('access-control-allow-origin', origin);
    reply.header('access-control-allow-credentials', 'true');
    if (request.method !== 'OPTIONS') return;
    reply.header('access-control-allow-methods', ALLOWED_METHODS);
    reply.header('access-control-allow-headers', ALLOWED_HEADERS);
    reply.header('access-control-max-age', MAX_AGE_SECONDS);
  };
}
