import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createLogger } from '#telemetry/index.ts';
import { createFanOut, type Peer } from './fan-out.ts';

const logger = createLogger({ level: 'silent' });
const schema = z.object({ name: z.string() });
const OWN = 'own-node';
const ANONYMOUS = { headers: {} };
const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(
    servers.splice(0).map((server) => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    }),
  );
});

async function peer(nodeId: string, listener: RequestListener): Promise<Peer> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { nodeId, transportAddress: `http://127.0.0.1:${port}/api/` };
}

function answering(body: string, seen: IncomingMessage[] = [], status = 200): RequestListener {
  return (request, response) => {
    seen.push(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  };
}

const fanOut = createFanOut({ logger }, { nodeId: OWN, timeoutMs: 3000, maxAnswerBytes: 1000 });
const own = { nodeId: OWN, transportAddress: 'http://127.0.0.1:1/api/' };

describe('a call to all nodes', () => {
  test('collects all answers, with no HTTP call to this node, and null for nodes without a usable answer', async () => {
    const good = await peer('good', answering('{"name":"b"}'));
    const silent = await peer('silent', () => {});
    const halfway = await peer('halfway', (_request, response) => {
      response.writeHead(200).write('{"name"');
    });
    const gone = await peer('gone', () => {});
    servers.pop()?.close();
    const failing = await peer('failing', answering('{"message":"no"}', [], 403));
    const odd = await peer('odd', answering('{"name":5}'));
    const broken = await peer('broken', answering('<html>'));
    const long = await peer('long', answering(JSON.stringify({ name: 'x'.repeat(2000) })));
    const moved = await peer('moved', (_request, response) => {
      response.writeHead(302, { location: `${good.transportAddress}system` }).end();
    });
    const peers = [own, good, silent, halfway, gone, failing, odd, broken, long, moved];
    expect(
      await fanOut.askAll(peers, { path: 'system', caller: ANONYMOUS }, schema, () => ({ name: 'me' })),
    ).toEqual({
      [OWN]: { name: 'me' },
      good: { name: 'b' },
      silent: null,
      halfway: null,
      gone: null,
      failing: null,
      odd: null,
      broken: null,
      long: null,
      moved: null,
    });
  });

  test('does not hide an error of this node', async () => {
    const fail = () => {
      throw new Error('local error');
    };
    const request = { path: 'system', caller: ANONYMOUS } as const;
    expect(() => fanOut.askAll([own], request, schema, fail)).toThrow('local error');
    const good = await peer('good', answering('{"name":"b"}'));
    await expect(fanOut.askAll([own, good], request, schema, fail)).rejects.toThrow('local error');
  });

  test('returns a plain value or a promise, as this node does, when there is no other node', async () => {
    const request = { path: 'system', caller: ANONYMOUS } as const;
    expect(fanOut.askAll([own], request, schema, () => ({ name: 'me' }))).toEqual({ [OWN]: { name: 'me' } });
    const later = fanOut.askAll([own], request, schema, async () => ({ name: 'me' }));
    expect(later).toBeInstanceOf(Promise);
    expect(await later).toEqual({ [OWN]: { name: 'me' } });
  });
});

describe('a request', () => {
  test('goes to the path below the API, with the headers that identify the caller and no others', async () => {
    const seen: IncomingMessage[] = [];
    const node = await peer('a', answering('{"name":"a"}', seen));
    const headers = {
      authorization: 'Basic YTpi',
      cookie: 'theme=dark; authentication=abc; other=1',
      'x-graylog-no-session-extension': 'true',
      'x-forwarded-for': '1.2.3.4',
      host: 'elsewhere',
    };
    await fanOut.ask(node, { path: 'system/metrics/a%2Fb', caller: { headers } }, schema);
    expect(seen[0]?.url).toBe('/api/system/metrics/a%2Fb');
    expect(seen[0]?.headers).toMatchObject({
      authorization: 'Basic YTpi',
      cookie: 'authentication=abc',
      'x-graylog-no-session-extension': 'true',
      accept: 'application/json',
    });
    expect(seen[0]?.headers).not.toHaveProperty('x-forwarded-for');
    expect(seen[0]?.headers.host).not.toBe('elsewhere');
    expect(seen[0]?.headers).not.toHaveProperty('x-requested-by');
  });

  test('that changes something carries the CSRF header and a JSON body', async () => {
    let received = '';
    const node = await peer('a', async (request, response) => {
      for await (const chunk of request) received += chunk;
      response.end(
        JSON.stringify({
          name: `${request.method} ${request.headers['x-requested-by']} ${request.headers['content-type']}`,
        }),
      );
    });
    const answer = await fanOut.ask(
      node,
      { method: 'POST', path: 'system/metrics/multiple', body: { metrics: ['é'] }, caller: ANONYMOUS },
      schema,
    );
    expect(answer).toEqual({ kind: 'answer', value: { name: 'POST millrace-node application/json' } });
    expect(received).toBe('{"metrics":["é"]}');
  });

  test('accepts an empty answer when none is expected', async () => {
    const node = await peer('a', (_request, response) => response.writeHead(204).end());
    const request = { method: 'PUT', path: 'system/processing/pause', caller: ANONYMOUS } as const;
    expect(await fanOut.ask(node, request, z.undefined())).toEqual({ kind: 'answer', value: undefined });
  });

  test('that is refused carries the reason', async () => {
    const node = await peer('a', answering('{"type":"ApiError","message":"Not authorized"}', [], 403));
    expect(await fanOut.ask(node, { path: 'system', caller: ANONYMOUS }, schema)).toEqual({
      kind: 'refused',
      status: 403,
      message: 'Not authorized',
    });
    const proxy = await peer('b', answering('<html>', [], 502));
    expect(await fanOut.ask(proxy, { path: 'system', caller: ANONYMOUS }, schema)).toMatchObject({
      status: 502,
    });
  });

  test('has the limits that the request asks for', async () => {
    const value = { name: 'x'.repeat(2000) };
    const long = await peer('long', answering(JSON.stringify(value)));
    const asking = { path: 'system', caller: ANONYMOUS } as const;
    const limits = { timeoutMs: 60_000, maxAnswerBytes: 3000 };
    expect(await fanOut.ask(long, { ...asking, limits }, schema)).toEqual({ kind: 'answer', value });
    const silent = await peer('silent', () => {});
    expect(await fanOut.ask(silent, { ...asking, limits: { timeoutMs: 20 } }, schema)).toEqual({
      kind: 'unreachable',
      reason: 'no answer within 20 ms',
    });
  });

  test('ends when the caller disconnects', async () => {
    const silent = await peer('silent', () => {});
    const leaving = new AbortController();
    const slow = createFanOut({ logger }, { nodeId: OWN, timeoutMs: 60_000 });
    const asking = slow.ask(
      silent,
      { path: 'system', caller: { headers: {}, signal: leaving.signal } },
      schema,
    );
    leaving.abort();
    expect(await asking).toMatchObject({ kind: 'unreachable' });
  });
});

describe('a streamed answer', () => {
  const caller = (signal?: AbortSignal) => ({
    headers: { authorization: 'Basic YQ==', 'x-other': 'not passed on' },
    ...(signal && { signal }),
  });

  test('is read as it arrives, beyond the time limit, until the caller aborts it', async () => {
    const seen: IncomingMessage[] = [];
    const closed = Promise.withResolvers<void>();
    const endless = await peer('endless', (request, response) => {
      seen.push(request);
      response.once('close', () => closed.resolve());
      response.writeHead(200).write('first');
      setTimeout(() => response.write('second'), 400);
    });
    const leaving = new AbortController();
    const bytes = await fanOut.open(endless, { path: 'search/tail', caller: caller(leaving.signal) });
    const texts: string[] = [];
    const reading = (async () => {
      for await (const chunk of bytes) {
        texts.push(Buffer.from(chunk).toString());
        if (texts.join('').endsWith('second')) leaving.abort();
      }
    })();
    await expect(reading).rejects.toThrow();
    expect(texts.join('')).toBe('firstsecond');
    await closed.promise;
    expect(seen[0]?.headers).toMatchObject({ authorization: 'Basic YQ==', accept: 'text/event-stream' });
    expect(seen[0]?.headers).not.toHaveProperty('x-other');
  });

  test('rejects when the peer refuses or does not answer', async () => {
    const refusing = await peer('refusing', answering('{"message":"too many"}', [], 429));
    const silent = await peer('silent', () => {});
    const request = { path: 'search/tail', caller: caller() } as const;
    await expect(fanOut.open(refusing, request)).rejects.toThrow('status 429. too many');
    await expect(fanOut.open(silent, request)).rejects.toThrow('no answer within 3000 ms');
  });
});
