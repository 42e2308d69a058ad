import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { z } from 'zod';
import {
  type AnswerMemory,
  type Authenticator,
  errorMessage,
  formatHostPort,
  InvalidError,
  type Startable,
  StartupError,
  UnavailableError,
  unmetDemand,
} from '#core/index.ts';
import type { Logger, Metrics } from '#telemetry/index.ts';
import { createAccessLog, createRequestMetrics } from './access-log.ts';
import { createResultSender, isXmlHttpRequest, sendError } from './answer.ts';
import { gzipPayload } from './compression.ts';
import { createCrossOriginPolicy } from './cross-origin.ts';
import { answerForError, answerForLeaving, errorAnswer } from './error-answer.ts';
import { createGate, isTextBody } from './gate.ts';
import { createHeldAnswers } from './held-answers.ts';
import { answerUnreadableRequest, createHttpOrHttpsServer, discardBody } from './http-server.ts';
import { decodeBody, parseJsonBody } from './json-body.ts';
import { parseLenientBody } from './lenient-body.ts';
import { ALL_METHODS, METHOD_NOT_ALLOWED, registerOtherMethods } from './method-table.ts';
import { currentUrl } from './old-paths.ts';
import { createProxyWarning } from './proxy-warning.ts';
import { type ContextDeps, RequestContext } from './request-context.ts';
import type { Route } from './route.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { type ApiSettings, MAX_PUBLIC_BODY_SIZE } from './settings.ts';
import { countUnanswered } from './unanswered.ts';
import { invalidRequest, parsePart, type RequestProblem } from './validation.ts';
import { isPageRequest, registerWebInterface, sendIndexPage } from './web-interface.ts';

/** Parameters may be long (metric names, index names); with longer ones the path is unknown. */
const MAX_PATH_PARAMETER_LENGTH = 1024;
const PREFIX = '/api';

export interface ApiDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly nodeId: string;
  readonly authenticator: Authenticator;
  readonly answerMemory: AnswerMemory;
}

export interface Api extends Startable {
  /** The address it listens on, as `http://host:port`. Only after `start`. */
  address(): string;
  /** For tests: `inject` runs a request without a socket. Call `await fastify.ready()` first. */
  readonly fastify: FastifyInstance;
}

/** The HTTP server of a node: the API under `/api`, the web interface at `/`. */
export async function createApi(
  deps: ApiDeps,
  settings: ApiSettings,
  routes: readonly Route[],
): Promise<Api> {
  const stopping = new AbortController();
  const logger = deps.logger.child({ component: 'api' });
  const fastify = createFastify(deps, settings);
  const context: ContextDeps = { authenticator: deps.authenticator, logger, stopping: stopping.signal };

  const unanswered = countUnanswered(fastify);
  const proxyWarning = createProxyWarning(logger, settings);
  fastify.addHook('onRequest', (request, _reply, done) => {
    proxyWarning.atRequest(request);
    done();
  });
  registerHooks(fastify, { ...deps, logger }, settings);
  registerErrorHandler(fastify, logger);
  registerNotFoundHandler(fastify, settings.webDirectory !== undefined);
  for (const route of routes) registerRoute(fastify, route, context, settings);
  registerOtherMethods(fastify, routes, PREFIX);
  if (settings.webDirectory !== undefined) await registerWebInterface(fastify, settings.webDirectory);

  let starting: Promise<void> | undefined;
  return {
    name: 'api',
    fastify,
    start() {
      proxyWarning.atStart();
      starting = listen(fastify, settings, logger);
      return starting;
    },
    async stop() {
      // A socket that is about to listen cannot be closed.
      await starting?.catch(() => {});
      const closed = fastify.close();
      await unanswered.none(settings.lastAnswersTimeoutMs);
      stopping.abort(
        new UnavailableError('This node is stopping. Send the request again, to another node or later.'),
      );
      const forceClose = setTimeout(() => fastify.server.closeAllConnections(), settings.stopTimeoutMs);
      try {
        await closed;
      } finally {
        clearTimeout(forceClose);
      }
    },
    address() {
      const { address, port } = fastify.server.address() as AddressInfo;
      return `${settings.tls === undefined ? 'http' : 'https'}://${formatHostPort(address, port)}`;
    },
  };
}

function createFastify(deps: ApiDeps, settings: ApiSettings): FastifyInstance {
  return Fastify({
    serverFactory: (handler) =>
      createHttpOrHttpsServer(settings, (request: IncomingMessage, response: ServerResponse) =>
        handler(request, response),
      ),
    clientErrorHandler: (error, socket) => answerUnreadableRequest(error, socket, deps.nodeId),
    frameworkErrors: (error, request, reply) => {
      reply.header('x-graylog-node-id', deps.nodeId);
      sendError(request, reply as unknown as FastifyReply, answerForError(error, deps.logger));
    },
    rewriteUrl: ({ url = '/' }) => currentUrl(url),
    // Routes that need a user have a limit of their own, see `bodyLimitOf`.
    bodyLimit: MAX_PUBLIC_BODY_SIZE,
    trustProxy: settings.trustedProxies.length === 0 ? false : [...settings.trustedProxies],
    forceCloseConnections: 'idle',
    // Requests that arrive on open connections while the node stops are answered before the connection closes.
    return503OnClosing: false,
    exposeHeadRoutes: true,
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: MAX_PATH_PARAMETER_LENGTH,
    },
  });
}

async function listen(fastify: FastifyInstance, settings: ApiSettings, logger: Logger): Promise<void> {
  try {
    await fastify.listen({ host: settings.host, port: settings.port });
  } catch (error) {
    throw new StartupError(
      `The API cannot listen on ${formatHostPort(settings.host, settings.port)}: ${errorMessage(error)}.`,
      'Set http_bind_address to a free address, or stop the program that uses this one.',
      { cause: error },
    );
  }
  const { port } = fastify.server.address() as AddressInfo;
  logger.debug({ host: settings.host, port, tls: settings.tls !== undefined }, 'the API is listening');
}

function registerHooks(
  fastify: FastifyInstance,
  deps: Pick<ApiDeps, 'nodeId' | 'metrics' | 'logger' | 'answerMemory'>,
  settings: ApiSettings,
): void {
  const accessLog = createAccessLog(deps.logger);
  const countRequest = createRequestMetrics(deps.metrics);
  const allowCrossOrigin =
    settings.corsOrigins.length === 0 ? undefined : createCrossOriginPolicy(settings.corsOrigins);

  fastify.decorateRequest('principal', undefined);
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-graylog-node-id', deps.nodeId);
    setSecurityHeaders(reply);
    if (isXmlHttpRequest(request)) reply.header('cache-control', 'no-cache');
    allowCrossOrigin?.(request, reply);
    done();
  });
  fastify.addHook('onRequest', (request, _reply, done) => {
    const demand = unmetDemand(request.raw);
    if (demand === undefined) {
      done();
      return;
    }
    const code = demand.status === 417 ? 'expectation_failed' : 'malformed_request';
    done(new InvalidError(demand.message, { code }));
  });
  const held = createHeldAnswers(deps.answerMemory, settings.stalledAnswerTimeoutMs);
  fastify.addHook('onSend', held.hold);
  if (settings.enableGzip) {
    fastify.addHook('onSend', gzipPayload);
    fastify.addHook('onSend', held.shrink);
  }
  fastify.addHook('onResponse', (request, reply, done) => {
    countRequest(reply.statusCode, reply.elapsedTime);
    accessLog(request, reply, request.routeOptions.config.route);
    done();
  });
  // Bodies stay text here: only the route knows whether it expects one, and the checks before must not depend on the
  // body.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    decodeBody(body),
  );
}

function registerErrorHandler(fastify: FastifyInstance, logger: Logger): void {
  fastify.setErrorHandler((error, request, reply) => {
    // Only the error of the request itself: others with the same code are about connections of ours.
    const hasLeft = request.raw.errored === error;
    const answer = hasLeft ? answerForLeaving(logger) : answerForError(error, logger, request.routeOptions);
    if (answer.code === 'body_too_large') {
      // Otherwise Fastify would close the connection with the answer.
      reply.removeHeader('connection');
      discardBody(request.raw);
    }
    sendError(request, reply, answer);
  });
}

function registerNotFoundHandler(fastify: FastifyInstance, hasWebInterface: boolean): void {
  const answerNotFound = (request: FastifyRequest, reply: FastifyReply): void => {
    if (hasWebInterface && isPageRequest(request)) {
      sendIndexPage(reply);
      return;
    }
    const isKnownMethod = ALL_METHODS.includes(request.method);
    sendError(
      request,
      reply,
      isKnownMethod
        ? errorAnswer('not_found', 'HTTP 404 Not Found')
        : errorAnswer('method_not_allowed', METHOD_NOT_ALLOWED, { allow: ALL_METHODS }),
    );
  };
  fastify.setNotFoundHandler(answerNotFound);
  // Fastify would read the body first.
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.is404) answerNotFound(request, reply);
    else done();
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    route?: Route;
  }
}

function registerRoute(
  fastify: FastifyInstance,
  route: Route,
  context: ContextDeps,
  settings: ApiSettings,
): void {
  const sender = createResultSender(route, settings.validateResponses);

  fastify.route({
    method: route.method,
    url: PREFIX + route.path,
    config: { route },
    bodyLimit: bodyLimitOf(route, settings),
    onRequest: createGate(route, context.authenticator),
    handler(request, reply) {
      const result = route.handler(readRequest(route, context, request, reply));
      if (!(result instanceof Promise)) {
        sender.send(request, reply, result);
        return;
      }
      result
        .then((settled) => sender.send(request, reply, settled))
        .catch((error: unknown) => sendError(request, reply, answerForError(error, context.logger)));
    },
  });
}

function bodyLimitOf({ permission, maxBodySize }: Route, settings: ApiSettings): number {
  const limit = maxBodySize ?? settings.maxBodySize;
  const isPublic = typeof permission === 'object' && permission.kind === 'public';
  return isPublic ? Math.min(limit, MAX_PUBLIC_BODY_SIZE) : limit;
}

/** Validates all parts, so that the answer lists every problem, not just the first. */
function readRequest(
  route: Route,
  context: ContextDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): RequestContext {
  const problems: RequestProblem[] = [];
  const params = route.params && parsePart(route.params, request.params, 'path', problems);
  const query = route.query && parsePart(route.query, request.query, 'query', problems);
  const body = route.body && readBody(route, route.body, request, problems);
  if (problems.length > 0) throw invalidRequest(problems);
  return new RequestContext(context, reply, params, query, body);
}

function readBody(
  route: Route,
  schema: z.ZodType,
  request: FastifyRequest,
  problems: RequestProblem[],
): unknown {
  const text = (request.body as string | undefined) ?? '';
  if (isTextBody(route, request)) return parsePart(schema, text, 'body', problems);
  const json = parseJsonBody(text);
  return route.strictBody
    ? parsePart(schema, json, 'body', problems)
    : parseLenientBody(schema, json, problems);
}
