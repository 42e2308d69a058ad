import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Clock, errorCode } from '#core/index.ts';

export interface Refusal {
  readonly status: number;
  /** A sentence that says what is wrong and what to do. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How long the rest of a refused body is read, so that its sender gets the answer and not a reset. */
const LINGER_MS = 2000;

export function errorBody(message: string): string {
  return JSON.stringify({ type: 'ApiError', message });
}

/** The answer to a plain request, as Node's server would write it; the last one of a connection says so. */
export function createAcceptedAnswer(clock: Clock, idleTimeoutMs: number): (isLast: boolean) => string {
  const keepAlive = idleTimeoutMs > 0 ? `Keep-Alive: timeout=${Math.floor(idleTimeoutMs / 1000)}\r\n` : '';
  let second = Number.NaN;
  let answer = '';
  let lastAnswer = '';
  return (isLast) => {
    const now = Math.floor(clock.now() / 1000);
    if (now !== second) {
      second = now;
      const date = new Date(now * 1000).toUTCString();
      const start = `HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nDate: ${date}\r\n`;
      answer = `${start}Connection: keep-alive\r\n${keepAlive}\r\n`;
      lastAnswer = `${start}Connection: close\r\n\r\n`;
    }
    return isLast ? lastAnswer : answer;
  };
}

/** Answers a request whose body was read or has none; the connection stays usable. */
export function refuse(response: ServerResponse, { status, message, headers }: Refusal): void {
  const body = errorBody(message);
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}

/** Answers a request of which only the head was looked at. */
export function refuseUnread(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  const { 'content-length': length = '0', 'transfer-encoding': transferEncoding } = request.headers;
  if (length === '0' && transferEncoding === undefined) refuse(response, refusal);
  else refuseAndClose(request, response, refusal);
}

/**
 * Answers a request whose body was not read, or not to its end, and closes the connection. Closing at once
 * would make the kernel reset it, and many clients would report a broken connection instead of the answer. So the
 * rest is read and discarded for a moment.
 */
export function refuseAndClose(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  const body = errorBody(refusal.message);
  response.writeHead(refusal.status, {
    ...refusal.headers,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  response.write(body);
  const timer = setTimeout(close, LINGER_MS);
  timer.unref();
  function close(): void {
    clearTimeout(timer);
    response.end();
  }
  request.on('end', close);
  request.on('close', close);
  request.on('error', close);
  request.resume();
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

/** Answers a client whose request could not even be read. */
export function refuseUnreadable(error: unknown, socket: Socket): void {
  const code = errorCode(error);
  if (code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] =
    code === 'HPE_HEADER_OVERFLOW'
      ? ([431, 'The request line and headers are too large.'] as const)
      : code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ([408, 'The request did not arrive in time.'] as const)
        : ([400, 'The request is not valid HTTP.'] as const);
  const body = errorBody(message);
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
