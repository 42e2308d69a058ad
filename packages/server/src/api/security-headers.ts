import type { FastifyReply } from 'fastify';

/** Scripts only from here. `styles` says what may style the page beside our own files. */
function pagePolicy(styles: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' ${styles}`,
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** For everything that is not a page: nothing in it may run, whatever a browser takes it for. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** On every answer. A page replaces the policy with its own. */
export function setSecurityHeaders(reply: FastifyReply): void {
  reply.header('x-content-type-options', 'nosniff');
  reply.header('content-security-policy', DATA_POLICY);
}

/** What the API browser has instead: its library writes styles into the page. */
export const PAGE_HEADERS = pageHeaders(pagePolicy("'unsafe-inline'"));

/**
 * What a page of the web interface has instead. Style elements need the nonce of this one answer, so text that
 * somehow becomes markup cannot style the page either.
 */
export function noncePageHeaders(nonce: string) {
  return pageHeaders(pagePolicy(`'nonce-${nonce}'`));
}

function pageHeaders(policy: string) {
  return {
    'content-security-policy': policy,
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  } as const;
}
