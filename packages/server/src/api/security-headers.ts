import type { FastifyReply } from 'fastify';

/** Allows only our own scripts. `styles` is what may style the page besides our own files. */
function pagePolicy(styles: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' ${styles}`.trim(),
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

/** For everything that is not a page: nothing in it may run, even if a browser treats it as a page. */
const DATA_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** For every answer. A page replaces the policy with its own. */
export function setSecurityHeaders(reply: FastifyReply): void {
  reply.header('x-content-type-options', 'nosniff');
  reply.header('content-security-policy', DATA_POLICY);
}

/** For the API browser, whose library writes styles into the page. */
export const PAGE_HEADERS = pageHeaders(pagePolicy("'unsafe-inline'"));

/** For pages that are files, such as the documentation: nothing but our own files. */
export const FILE_PAGE_HEADERS = pageHeaders(pagePolicy(''));

/**
 * For pages of the web interface. Style elements need the nonce of this answer, so that text which somehow becomes
 * markup cannot style the page.
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
