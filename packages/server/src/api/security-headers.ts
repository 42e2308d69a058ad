import type { FastifyReply } from 'fastify';

/** Scripts only from here; styles also inline, since the chart, editor and API browser libraries write them. */
const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** For everything that is not a page: nothing in it may run, whatever a browser takes it for. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** On every answer. A page replaces the policy with its own. */
export function setSecurityHeaders(reply: FastifyReply): void {
  reply.header('x-content-type-options', 'nosniff');
  reply.header('content-security-policy', DATA_POLICY);
}

/** What a page has instead. */
export const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;
