import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AuthFixture, basicAuth, createAuthFixture, passwordOf } from '#testing/auth-fixture.ts';

let fixture: AuthFixture;
beforeEach(async () => {
  fixture = await createAuthFixture();
});
afterEach(() => fixture.close());

interface Entry {
  readonly action: string;
  readonly [key: string]: unknown;
}

const search = async (query = ''): Promise<Entry[]> =>
  (await fixture.call('GET', `/system/audit${query}`, { as: 'admin' })).body.entries;

test('every change of users, roles, tokens and sessions is recorded without secrets', async () => {
  await fixture.addUser('anna', ['streams:read:1']);
  const sessionId = await fixture.logIn('anna');
  const as = basicAuth(sessionId, 'session');
  const created = await fixture.call('POST', '/users/anna/tokens/ci', { as });
  await fixture.call('DELETE', `/users/anna/tokens/${created.body.token}`, { as });
  await fixture.call('PUT', '/users/anna', { as, body: { email: 'new@example.org' } });
  const passwords = { old_password: passwordOf('anna'), password: 'battery staple' };
  await fixture.call('PUT', '/users/anna/password', { as, body: passwords });
  await fixture.call('PUT', '/users/anna/preferences', { as, body: { preferences: { theme: 'dark' } } });
  await fixture.call('DELETE', '/system/sessions', { as });
  await fixture.call('PUT', '/users/anna/permissions', { as: 'admin', body: { permissions: [] } });
  await fixture.call('POST', '/roles', { as: 'admin', body: { name: 'Ops', permissions: ['streams:read'] } });
  await fixture.call('PUT', '/roles/Ops', { as: 'admin', body: { name: 'Ops', permissions: [] } });
  await fixture.call('PUT', '/roles/Ops/members/anna', { as: 'admin' });
  await fixture.call('DELETE', '/roles/Ops/members/anna', { as: 'admin' });
  await fixture.call('DELETE', '/roles/Ops', { as: 'admin' });
  await fixture.call('PUT', '/users/anna/status/disabled', { as: 'admin' });
  await fixture.call('DELETE', '/users/anna', { as: 'admin' });

  const answer = await fixture.call('GET', '/system/audit?per_page=100', { as: 'admin' });
  const actions = answer.body.entries.map((entry: Entry) => `${entry.actor} ${entry.action}`).reverse();
  expect(actions).toEqual([
    'admin user.create',
    'anna session.create',
    'anna token.create',
    'anna token.delete',
    'anna user.update',
    'anna user.password.update',
    'anna user.preferences.update',
    'anna session.delete',
    'admin user.permissions.update',
    'admin role.create',
    'admin role.update',
    'admin role.member.add',
    'admin role.member.remove',
    'admin role.delete',
    'admin user.status.update',
    'admin user.delete',
  ]);
  const secrets = [sessionId, created.body.token, passwordOf('anna'), 'battery staple', 'argon2'];
  for (const secret of secrets) expect(answer.text).not.toContain(secret);
  expect(answer.body).toMatchObject({ total: 16, count: 16, page: 1, per_page: 100 });
});

test('an entry has who, what, when, from where, before and after', async () => {
  await fixture.addUser('anna');
  fixture.clock.advance(1000);
  await fixture.call('PUT', '/users/anna', {
    as: 'anna',
    body: { email: 'new@example.org' },
    remoteAddress: '192.0.2.7',
  });
  const [entry] = await search();
  expect(entry).toMatchObject({
    id: expect.any(String),
    timestamp: '2026-01-01T00:00:01.000Z',
    actor: 'anna',
    address: '192.0.2.7',
    action: 'user.update',
    object_type: 'user',
    object_id: 'anna',
    before: { email: 'anna@example.org' },
    after: { email: 'new@example.org' },
    outcome: 'success',
  });
});

test('failed logins are recorded, whatever the name', async () => {
  for (const name of ['anna', 'x\u0000y', 'ü'.repeat(150), "' or 1=1 --", '</script>']) {
    await fixture.call('GET', '/whoami', { as: basicAuth(name, 'wrong'), remoteAddress: '192.0.2.7' });
  }
  const entries = await search('?outcome=failure');
  expect(entries).toHaveLength(5);
  expect(entries.at(-1)).toMatchObject({
    actor: 'anna',
    address: '192.0.2.7',
    action: 'user.login',
    object_type: 'user',
    object_id: 'anna',
  });
});

test('refused changes are not recorded', async () => {
  await fixture.addUser('anna');
  const before = (await search()).length;
  await fixture.call('DELETE', '/users/admin', { as: 'anna' });
  await fixture.call('DELETE', '/users/admin', { as: 'admin' });
  await fixture.call('POST', '/users', { as: 'admin', body: { username: '*' } });
  await fixture.call('POST', '/users/admin/tokens/x', { as: 'admin', withoutCsrfHeader: true });
  expect(await search()).toHaveLength(before);
});

describe('searching', () => {
  beforeEach(async () => {
    for (const name of ['anna', 'bob']) {
      await fixture.addUser(name);
      fixture.clock.advance(60_000);
    }
    await fixture.call('PUT', '/users/anna', { as: 'anna', body: { full_name: 'A 100%_Name' } });
  });

  test.each([
    ['?actor=anna', ['user.update']],
    ['?action=user.create', ['user.create', 'user.create']],
    ['?object_type=user&object_id=bob', ['user.create']],
    ['?object_type=role', []],
    ['?from=2026-01-01T00:01:00.000Z', ['user.update', 'user.create']],
    ['?to=2026-01-01T00:01:00.000Z', ['user.create']],
    ['?from=2026-01-01T01:01:00%2B01:00&to=2026-01-01T00:02:00Z', ['user.create']],
    ['?from=2026-01-02', []],
    ['?query=BOB%40example', ['user.create']],
    ['?query=100%25_name', ['user.update']],
    ['?query=%25', ['user.update']],
    ['?query=127.0.0.1&actor=admin', ['user.create', 'user.create']],
    ['?query=nothing-like-this', []],
    ['?per_page=1&page=3', ['user.create']],
    ['?per_page=1&page=4', []],
  ])('%s', async (query, actions) => {
    expect((await search(query)).map((entry) => entry.action)).toEqual(actions);
  });

  test.each(['page=0', 'per_page=0', 'per_page=1001', 'from=yesterday', 'outcome=maybe'])(
    'refuses %s',
    async (query) => {
      expect((await fixture.call('GET', `/system/audit?${query}`, { as: 'admin' })).status).toBe(400);
    },
  );

  test('a NUL character in the query: 400', async () => {
    expect((await fixture.call('GET', '/system/audit?query=%00', { as: 'admin' })).status).toBe(400);
  });

  test('needs auditlog:read', async () => {
    expect((await fixture.call('GET', '/system/audit', { as: 'anna' })).status).toBe(403);
    expect((await fixture.call('GET', '/system/audit')).status).toBe(401);
    await fixture.addUser('auditor', ['auditlog:read']);
    expect((await fixture.call('GET', '/system/audit', { as: 'auditor' })).status).toBe(200);
  });
});

test('maintenance removes old entries', async () => {
  await fixture.addUser('anna');
  fixture.clock.advance(399 * 86_400_000);
  await fixture.auth.maintain();
  expect(await search()).toHaveLength(1);
  fixture.clock.advance(2 * 86_400_000);
  await fixture.auth.maintain();
  expect(await search()).toHaveLength(0);
});

test('a change succeeds even if its entry cannot be stored', async () => {
  await fixture.metadata.db.schema.dropTable('audit_log').execute();
  await fixture.addUser('anna');
  expect((await fixture.call('GET', '/whoami', { as: 'anna' })).text).toBe('anna');
});
