import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PAGE_HEADERS } from './security-headers.ts';

/** File names there carry a hash of their content, so they never change. */
const HASHED_ASSETS = '/assets/';
const YEAR_SECONDS = 365 * 24 * 3600;

/** Serves the built web interface at `/`. */
export async function registerWebInterface(fastify: FastifyInstance, directory: string): Promise<void> {
  await fastify.register(staticFiles, {
    root: directory,
    prefix: '/',
    cacheControl: false,
    dotfiles: 'ignore',
    setHeaders(reply, path) {
      reply.headers(PAGE_HEADERS);
      reply.header(
        'cache-control',
        path.includes(HASHED_ASSETS) ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
      );
    },
  });
}

/** Paths of the single-page application: everything that a browser asks for as a page, but for the API. */
export function isPageRequest(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  return !isApiPath(request.url) && acceptsHtml(request);
}

export function acceptsHtml(request: { readonly headers: Readonly<Record<string, unknown>> }): boolean {
  return String(request.headers.accept ?? '').includes('text/html');
}

export function sendIndexPage(reply: FastifyReply): void {
  reply.code(200).sendFile('index.html');
}

function isApiPath(url: string): boolean {
  return /^\/+api(?:[/?]|$)/.test(url);
}
