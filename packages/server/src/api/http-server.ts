import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { ERROR_CODE_HEADER, type ErrorCode } from '@millrace/contract';
import { errorCode } from '#core/index.ts';
import { errorAnswer } from './error-answer.ts';
import type { ApiSettings } from './settings.ts';

/** How often Node looks for connections that ran out of time. */
const MAX_CHECK_INTERVAL_MS = 5000;
const LONGEST_DISCARD_MS = 5000;

/** The socket side of the API: limits and timeouts that hold before any request exists. */
export function createHttpOrHttpsServer(settings: ApiSettings, listener: RequestListener): Server {
  const options: ServerOptions = {
    maxHeaderSize: settings.maxHeaderSize,
    headersTimeout: settings.headersTimeoutMs,
    requestTimeout: settings.requestTimeoutMs,
    keepAliveTimeout: settings.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(MAX_CHECK_INTERVAL_MS, settings.headersTimeoutMs),
    noDelay: true,
  };
  const server =
    settings.tls === undefined
      ? createHttpServer(options, listener)
      : createHttpsServer({ ...options, ...tlsOptions(settings.tls) }, listener);
  server.maxConnections = settings.maxConnections;
  return server;
}

function tlsOptions(tls: NonNullable<ApiSettings['tls']>) {
  return {
    cert: tls.certificate,
    key: tls.key.reveal(),
    ...(tls.keyPassword === undefined ? {} : { passphrase: tls.keyPassword.reveal() }),
    minVersion: 'TLSv1.2' as const,
  };
}

/**
 * Reads the rest of a body that nobody wants and throws it away. Closing the connection at once would make the
 * kernel reset it, and a client that is still sending would report that instead of the answer. Who sends for
 * longer than a moment is cut off.
 */
export function discardBody(request: IncomingMessage): void {
  const cutOff = setTimeout(() => request.socket.destroy(), LONGEST_DISCARD_MS);
  cutOff.unref();
  request.once('close', () => clearTimeout(cutOff));
  request.resume();
}

/** Answers a client whose request could not even be read, in the same shape as every other error. */
export function answerUnreadableRequest(error: unknown, socket: Socket, nodeId: string): void {
  if (errorCode(error) === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, code, body } = unreadableAnswer(errorCode(error));
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status]}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n` +
      `X-Graylog-Node-ID: ${nodeId}\r\n${ERROR_CODE_HEADER}: ${code}\r\nConnection: close\r\n\r\n${text}`,
  );
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function unreadableAnswer(code: string | undefined) {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return errorAnswer(
        'headers_too_large',
        'The request line and headers are larger than http_max_header_size.',
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return errorAnswer('request_timeout', 'The request did not arrive in time.');
    default:
      return errorAnswer('malformed_request' satisfies ErrorCode, 'The request is not valid HTTP.');
  }
}
