import { Readable } from 'node:stream';
import { ERROR_CODE_HEADER } from '@millrace/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { csvLine } from '#core/index.ts';
import { preferredType } from './accept.ts';
import type { ErrorAnswer } from './error-answer.ts';
import type { AnyReply } from './reply.ts';
import { checkResponse } from './response-check.ts';
import { isAnyReply, type Route } from './route.ts';

const JSON_TYPE = 'application/json';
const CSV_TYPE = 'text/csv';
const PRETTY_VALUES: ReadonlySet<string> = new Set(['true', '', '1']);
const REALM = 'Basic realm="Millrace Server"';

/** `?pretty=true` in any case, `?pretty=1` and a bare `?pretty` request indented JSON. */
export function wantsPretty(request: FastifyRequest): boolean {
  const { pretty } = (request.query ?? {}) as { pretty?: unknown };
  return typeof pretty === 'string' && PRETTY_VALUES.has(pretty.toLowerCase());
}

export function isXmlHttpRequest(request: FastifyRequest): boolean {
  return request.headers['x-requested-with'] === 'XMLHttpRequest';
}

export interface ResultSender {
  /** The status of a plain result: the first one that the route declares. */
  readonly status: number;
  send(request: FastifyRequest, reply: FastifyReply, result: unknown): void;
}

/** Sends what the handler of a route returned. */
export function createResultSender(route: Route, validateResponses: boolean): ResultSender {
  const status = Number(Object.keys(route.responses)[0] ?? 200);

  function sendJson(request: FastifyRequest, reply: FastifyReply, answerStatus: number, body: unknown): void {
    if (validateResponses) checkResponse(route, answerStatus, body);
    reply.code(answerStatus);
    if (body === undefined) {
      reply.send();
      return;
    }
    reply.header('content-type', JSON_TYPE);
    reply.send(wantsPretty(request) ? JSON.stringify(body, null, 2) : JSON.stringify(body));
  }

  function sendReply(request: FastifyRequest, reply: FastifyReply, answer: AnyReply): void {
    for (const name in answer.headers) reply.header(name, answer.headers[name]);
    if (answer.raw === undefined) {
      sendJson(request, reply, answer.status, answer.body);
      return;
    }
    if (validateResponses && !isAlternative(route, answer)) checkResponse(route, answer.status, undefined);
    reply.code(answer.status);
    // HEAD: nobody reads the stream, so an endless one would never be released.
    if (request.method === 'HEAD' && answer.raw instanceof Readable) {
      answer.raw.destroy();
      reply.send();
      return;
    }
    reply.send(answer.raw);
  }

  return {
    status,
    send(request, reply, result) {
      if (isAnyReply(result)) sendReply(request, reply, result);
      else sendJson(request, reply, status, result);
    },
  };
}

function isAlternative({ alternatives }: Route, { headers }: AnyReply): boolean {
  const type = String(headers['content-type']).split(';')[0] ?? '';
  return alternatives !== undefined && Object.hasOwn(alternatives, type);
}

export function sendError(request: FastifyRequest, reply: FastifyReply, answer: ErrorAnswer): void {
  reply.code(answer.status);
  reply.header(ERROR_CODE_HEADER, answer.code);
  for (const name in answer.headers) reply.header(name, answer.headers[name]);
  if (answer.body === undefined) {
    // For a script's request, this header would make the browser open its own login dialog.
    if (!isXmlHttpRequest(request)) reply.header('www-authenticate', REALM);
    reply.removeHeader('content-type');
    reply.send();
    return;
  }
  if (preferredType(request.headers.accept, [JSON_TYPE, CSV_TYPE]) === CSV_TYPE) {
    reply.header('content-type', CSV_TYPE);
    reply.send(errorCsv(answer.body));
    return;
  }
  reply.header('content-type', JSON_TYPE);
  reply.send(wantsPretty(request) ? JSON.stringify(answer.body, null, 2) : JSON.stringify(answer.body));
}

/** Two columns, as in Graylog's answer to a client that requests CSV. */
function errorCsv(body: Readonly<Record<string, unknown>>): string {
  return csvLine(['type', 'message']) + csvLine([String(body.type), String(body.message)]);
}
