import { ERROR_CODES, type ErrorCode } from '@millrace/contract';
import type { Route } from './route.ts';

/** Every error code a route can answer with: its own and those that follow from its declaration. Sorted by status. */
export function errorCodesOf(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>(route.errors);
  const isPublic = typeof route.permission === 'object' && route.permission.kind === 'public';
  if (!isPublic) codes.add('malformed_credentials').add('unauthenticated').add('too_many_requests');
  if (typeof route.permission === 'string') codes.add('forbidden');
  if (route.method !== 'GET') codes.add('csrf_header_missing');
  if (route.params || route.query || route.body) codes.add('invalid_request');
  if (route.body) codes.add('malformed_body').add('body_too_large').add('unsupported_media_type');
  codes.add('internal_error').add('unavailable');
  return [...codes].sort((a, b) => ERROR_CODES[a].status - ERROR_CODES[b].status);
}
