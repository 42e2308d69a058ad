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

/** How often Node checks for connections that have timed out. */
const MAX_CHECK_INTERVAL_MS = 5000;
const MAX_DISCARD_MS = 5000;

/** Applies the limits and timeouts that protect the socket before there is a request. */
export function createHttpOrHttpsServer(settings: ApiSettings, listener: RequestListener): Server {
  const options: ServerOptions = {
    maxHeaderSize: settings.maxHeaderSize,
    headersTimeout: settings.headersTimeoutMs,
    requestTimeout: settings.requestTimeoutMs,
    keepAliveTimeout: settings.keepAliveTimeoutMs,
    connectionsCheckingInterval: Math.min(MAX_CHECK_INTERVAL_MS, settings.headersTimeoutMs),
    noDelay: true,
    // Asked for together with what else HTTP demands, so that the client gets a reason.
    requireHostHeader: false,
  };
  const server =
    settings.tls === undefined
      ? createHttpServer(options, listener)
      : createHttpsServer({ ...options, ...tlsOptions(settings.tls) }, listener);
  server.on('checkExpectation', listener);
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
 * Reads and drops the rest of an unwanted body. If the connection were closed immediately, the kernel would reset it,
 * and a client that is still sending would report the reset instead of the answer. A client that keeps sending is
 * disconnected.
 */
export function discardBody(request: IncomingMessage): void {
  const timeout = setTimeout(() => request.destroy(), MAX_DISCARD_MS);
  timeout.unref();
  request.once('close', () => clearTimeout(timeout));
  request.resume();
}

/** Answers a request that cannot be parsed, in the same shape as every other error. */
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
