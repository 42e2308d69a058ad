import { expect, test } from 'vitest';
import { createAllowedTargets } from '#core/index.ts';
import { startHttpReceiver } from '#testing/http-receiver.ts';
import { SendFailure } from '../sending.ts';
import { createHttpCaller, type HttpCall } from './http-call.ts';

const local = createAllowedTargets(['127.0.0.0/8']);

const aCall = (url: string, changes: Partial<HttpCall> = {}): HttpCall => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'text/plain' },
  body: 'hello',
  timeoutMs: 5000,
  signal: new AbortController().signal,
  ...changes,
});

async function failure(promise: Promise<void>): Promise<SendFailure> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SendFailure);
  return error as SendFailure;
}

test('a call arrives with its headers and body', async () => {
  const receiver = await startHttpReceiver();
  const caller = createHttpCaller({ targets: local });
  await caller.call(
    aCall(`${receiver.url}hooks?a=1`, { headers: { 'X-One': '1' }, secretHeaders: { 'X-Two': '2' } }),
  );
  expect(receiver.calls).toMatchObject([
    { method: 'POST', path: '/hooks?a=1', body: 'hello', headers: { 'x-one': '1', 'x-two': '2' } },
  ]);
});

test.each(['http://127.0.0.1:PORT/', 'http://localhost:PORT/', 'http://[::1]:PORT/', 'http://0x7f.1:PORT/'])(
  '%s is refused, and not connected to',
  async (pattern) => {
    const receiver = await startHttpReceiver();
    const caller = createHttpCaller({ targets: createAllowedTargets() });
    const refused = await failure(caller.call(aCall(pattern.replace('PORT', String(receiver.port)))));
    expect(refused.message).toMatch(/is not a public address.*notification_allowed_networks/);
    expect(refused.isRetryable).toBe(false);
    expect(receiver.calls).toEqual([]);
  },
);

test('a name that resolves to an internal address later is refused then', async () => {
  const receiver = await startHttpReceiver();
  const answers = ['127.0.0.1', '127.0.0.9'];
  const caller = createHttpCaller({
    targets: createAllowedTargets(['127.0.0.1']),
    lookup: ((_host: string, _options: unknown, callback: (...args: unknown[]) => void) => {
      const address = answers.shift() ?? '127.0.0.9';
      callback(null, [{ address, family: 4 }]);
    }) as never,
  });
  const url = `http://hooks.example.org:${receiver.port}/`;
  await caller.call(aCall(url));
  expect(receiver.calls).toHaveLength(1);
  expect((await failure(caller.call(aCall(url)))).message).toContain('is at 127.0.0.9');
  expect(receiver.calls).toHaveLength(1);
});

test('a name with a public and an internal address is refused', async () => {
  const caller = createHttpCaller({
    targets: createAllowedTargets(),
    lookup: ((_host: string, _options: unknown, callback: (...args: unknown[]) => void) =>
      callback(null, [
        { address: '203.0.114.1', family: 4 },
        { address: '10.0.0.1', family: 4 },
      ])) as never,
  });
  expect((await failure(caller.call(aCall('http://hooks.example.org/')))).message).toContain('10.0.0.1');
});

test('a redirect is followed with method and body, but not to where calls may not go', async () => {
  const [first, second] = [await startHttpReceiver(), await startHttpReceiver()];
  const caller = createHttpCaller({ targets: local });
  first.answer(307, { location: `${second.url}moved` });
  await caller.call(aCall(first.url, { headers: { 'X-Open': '1' }, secretHeaders: { 'X-Secret': '2' } }));
  expect(second.calls).toMatchObject([{ method: 'POST', path: '/moved', body: 'hello' }]);
  expect(second.calls[0]?.headers['x-open']).toBe('1');
  // Another port is another server, which must not see the secret.
  expect(second.calls[0]?.headers['x-secret']).toBeUndefined();

  const strict = createHttpCaller({ targets: createAllowedTargets(['127.0.0.1']) });
  first.answer(308, { location: `http://127.0.0.2:${second.port}/` });
  expect((await failure(strict.call(aCall(first.url)))).message).toContain('is at 127.0.0.2');
  first.answer(307, { location: 'http://[::ffff:10.0.0.1]/' });
  expect((await failure(strict.call(aCall(first.url)))).message).toMatch(/is at ::ffff:a00:1/);
  first.answer(307, { location: 'file:///etc/passwd' });
  expect((await failure(strict.call(aCall(first.url)))).message).toContain('answered 307');
  first.answer(302, { location: second.url });
  expect((await failure(strict.call(aCall(first.url)))).message).toContain(
    'Enter the address it redirects to',
  );
  first.answer(307, { location: first.url });
  expect((await failure(strict.call(aCall(first.url)))).message).toContain('redirects more than 3 times');
});

test('answers say whether another attempt makes sense', async () => {
  const receiver = await startHttpReceiver();
  const caller = createHttpCaller({ targets: local });
  const outcome = async (status: number, headers = {}) => {
    receiver.answer(status, headers, `reason\n${'x'.repeat(10_000)}`);
    const { isRetryable, retryAfterMs, message } = await failure(
      caller.call(aCall(`${receiver.url}secret-path`)),
    );
    expect(message).toMatch(new RegExp(`^http://127.0.0.1:${receiver.port} answered ${status}: reason x+…$`));
    expect(message.length).toBeLessThan(400);
    return { isRetryable, retryAfterMs };
  };
  expect(await outcome(500)).toEqual({ isRetryable: true, retryAfterMs: undefined });
  expect(await outcome(503, { 'retry-after': '7' })).toEqual({ isRetryable: true, retryAfterMs: 7000 });
  expect(await outcome(429, { 'retry-after': '99999' })).toEqual({
    isRetryable: true,
    retryAfterMs: 3_600_000,
  });
  expect(await outcome(404)).toEqual({ isRetryable: false, retryAfterMs: undefined });
  expect(await outcome(400)).toEqual({ isRetryable: false, retryAfterMs: undefined });
});

test('a server that says nothing, and one that is not there, can be tried again', async () => {
  const receiver = await startHttpReceiver();
  receiver.hang();
  const caller = createHttpCaller({ targets: local });
  const silent = await failure(caller.call(aCall(receiver.url, { timeoutMs: 100 })));
  expect(silent).toMatchObject({ isRetryable: true, message: expect.stringContaining('within 100 ms') });
  const absent = await failure(caller.call(aCall('http://127.0.0.1:1/')));
  expect(absent).toMatchObject({ isRetryable: true, message: expect.stringContaining('ECONNREFUSED') });
});
