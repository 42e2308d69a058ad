import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { startHttpReceiver } from '#testing/http-receiver.ts';
import { anIdentified, anOutput, outputProblems } from '#testing/output-fixture.ts';
import { RefusedError, RetryAfterError } from '../output.ts';

const UNCOMPRESSED = { compression: 'none' };

test('a batch is a JSON object on each line, with headers and a bearer token', async () => {
  const receiver = await startHttpReceiver();
  const { send } = anOutput('http', {
    url: `${receiver.url}ingest?a=1`,
    headers: [{ name: 'X-Tenant', value: 'ops' }],
    secret_headers: [{ name: 'X-Key', value: 's3cret' }],
    bearer_token: 'abc',
    ...UNCOMPRESSED,
  });
  await send(anIdentified(1, { count: 7, ok: true }), anIdentified(2));
  const [call] = receiver.calls;
  expect(call).toMatchObject({
    method: 'POST',
    path: '/ingest?a=1',
    headers: {
      'content-type': 'application/x-ndjson',
      authorization: 'Bearer abc',
      'x-tenant': 'ops',
      'x-key': 's3cret',
    },
  });
  expect(
    call?.body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ message: 'message 1', count: 7, ok: true }, { message: 'message 2' }]);
});

test('a batch can be a JSON array, put with a user name and a password', async () => {
  const receiver = await startHttpReceiver();
  const { send } = anOutput('http', {
    url: receiver.url,
    format: 'json',
    method: 'PUT',
    basic_auth_username: 'mill',
    basic_auth_password: 'räder',
    ...UNCOMPRESSED,
  });
  await send(anIdentified(1), anIdentified(2));
  const [call] = receiver.calls;
  expect(call?.method).toBe('PUT');
  expect(call?.headers.authorization).toBe(`Basic ${Buffer.from('mill:räder').toString('base64')}`);
  expect(JSON.parse(call?.body ?? '')).toMatchObject([{ message: 'message 1' }, { message: 'message 2' }]);
});

test('batches are compressed unless told otherwise', async () => {
  const { createServer } = await import('node:http');
  const bodies: Buffer[] = [];
  const server = createServer(async (request, response) => {
    expect(request.headers['content-encoding']).toBe('gzip');
    bodies.push(Buffer.concat(await request.toArray()));
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const { send, output } = anOutput('http', { url: `http://127.0.0.1:${port}/` });
  await send(anIdentified(1));
  expect(JSON.parse(gunzipSync(bodies[0] ?? '').toString())).toMatchObject({ message: 'message 1' });
  await output.close(AbortSignal.timeout(1000));
  server.close();
});

test('the status decides whether messages are sent again, and Retry-After when', async () => {
  const receiver = await startHttpReceiver();
  const { send } = anOutput('http', { url: receiver.url, refused_statuses: [400, 418] });
  receiver.answer(418, {}, 'a teapot');
  await expect(send(anIdentified(1))).rejects.toThrow(new RefusedError('the server answered 418: a teapot'));
  receiver.answer(503, { 'retry-after': '7' });
  await expect(send(anIdentified(1))).rejects.toMatchObject({ name: 'RetryAfterError', delayMs: 7000 });
  receiver.answer(503, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() });
  const later = await send(anIdentified(1)).catch((error: unknown) => error);
  expect(later).toBeInstanceOf(RetryAfterError);
  // At most a quarter of an hour, whatever the server asks for.
  expect((later as RetryAfterError).delayMs).toBe(900_000);
  receiver.answer(401);
  const unauthorized = await send(anIdentified(1)).catch((error: unknown) => error);
  expect(unauthorized).not.toBeInstanceOf(RefusedError);
  expect(unauthorized).toMatchObject({ message: 'the server answered 401' });
});

test('what does not fit together is named', () => {
  const url = 'http://127.0.0.1/';
  expect(outputProblems('http', { url, basic_auth_password: 'x' })).toEqual([
    'basic_auth_username is missing: whose password is it?',
  ]);
  expect(outputProblems('http', { url, basic_auth_username: 'a', bearer_token: 'b' })).toEqual([
    'bearer_token must be empty when there is a user name',
  ]);
  expect(outputProblems('http', { url, headers: [{ name: 'A', value: 'b\r\nC: d' }] })).toEqual([
    'headers[0].value has characters that an HTTP header cannot have',
  ]);
  expect(outputProblems('http', { url, bearer_token: 'a\nb' })).toHaveLength(1);
  expect(outputProblems('http', { url: 'ftp://example.org/' })).toHaveLength(1);
});
