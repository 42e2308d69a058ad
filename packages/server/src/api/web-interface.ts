import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { noncePageHeaders } from './security-headers.ts';

/** File names there carry a hash of their content, so they never change. */
const HASHED_ASSETS = '/assets/';
const YEAR_SECONDS = 365 * 24 * 3600;
const INDEX_PAGE = 'index.html';
/** What the build writes where a nonce belongs; `html.cspNonce` in the web interface's vite.config.ts. */
const NONCE_PLACEHOLDER = /__CSP_NONCE__/g;
const NONCE_BYTES = 18;

declare module 'fastify' {
  interface FastifyInstance {
    /** The text of the index page; read for every answer, since a rebuild replaces it while the node runs. */
    readIndexPage?: () => Promise<string>;
  }
}

/** Serves the built web interface at `/`. */
export async function registerWebInterface(fastify: FastifyInstance, directory: string): Promise<void> {
  const indexFile = path.join(directory, INDEX_PAGE);
  fastify.decorate('readIndexPage', () => readFile(indexFile, 'utf8'));
  for (const url of ['/', `/${INDEX_PAGE}`]) {
    fastify.get(url, (_request, reply) => {
      sendIndexPage(reply);
    });
  }
  await fastify.register(staticFiles, {
    root: directory,
    prefix: '/',
    index: false,
    cacheControl: false,
    dotfiles: 'ignore',
    setHeaders(reply, file) {
      reply.header(
        'cache-control',
        file.includes(HASHED_ASSETS) ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
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

/** The index page with a nonce of its own, in the policy and wherever the build left room for it. */
export function sendIndexPage(reply: FastifyReply): void {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  const page = reply.server.readIndexPage?.() ?? Promise.reject(new Error('there is no web interface'));
  page.then(
    (text) =>
      reply
        .code(200)
        .headers({
          ...noncePageHeaders(nonce),
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-cache',
        })
        .send(text.replace(NONCE_PLACEHOLDER, nonce)),
    (error: Error) => reply.send(error),
  );
}

function isApiPath(url: string): boolean {
  return /^\/+api(?:[/?]|$)/.test(url);
}
