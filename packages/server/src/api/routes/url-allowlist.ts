import {
  urlAllowlistSchema,
  urlCheckRequestSchema,
  urlCheckSchema,
  urlRegexRequestSchema,
  urlRegexSchema,
} from '@millrace/contract';
import { type UrlAllowlist, urlRegex } from '#system/service.ts';
import { defineRoute, type Route } from '../route.ts';

export interface UrlAllowlistRouteDeps {
  readonly urlAllowlist: UrlAllowlist;
}

const tag = 'System/UrlAllowlist';
/** Graylog 7 has renamed it. Clients of both ask. */
const PATHS = ['/system/urlallowlist', '/system/urlwhitelist'] as const;

export function urlAllowlistRoutes({ urlAllowlist }: UrlAllowlistRouteDeps): Route[] {
  return PATHS.flatMap((path) => [
    defineRoute({
      method: 'GET',
      path,
      tag,
      summary: 'Get the URLs that notifications, outputs and lookup tables may call',
      permission: 'urlwhitelist:read',
      responses: { 200: urlAllowlistSchema },
      errors: [],
      handler: () => urlAllowlist.view(),
    }),
    defineRoute({
      method: 'PUT',
      path,
      tag,
      summary: 'Replace the URLs that notifications, outputs and lookup tables may call',
      permission: 'urlwhitelist:write',
      body: urlAllowlistSchema,
      responses: { 204: null },
      errors: [],
      handler: (request) => urlAllowlist.replace(request, request.body),
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/check`,
      tag,
      summary: 'Ask whether a URL may be called',
      permission: { kind: 'authenticated' },
      body: urlCheckRequestSchema,
      responses: { 200: urlCheckSchema },
      errors: [],
      handler({ body: { url } }) {
        const isAllowed = urlAllowlist.isAllowed(url);
        return { url, is_allowlisted: isAllowed, is_whitelisted: isAllowed };
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/generate_regex`,
      tag,
      summary: 'Make a regular expression for the URLs of a template',
      permission: { kind: 'authenticated' },
      body: urlRegexRequestSchema,
      responses: { 200: urlRegexSchema },
      errors: [],
      handler: ({ body }) => ({ regex: urlRegex(body.url_template, body.placeholder ?? undefined) }),
    }),
  ]);
}
