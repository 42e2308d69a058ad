import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { NotFoundError } from '#core/index.ts';
import { type OpenApiDocument, openApiDocument } from '../openapi/document.ts';
import { emptyReply, rawReply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';
import { PAGE_HEADERS } from '../security-headers.ts';

/**
 * The OpenAPI document and Swagger UI for it. Both request a login with a Basic challenge, so that the browser has the
 * credentials for "try it out". All files come from this server.
 */

const TAG = 'API documentation';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Millrace API browser</title>
<link rel="stylesheet" href="swagger-ui.css">
<link rel="icon" type="image/png" href="favicon-32x32.png">
</head>
<body>
<div id="swagger-ui"></div>
<script src="swagger-ui-bundle.js"></script>
<script src="start.js"></script>
</body>
</html>
`;

const START_SCRIPT = join(import.meta.dirname, 'api-browser-start.js');
const ASSET_TYPES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};
const ASSET_CACHING = { 'cache-control': 'private, max-age=3600' };

/** `routes` are all other routes of the API. The document describes them and these. */
export function apiBrowserRoutes(routes: readonly Route[], info: { readonly version: string }): Route[] {
  let documentText: string | undefined;

  const documentRoute = defineRoute({
    method: 'GET',
    path: '/openapi.json',
    tag: TAG,
    summary: 'Get the OpenAPI 3.1 document of this API',
    permission: { kind: 'authenticated' },
    responses: { 200: z.looseObject({ openapi: z.string() }) },
    errors: [],
    handler: () => document(),
  });

  /** Built with the first request, because most processes never need it. */
  function document(): OpenApiDocument {
    documentText ??= JSON.stringify(openApiDocument([...routes, documentRoute], info));
    return JSON.parse(documentText) as OpenApiDocument;
  }

  return [documentRoute, pageRoute(), assetRoute()];
}

function pageRoute(): Route {
  return defineRoute({
    method: 'GET',
    path: '/api-browser',
    tag: TAG,
    summary: 'Show the API browser',
    permission: { kind: 'authenticated' },
    responses: { 200: { contentType: 'text/html', description: 'The page' }, 302: null },
    errors: [],
    undocumented: true,
    handler: ({ path }) =>
      // The page's links are relative, so its URL must end with a slash.
      path.endsWith('/')
        ? rawReply(200, 'text/html; charset=utf-8', PAGE, PAGE_HEADERS)
        : emptyReply(302, { location: '/api/api-browser/' }),
  });
}

function assetRoute(): Route {
  const require = createRequire(import.meta.url);
  let directory: string | undefined;
  return defineRoute({
    method: 'GET',
    path: '/api-browser/:file',
    tag: TAG,
    summary: 'Get a file of the API browser',
    permission: { kind: 'authenticated' },
    params: z.object({ file: z.string() }),
    responses: { 200: { contentType: '*/*', description: 'The file' } },
    errors: ['not_found'],
    undocumented: true,
    handler: ({ params }) => {
      if (params.file === 'start.js') {
        return rawReply(200, 'text/javascript; charset=utf-8', createReadStream(START_SCRIPT), ASSET_CACHING);
      }
      const contentType = Object.hasOwn(ASSET_TYPES, params.file) ? ASSET_TYPES[params.file] : undefined;
      if (contentType === undefined) throw new NotFoundError('HTTP 404 Not Found');
      directory ??= dirname(require.resolve('swagger-ui-dist/package.json'));
      return rawReply(200, contentType, createReadStream(join(directory, params.file)), ASSET_CACHING);
    },
  });
}
