import { expect, test } from 'vitest';
import { createApiFixture } from '#testing/api-fixture.ts';
import { rootRoutes } from './routes/root.ts';

const routes = rootRoutes({ clusterId: 'c', nodeId: 'n', version: '1' });

test('only configured origins may call across origins', async () => {
  const cors = await createApiFixture(routes, { settings: { corsOrigins: ['https://app.example'] } });
  const preflight = await cors.api.fastify.inject({
    method: 'OPTIONS',
    url: '/api/',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'PUT' },
  });
  expect(preflight.statusCode).toBe(204);
  expect(preflight.headers).toMatchObject({
    'access-control-allow-origin': 'https://app.example',
    'access-control-allow-credentials': 'true',
    'access-control-max-age': '600',
    vary: 'Origin',
  });
  expect(preflight.headers['access-control-allow-headers']).toContain('X-Requested-By');
  const foreign = await cors.api.fastify.inject({
    url: '/api/',
    headers: { origin: 'https://evil.example' },
  });
  expect(foreign.headers).not.toHaveProperty('access-control-allow-origin');
  await cors.api.stop();
});

test('there is no wildcard: an origin that is not listed is never reflected', async () => {
  for (const corsOrigins of [['*'], ['https://app.example', '*']]) {
    const cors = await createApiFixture(routes, { settings: { corsOrigins } });
    for (const method of ['OPTIONS', 'GET'] as const) {
      const { headers } = await cors.api.fastify.inject({
        method,
        url: '/api/',
        headers: { origin: 'https://evil.example' },
      });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
    await cors.api.stop();
  }
});
