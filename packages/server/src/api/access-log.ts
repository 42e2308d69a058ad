import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger, Metrics } from '#telemetry/index.ts';
import { clientAddress } from './client-address.ts';
import type { Route } from './route.ts';

/**
 * One line per request, without secrets: no headers, no bodies, no query values, and masked secrets in paths.
 * Successful reads are logged at `debug`, because load balancers and open browser pages poll all the time.
 */
export type AccessLog = (request: FastifyRequest, reply: FastifyReply, route: Route | undefined) => void;

const MASK = '***';
const MAX_PATH_LENGTH = 300;
const SECRET_PARAMS = /token|session|secret|password/i;
/** The same for unknown paths, which have no named parameters. */
const SECRET_SEGMENT = /(\/(?:tokens?|sessions?)\/)[^/?]+/gi;

export function createAccessLog(logger: Logger): AccessLog {
  return (request, reply, route) => {
    const isQuiet = reply.statusCode < 400 && (request.method === 'GET' || request.method === 'HEAD');
    const level = isQuiet ? 'debug' : 'info';
    if (!logger.isLevelEnabled(level)) return;
    logger[level](
      {
        method: request.method,
        path: maskedPath(request, route),
        status: reply.statusCode,
        milliseconds: Math.round(reply.elapsedTime * 10) / 10,
        remote: clientAddress(request),
        ...(request.principal === undefined ? {} : { user: request.principal.username }),
      },
      'request',
    );
  };
}

/** Path with secrets masked, and the names (never the values) of the query parameters. */
function maskedPath(request: FastifyRequest, route: Route | undefined): string {
  const url = request.raw.url ?? '';
  const queryStart = url.indexOf('?');
  const path = queryStart < 0 ? url : url.slice(0, queryStart);
  const names = Object.keys((request.query ?? {}) as object);
  const query = names.length === 0 ? '' : `?${names.join('&')}`;
  const masked =
    route === undefined ? path.replaceAll(SECRET_SEGMENT, `$1${MASK}`) : routePath(request, route);
  return (masked + query).slice(0, MAX_PATH_LENGTH);
}

function routePath(request: FastifyRequest, route: Route): string {
  const params = request.params as Readonly<Record<string, string>>;
  return `/api${route.path.replaceAll(/:(\w+)/g, (_match, name: string) => {
    const isSecret = route.secretParams?.includes(name) ?? SECRET_PARAMS.test(name);
    return isSecret ? MASK : encodeURIComponent(params[name] ?? '');
  })}`;
}

/** Metrics of the API as a whole. Metrics per route would be hundreds of series that nobody reads. */
export function createRequestMetrics(metrics: Metrics): (statusCode: number, milliseconds: number) => void {
  const requests = metrics.timer('org.graylog2.rest.requests', { help: 'API requests and their duration.' });
  const responses = [1, 2, 3, 4, 5].map((statusClass) =>
    metrics.counter(`org.graylog2.rest.responses.${statusClass}xx`, {
      help: 'API responses by status class.',
      series: { name: 'millrace_api_responses_total', labels: { status: `${statusClass}xx` } },
    }),
  );
  return (statusCode, milliseconds) => {
    requests.update(milliseconds * 1000);
    responses[Math.floor(statusCode / 100) - 1]?.increment();
  };
}
