import { expect, test } from 'vitest';
import { z } from 'zod';
import { createApiFixture, fixtureAuthenticator } from '#testing/api-fixture.ts';
import { defineRoute } from './route.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'],
  ['[2001:db8::1]:51234', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['2001:db8::1:443', '2001:db8::1:443'],
  ['unknown', 'unknown'],
])('a proxy that writes %s means the client %s', async (forwardedFor, expected) => {
  const counted: string[] = [];
  const { authenticate } = fixtureAuthenticator({});
  const route = defineRoute({
    tag: 'Test',
    method: 'GET',
    path: '/address',
    summary: 'Address',
    permission: { kind: 'public' },
    responses: { 200: z.strictObject({ address: z.string() }) },
    errors: [],
    async handler(request) {
      await request.authenticate();
      return { address: request.remoteAddress };
    },
  });
  const { api } = await createApiFixture([route], {
    settings: { trustedProxies: ['127.0.0.1'] },
    authenticator: {
      authenticate(attempt) {
        counted.push(attempt.remoteAddress);
        return authenticate(attempt);
      },
    },
  });
  const headers = { 'x-forwarded-for': forwardedFor };
  const answer = await api.fastify.inject({ url: '/api/address', headers });
  expect([answer.json(), counted]).toEqual([{ address: expected }, [expected]]);
  await api.stop();
});
