import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createUrlAllowlist, type UrlAllowlist } from '#system/service.ts';
import { createLogger } from '#telemetry/index.ts';
import { type AuthFixture, createAuthFixture } from '#testing/auth-fixture.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { checkRoutes, servedBy } from '#testing/route-checks.ts';
import type { Route } from '../route.ts';
import { urlAllowlistRoutes } from './url-allowlist.ts';

let auth: AuthFixture;
let routes: Route[];
/** Of another node of the cluster. */
let other: UrlAllowlist;

beforeAll(async () => {
  const clock = new ManualClock();
  const metadata = await openTestMetadata(clock);
  const logger = createLogger({ level: 'silent' });
  auth = await createAuthFixture({
    metadata,
    clock,
    async moreRoutes({ audit }) {
      const urlAllowlist = createUrlAllowlist({ metadata, audit, logger });
      other = createUrlAllowlist({ metadata, audit, logger });
      await urlAllowlist.start();
      routes = urlAllowlistRoutes({ urlAllowlist });
      return routes;
    },
  });
});
afterAll(() => auth.close());

const call: AuthFixture['call'] = (method, path, options = {}) =>
  auth.call(method, path, { as: 'admin', ...options });
const isListed = async (url: string, path = '/system/urlallowlist') =>
  (await call('POST', `${path}/check`, { body: { url } })).body;

checkRoutes(() => ({ routes, ...servedBy(auth) }), { runsPerOperation: 20 });

describe('the allowlist of URLs', () => {
  /** What SOCFortress CoPilot sends, to the path that Graylog 6 has. */
  const entries = [
    { id: 'a1', type: 'literal', title: 'CoPilot', value: 'http://copilot.example.org/api/alert' },
    { id: 'b2', type: 'regex', title: 'Ours', value: '^https://[a-z]+\\.example\\.org/' },
  ];

  test('is replaced and read under both names', async () => {
    const sent = await call('PUT', '/system/urlwhitelist', { body: { entries, disabled: false } });
    expect(sent.status).toBe(204);
    for (const path of ['/system/urlallowlist', '/system/urlwhitelist']) {
      expect((await call('GET', path)).body).toEqual({ entries, disabled: false });
    }
  });

  test.each([
    ['http://copilot.example.org/api/alert', true],
    ['HTTP://Copilot.example.org/api/alert', true],
    ['http://copilot.example.org/api/alert/more', false],
    ['https://logs.example.org/any', true],
    ['https://logs.example.org.evil.example/', false],
    ['not a URL', false],
  ])('%s: %s', async (url, expected) => {
    await call('PUT', '/system/urlwhitelist', { body: { entries, disabled: false } });
    const listed = { url, is_allowlisted: expected, is_whitelisted: expected };
    expect(await isListed(url)).toEqual(listed);
    expect(await isListed(url, '/system/urlwhitelist')).toEqual(listed);
  });

  test('asks about the URL that is called, however it is written', async () => {
    const [, regex] = entries;
    const hosts = { ...regex, value: '^https://[^/]+\\.good\\.example/' };
    await call('PUT', '/system/urlallowlist', { body: { entries: [hosts], disabled: false } });
    // A backslash ends the host as a slash does.
    expect(await isListed('https://evil.example\\.good.example/')).toMatchObject({ is_allowlisted: false });
    expect(await isListed('HTTPS://Logs.Good.example')).toMatchObject({ is_allowlisted: true });
  });

  test('that is switched off lets everything pass', async () => {
    await call('PUT', '/system/urlallowlist', { body: { entries: [], disabled: true } });
    expect(await isListed('https://anything.example/')).toMatchObject({ is_allowlisted: true });
  });

  test('holds on other nodes too', async () => {
    await call('PUT', '/system/urlallowlist', { body: { entries, disabled: false } });
    await other.start();
    expect(other.view()).toEqual({ entries, disabled: false });
    expect(other.isAllowed('https://anything.example/')).toBe(false);
  });

  test.each([
    [{ id: 'x', type: 'regex', title: '', value: '(' }, 'is not a regular expression'],
    [{ id: 'x', type: 'literal', title: '', value: 'nowhere' }, 'is not a URL'],
    [{ id: 'x', type: 'glob', title: '', value: 'x' }, 'entries[0].type'],
  ])('with %j is refused, and what was there stays', async (entry, reason) => {
    const before = (await call('GET', '/system/urlallowlist')).body;
    const answer = await call('PUT', '/system/urlallowlist', { body: { entries: [entry], disabled: false } });
    expect([answer.status, JSON.stringify(answer.body)]).toEqual([400, expect.stringContaining(reason)]);
    expect((await call('GET', '/system/urlallowlist')).body).toEqual(before);
  });

  const regexes = (value: string, count = 1) =>
    Array.from({ length: count }, (_, index) => ({ id: `${index}`, type: 'regex', title: '', value }));

  // Each takes seconds to compile.
  test.each([
    ['(a{30}){30}b'.repeat(10), 1, 'entries[0].value: the regular expression is too large'],
    ['a{1000}'.repeat(285), 1, 'entries[0].value: the regular expression is too large'],
    ['(?i)[\\x{100}-\\x{10FFF0}]'.repeat(80), 1, 'entries[0].value: the regular expression is too large'],
    ['x'.repeat(1998), 51, 'entries[50].value: up to here, the regular expressions are too large'],
  ])('with too large expressions (%#) is refused before it is compiled', async (value, count, reason) => {
    const body = { entries: regexes(value, count), disabled: false };
    const answer = await call('PUT', '/system/urlallowlist', { body });
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(reason)]);
  });

  test('with one expression that takes seconds for a long URL matches only what takes less', async () => {
    const body = { entries: regexes('(?:a?b?a?){400}[cd]'), disabled: false };
    expect((await call('PUT', '/system/urlallowlist', { body })).status).toBe(204);
    expect(await isListed('http://a/ababc')).toMatchObject({ is_allowlisted: true });
    expect(await isListed(`http://a/${'ab'.repeat(990)}c`)).toMatchObject({ is_allowlisted: false });
  });

  test('with expressions that take minutes together still answers, and allows nothing', async () => {
    const hostile = '\\b(?:a?b?a?){40}[cd]';
    const entries = regexes(hostile, 100);
    expect((await call('PUT', '/system/urlallowlist', { body: { entries, disabled: false } })).status).toBe(
      204,
    );
    const url = `http://a/${'ab'.repeat(990)}`;
    expect(await isListed(url)).toMatchObject({ is_allowlisted: false });
    // What needs no expression is as quick as ever.
    const literal = { id: 'l', type: 'literal', title: '', value: url };
    await call('PUT', '/system/urlallowlist', { body: { entries: [...entries, literal], disabled: false } });
    expect(await isListed(url)).toMatchObject({ is_allowlisted: true });
  });

  test('takes a thousand expressions of usual size', async () => {
    const value = '^https://[a-z0-9-]+\\.example\\.org/hooks/[0-9]{1,4}/[a-z]+$';
    const body = { entries: regexes(value, 1000), disabled: false };
    expect((await call('PUT', '/system/urlallowlist', { body })).status).toBe(204);
  });

  test.each([
    [{ entries: [], disabled: true, mode: 'strict' }],
    [{ entries: [{ id: '1', type: 'regex', title: '', value: '(?<=x)y' }], disabled: false }],
  ])('that this version cannot read (%j) lets nothing pass and stops no node', async (stored) => {
    const found = await auth.metadata.repositories.clusterSettings.find('url_allowlist');
    onTestFinished(async () => {
      await auth.metadata.repositories.clusterSettings.set('url_allowlist', found);
    });
    await auth.metadata.repositories.clusterSettings.set('url_allowlist', stored);
    await other.start();
    expect(other.view()).toEqual({ entries: [], disabled: false });
    expect(other.isAllowed('https://anything.example/')).toBe(false);
  });

  test('makes expressions of templates, which it takes', async () => {
    const { body } = await call('POST', '/system/urlallowlist/generate_regex', {
      body: { url_template: 'https://example.org/?key={key}&x', placeholder: '{key}' },
    });
    expect(body.regex).toBe('^\\Qhttps://example.org/?key=\\E.*?\\Q&x\\E$');
    await call('PUT', '/system/urlallowlist', {
      body: { entries: [{ id: '1', type: 'regex', title: '', value: body.regex }], disabled: false },
    });
    expect(await isListed('https://example.org/?key=a&x')).toMatchObject({ is_allowlisted: true });
    expect(await isListed('https://example.org/?key=a&y')).toMatchObject({ is_allowlisted: false });
  });
});
