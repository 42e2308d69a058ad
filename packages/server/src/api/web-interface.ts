import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import staticFiles from '@fastify/static';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FILE_PAGE_HEADERS, noncePageHeaders } from './security-headers.ts';

/** These file names contain a hash of the content, so the files never change. */
const HASHED_ASSETS = '/assets/';
const YEAR_SECONDS = 365 * 24 * 3600;
const INDEX_PAGE = 'index.html';
/** The build writes this where a nonce belongs: `html.cspNonce` in the web interface's vite.config.ts. */
const NONCE_PLACEHOLDER = /__CSP_NONCE__/g;
const NONCE_BYTES = 18;

declare module 'fastify' {
  interface FastifyInstance {
    /** The text of the index page. Read for every answer, because a rebuild may replace it while the node runs. */
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
  await fastify.register(async (files) => {
    files.setErrorHandler(answerUnmetCondition);
    await registerFiles(files, directory);
  });
}

async function registerFiles(fastify: FastifyInstance, directory: string): Promise<void> {
  await fastify.register(staticFiles, {
    root: directory,
    prefix: '/',
    // Folders of the documentation have a page of their own; without the slash its links would lead elsewhere.
    index: INDEX_PAGE,
    redirect: true,
    cacheControl: false,
    dotfiles: 'ignore',
    setHeaders(reply, file) {
      reply.header(
        'cache-control',
        file.includes(HASHED_ASSETS) ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
      );
      if (file.endsWith('.html')) {
        for (const [name, value] of Object.entries(FILE_PAGE_HEADERS)) reply.header(name, value);
      }
    },
  });
}

/** A file that differs from `If-Match`, or has no such `Range`, is no fault of the server. */
function answerUnmetCondition(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  if (error.statusCode !== 412 && error.statusCode !== 416) throw error;
  reply.code(error.statusCode).send();
}

/** Paths of the single-page application: every page that a browser requests outside the API. */
export function isPageRequest(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  return !isApiPath(request.url) && acceptsHtml(request);
}

export function acceptsHtml(request: { readonly headers: Readonly<Record<string, unknown>> }): boolean {
  return String(request.headers.accept ?? '').includes('text/html');
}

/** Sends the index page with a new nonce, in the policy and wherever the build left a placeholder. */
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
