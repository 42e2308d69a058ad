import { ERROR_CODE_HEADER as CONTRACT_HEADER } from '@millrace/contract';
import { describe, expect, test, vi } from 'vitest';
import { watchAttention } from './attention.ts';
import { createClient, ERROR_CODE_HEADER } from './client.ts';
import { ApiError, NetworkError } from './errors.ts';
import { searchByEvents } from './search-events.ts';
import { createSessionGuard } from './session-guard.ts';
import { createTurns } from './turns.ts';

function clientWith(...answers: (Response | Error)[]) {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => {
    const answer = answers.shift() ?? new Response(null, { status: 204 });
    if (answer instanceof Error) throw answer;
    return answer;
  });
  const session = createSessionGuard();
  const onContact = vi.fn();
  const page = new EventTarget();
  const isAttended = watchAttention(page);
  const client = createClient({ fetch, session, onContact, isAttended, turns: createTurns(1) });
  return { ...client, fetch, session, onContact, page };
}
const json = (body: unknown, init?: ResponseInit) => new Response(JSON.stringify(body), init);

test('a call fills the path, sends JSON and the header against cross-site requests', async () => {
  const { call, fetch } = clientWith(json({ stream_id: '1' }));
  await call('POST /streams/{streamId}/pause', { path: { streamId: 'a/b' } });
  const [url, init] = fetch.mock.calls[0]!;
  expect(url).toBe('/api/streams/a%2Fb/pause');
  expect(init).toMatchObject({ method: 'POST', headers: { 'X-Requested-By': 'millrace-web' } });
  expect(init).not.toHaveProperty('body');
});

test('query values are written once each, those that are not there are left out', async () => {
  const { open, fetch } = clientWith();
  await open('GET /x', { query: { a: ['1', '2'], b: undefined, c: 'ü&' } });
  expect(fetch.mock.calls[0]![0]).toBe('/api/x?a=1&a=2&c=%C3%BC%26');
});

describe('errors', () => {
  test('carry message, code and problems', async () => {
    const { call } = clientWith(
      json(
        { type: 'ApiError', message: 'no such port', problems: [{ path: 'port', message: 'x' }, 1] },
        { status: 429, headers: { [ERROR_CODE_HEADER]: 'too_many_requests', 'Retry-After': '7' } },
      ),
    );
    const error = await call('GET /streams').catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      message: 'no such port',
      code: 'too_many_requests',
      problems: [{ path: 'port', message: 'x' }],
      retryAfterSeconds: 7,
    });
  });
  test('name the permission that is missing, in words', async () => {
    const missing = (missing_permission: string) =>
      json({ type: 'ApiError', message: 'Not authorized', missing_permission }, { status: 403 });
    const { call } = clientWith(missing('streams:edit:5c3b'), missing('users:create'));
    await expect(call('GET /streams')).rejects.toThrow('Needs streams:edit for 5c3b. Ask an administrator.');
    await expect(call('GET /streams')).rejects.toThrow('Needs users:create. Ask an administrator.');
    const told = { type: 'ApiError', message: 'Pipelines use it.', missing_permission: 'pipeline:edit:5c3b' };
    const { call: callAgain } = clientWith(json(told, { status: 403 }));
    await expect(callAgain('GET /streams')).rejects.toThrow('Pipelines use it.');
  });
  test('of a proxy have at least their status', async () => {
    const { call } = clientWith(new Response('<html>', { status: 502 }));
    await expect(call('GET /streams')).rejects.toThrow('status 502');
  });
  test('of the network are told apart, and an abort is none', async () => {
    const { call, onContact } = clientWith(new TypeError('failed'), new DOMException('stop', 'AbortError'));
    await expect(call('GET /streams')).rejects.toBeInstanceOf(NetworkError);
    expect(onContact).toHaveBeenLastCalledWith(false);
    onContact.mockClear();
    await expect(call('GET /streams')).rejects.toThrow('stop');
    expect(onContact).not.toHaveBeenCalled();
  });
  test('have the header of the contract', () => {
    expect(ERROR_CODE_HEADER).toBe(CONTRACT_HEADER);
  });
});

describe('when the session has ended', () => {
  const refused = () => new Response(null, { status: 401 });
  test('calls wait and are repeated after the next log-in', async () => {
    const { call, session, fetch } = clientWith(refused(), refused(), json({ total: 0 }), json({ total: 1 }));
    const changed = vi.fn();
    session.subscribe(changed);
    const calls = [call('GET /streams'), call('GET /streams')];
    await vi.waitFor(() => expect(session.hasEnded()).toBe(true));
    expect(fetch).toHaveBeenCalledTimes(2);
    session.restored();
    expect(await Promise.all(calls)).toEqual([{ total: 0 }, { total: 1 }]);
    expect(session.hasEnded()).toBe(false);
    expect(changed).toHaveBeenCalledTimes(2);
  });
  test('a call that was refused for the old session does not ask for another log-in', async () => {
    const { call, session, fetch } = clientWith(refused(), json({ total: 0 }), json({ total: 1 }));
    const late = Promise.withResolvers<Response>();
    fetch.mockImplementationOnce(() => late.promise);
    const slow = call('GET /streams');
    const quick = call('GET /streams');
    await vi.waitFor(() => expect(session.hasEnded()).toBe(true));
    session.restored();
    late.resolve(refused());
    await expect(Promise.allSettled([slow, quick])).resolves.toHaveLength(2);
    expect(session.hasEnded()).toBe(false);
  });
  test('a call that is given up does not wait', async () => {
    const { call } = clientWith(refused());
    const abort = new AbortController();
    const promise = call('GET /streams', { signal: abort.signal });
    setTimeout(() => abort.abort(), 5);
    await expect(promise).rejects.toThrow();
  });
  test('a log-in that is refused is an error', async () => {
    const { call, session } = clientWith(refused());
    const body = { username: 'a', password: 'b' };
    await expect(call('POST /system/sessions', { body, isLoginCheck: true })).rejects.toMatchObject({
      status: 401,
    });
    expect(session.hasEnded()).toBe(false);
  });
});

test('searches wait for their turn, other calls do not', async () => {
  const first = Promise.withResolvers<Response>();
  const { call, fetch } = clientWith();
  fetch.mockImplementationOnce(() => first.promise);
  const searches = [
    call('POST /search/facets', { body: {} as never }),
    call('POST /messages/search', { body: {} }),
  ];
  await vi.waitFor(() => expect(fetch).toHaveBeenCalledTimes(1));
  await call('POST /search/history', { body: { query: 'a' } });
  expect(fetch).toHaveBeenCalledTimes(2);
  first.resolve(json({}));
  await Promise.all(searches);
  expect(fetch).toHaveBeenCalledTimes(3);
});

describe('a search by events', () => {
  const events = (...blocks: [event: string, data: unknown][]) =>
    new Response(
      blocks.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(''),
    );
  const search = async (answer: Response) => {
    const { open } = clientWith(answer);
    const partial: unknown[] = [];
    const { signal } = new AbortController();
    const result = await searchByEvents(open, {}, { signal, onPartial: (part) => partial.push(part) }).catch(
      (error: unknown) => error,
    );
    return { partial, result };
  };

  test('tells all that was found so far, then the result', async () => {
    const { partial, result } = await search(
      events(
        ['progress', { percent: 1 }],
        ['partial', { messages: [1], searched_from: 'b' }],
        ['partial', { messages: [2], searched_from: 'a' }],
        ['result', { total_results: 2 }],
      ),
    );
    expect(partial).toEqual([
      { messages: [1], searchedFrom: 'b' },
      { messages: [1, 2], searchedFrom: 'a' },
    ]);
    expect(result).toEqual({ total_results: 2 });
  });

  test('fails with what the server says, and when the connection ends too early', async () => {
    expect((await search(events(['error', { message: 'took too long' }]))).result).toMatchObject({
      name: 'ApiError',
      message: 'took too long',
    });
    expect((await search(events(['progress', {}]))).result).toBeInstanceOf(NetworkError);
  });
});

test('a call that was given up before its session ended waits for nobody', async () => {
  const guard = createSessionGuard();
  const reason = new Error('gone');
  await expect(guard.untilRestored(AbortSignal.abort(reason))).rejects.toBe(reason);
  expect(guard.hasEnded()).toBe(false);
});

test('what a timer asks keeps the session alive only when somebody has pressed something since', async () => {
  const { call, fetch, page } = clientWith();
  const ask = () => call('GET /cluster/jobs', { isBackground: true });
  await ask();
  page.dispatchEvent(new Event('keydown'));
  await ask();
  await ask();
  const sent = fetch.mock.calls.map(([, init]) =>
    new Headers(init?.headers).has('X-Graylog-No-Session-Extension'),
  );
  expect(sent).toEqual([true, false, true]);
});
