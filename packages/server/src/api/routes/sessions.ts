import {
  createSessionSchema,
  sessionIdParameter,
  sessionSchema,
  sessionValiditySchema,
} from '@millrace/contract';
import { z } from 'zod';
import type { Sessions } from '#auth/index.ts';
import { DEVICE_COOKIE, isAuthenticationFailure, SESSION_COOKIE } from '#core/index.ts';
import { cookieValue } from '../gate.ts';
import { emptyReply, reply } from '../reply.ts';
import { defineRoute, type Route } from '../route.ts';

const tag = 'Sessions';

export function sessionRoutes({ sessions }: { readonly sessions: Sessions }): Route[] {
  return [createRoute(sessions), validateRoute(), ...endRoutes(sessions)];
}

function createRoute(sessions: Sessions): Route {
  return defineRoute({
    method: 'POST',
    path: '/system/sessions',
    tag,
    summary: 'Log in and create a session',
    description:
      'The session ends when it has not been used for the user’s session_timeout_ms. Send its id as the user name with the password `session`, or let the browser send the cookie.',
    permission: { kind: 'public' },
    body: createSessionSchema,
    responses: { 200: sessionSchema },
    errors: ['unauthenticated', 'too_many_requests'],
    handler: async ({ body, headers, remoteAddress, isSecure }) => {
      const { username, password } = body;
      const known = cookieValue(headers.cookie?.toString(), DEVICE_COOKIE);
      const attempt = { username, password, remoteAddress, deviceCookie: known };
      const { session, deviceCookie } = await sessions.logIn(attempt);
      return reply(200, session, {
        'set-cookie': [
          sessionCookie(session.session_id, isSecure),
          knownDeviceCookie(deviceCookie, isSecure),
        ],
      });
    },
  });
}

function validateRoute(): Route {
  return defineRoute({
    method: 'GET',
    path: '/system/sessions',
    tag,
    summary: 'Check whether the credentials of this request are valid',
    description:
      'Always answers 200; `is_valid` is true if the session, token or password would be accepted.',
    permission: { kind: 'public' },
    responses: { 200: sessionValiditySchema },
    errors: [],
    handler: async (request) => {
      const caller = await request.authenticate();
      if (isAuthenticationFailure(caller)) return { is_valid: false, session_id: null, username: null };
      return { is_valid: true, session_id: caller.sessionId ?? null, username: caller.username };
    },
  });
}

function endRoutes(sessions: Sessions): Route[] {
  return [
    defineRoute({
      method: 'DELETE',
      path: '/system/sessions/:sessionId',
      tag,
      summary: 'End one of your own sessions',
      description: 'It becomes invalid immediately on every node.',
      permission: { kind: 'authenticated' },
      params: z.object({ sessionId: sessionIdParameter }),
      responses: { 204: null },
      errors: ['not_found'],
      secretParams: ['sessionId'],
      handler: async (request) => {
        const { sessionId } = request.params;
        await sessions.end(request, sessionId);
        return emptyReply(
          204,
          request.principal.sessionId === sessionId ? expiredCookie(request.isSecure) : {},
        );
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/system/sessions',
      tag,
      summary: 'End the session of this request',
      permission: { kind: 'authenticated' },
      responses: { 204: null },
      errors: ['not_found'],
      handler: async (request) => {
        await sessions.end(request, undefined);
        return emptyReply(204, expiredCookie(request.isSecure));
      },
    }),
  ];
}

/**
 * No Max-Age: the server decides when the session ends, and every use extends it. Strict, because no other site has a
 * reason to send requests here on behalf of a user.
 */
function sessionCookie(sessionId: string, isSecure: boolean): string {
  return `${SESSION_COOKIE}=${sessionId}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}

const KNOWN_DEVICE_SECONDS = 180 * 86_400;

/** Stays when the session ends: its purpose is the next login. */
function knownDeviceCookie(value: string, isSecure: boolean): string {
  return `${DEVICE_COOKIE}=${value}; Path=/api; Max-Age=${KNOWN_DEVICE_SECONDS}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
}

function expiredCookie(isSecure: boolean): { 'set-cookie': string } {
  return { 'set-cookie': `${sessionCookie('', isSecure)}; Max-Age=0` };
}
