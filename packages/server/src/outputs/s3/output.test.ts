import { createHash, createHmac } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { anIdentified, anOutput, outputProblems } from '#testing/output-fixture.ts';
import { RefusedError } from '../output.ts';

const SECRET = 'the/secret+key';
const NO_BODY = '';

/** Keeps objects that are signed as Amazon describes it for version 4, and refuses all others. */
async function startStorage() {
  const objects = new Map<string, Buffer>();
  let answer: { status: number; body: string } | undefined;
  const server = http.createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    const url = new URL(request.url ?? '', `http://${request.headers.host}`);
    const expected = signature(request, url, body);
    if (answer !== undefined) response.writeHead(answer.status).end(answer.body);
    else if (!request.headers.authorization?.endsWith(`Signature=${expected}`)) {
      response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
    } else {
      objects.set(decodeURIComponent(url.pathname), body);
      response.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    objects,
    answerWith(status: number, body = NO_BODY) {
      answer = { status, body };
    },
  };
}

type SignedRequest = Pick<http.IncomingMessage, 'method' | 'headers'>;

function signature({ method, headers }: SignedRequest, url: URL, body: Buffer, secret = SECRET): string {
  const [, scope = '', names = ''] =
    /Credential=[^/]+\/([^,]+), ?SignedHeaders=([^,]+),/.exec(headers.authorization ?? '') ?? [];
  const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex');
  if (headers['x-amz-content-sha256'] !== sha256(body)) return 'the body is another one';
  const canonical = [
    method,
    url.pathname,
    NO_BODY,
    ...names.split(';').map((name) => `${name}:${String(headers[name])}`),
    NO_BODY,
    names,
    sha256(body),
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  let key: Buffer | string = `AWS4${secret}`;
  for (const part of [...scope.split('/'), text]) key = createHmac('sha256', key).update(part).digest();
  return Buffer.from(key).toString('hex');
}

test('the storage of these tests computes the signature that Amazon publishes for an example', () => {
  const names = 'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class';
  const headers = {
    date: 'Fri, 24 May 2013 00:00:00 GMT',
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    'x-amz-date': '20130524T000000Z',
    'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    authorization: `AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},Signature=`,
  };
  const url = new URL('https://examplebucket.s3.amazonaws.com/test%24file.text');
  const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
  expect(signature({ method: 'PUT', headers }, url, Buffer.from('Welcome to Amazon S3.'), secret)).toBe(
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  );
});

const configurationOf = (endpoint: string, changes: Record<string, unknown> = {}) => ({
  endpoint,
  bucket: 'logs',
  region: 'eu-central-1',
  access_key_id: 'KEY',
  secret_access_key: SECRET,
  ...changes,
});

test('a batch is a compressed object, and replaces itself when it is sent again', async () => {
  const storage = await startStorage();
  const { send } = anOutput(
    's3',
    configurationOf(storage.endpoint, { object_key: 'day={yyyy}-{mm}-{dd}/{hh}/{worker}-{id}.gz' }),
  );
  await send(anIdentified(1), anIdentified(2));
  await send(anIdentified(1), anIdentified(2));
  const [[name, bytes] = ['', Buffer.alloc(0)], ...others] = storage.objects;
  expect(others).toEqual([]);
  expect(name).toBe(`/logs/day=2026-01-01/00/0-${anIdentified(1).id}.gz`);
  const lines = gunzipSync(bytes).toString().trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).message)).toEqual(['message 1', 'message 2']);
});

test('outputs that share a bucket and a first message replace none of each other’s objects', async () => {
  const storage = await startStorage();
  const outputs = ['a', 'b'].map((outputId) =>
    anOutput('s3', configurationOf(storage.endpoint), { outputId: outputId.repeat(24) }),
  );
  for (const [index, { send }] of outputs.entries()) await send(anIdentified(1), anIdentified(2 + index));
  expect(storage.objects.size).toBe(2);
});

test('wrong credentials and a missing bucket are no fault of the messages', async () => {
  const storage = await startStorage();
  const wrong = anOutput('s3', configurationOf(storage.endpoint, { secret_access_key: 'wrong' }));
  const error = await wrong.send(anIdentified(1)).catch((reason: unknown) => reason);
  expect(error).not.toBeInstanceOf(RefusedError);
  expect(error).toMatchObject({
    message: expect.stringContaining('403: <Error><Code>SignatureDoesNotMatch'),
  });
  storage.answerWith(404, 'NoSuchBucket');
  const { send } = anOutput('s3', configurationOf(storage.endpoint));
  await expect(send(anIdentified(1))).rejects.not.toBeInstanceOf(RefusedError);
  storage.answerWith(413);
  await expect(send(anIdentified(1))).rejects.toBeInstanceOf(RefusedError);
});

test('names of objects are checked', () => {
  const problems = (object_key: string) =>
    outputProblems('s3', configurationOf('https://s3.example.org/', { object_key }));
  expect(problems('a/{yyyy}/{id}.ndjson.gz')).toEqual([]);
  for (const key of [
    'a/b',
    '{day}/{id}',
    '/{id}',
    '../{id}',
    'a/../{id}',
    'a//{id}',
    'a?b/{id}',
    '{id}/',
    './{id}',
  ]) {
    expect(problems(key), key).toHaveLength(1);
  }
});
