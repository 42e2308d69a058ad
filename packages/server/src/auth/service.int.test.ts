import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { openMetadata } from '#metadata/index.ts';
import { type AuthFixture, basicAuth, createAuthFixture, passwordOf } from '#testing/auth-fixture.ts';
import { until } from '#testing/eventually.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { startTestPostgres, type TestPostgres, whyNoPostgres } from '#testing/postgres.ts';

/** Two nodes share one database: a change on one takes effect on the other with its next request. */
function twoNodes(newDatabase: () => Promise<string>): void {
  const clock = new ManualClock();
  let here: AuthFixture;
  let there: AuthFixture;

  beforeEach(async () => {
    const uri = await newDatabase();
    const node = async () =>
      createAuthFixture({
        clock,
        metadata: await openMetadata({ logger: pino({ level: 'silent' }), clock }, { uri }),
      });
    here = await node();
    there = await node();
    await here.addUser('anna', ['streams:read:1']);
  });
  afterEach(async () => {
    await here.close();
    await there.close();
  });

  const status = async (node: AuthFixture, as: string) => (await node.call('GET', '/whoami', { as })).status;

  async function credentials() {
    const session = basicAuth(await here.logIn('anna'), 'session');
    const created = await here.call('POST', '/users/anna/tokens/t', { as: 'anna' });
    return [session, basicAuth(created.body.token, 'token'), 'anna'] as const;
  }

  test('all three forms of credentials work repeatedly on both nodes', async () => {
    for (const as of await credentials()) {
      for (const node of [here, there, here, there]) expect(await status(node, as)).toBe(200);
    }
  });

  test.each([
    ['disabling', 'PUT', '/users/anna/status/disabled'],
    ['deleting', 'DELETE', '/users/anna'],
  ] as const)(
    '%s a user invalidates all their credentials on the other node immediately',
    async (_what, method, url) => {
      const all = await credentials();
      for (const as of all) expect(await status(there, as)).toBe(200);
      expect((await here.call(method, url, { as: 'admin' })).status).toBe(204);
      for (const as of all) expect(await status(there, as)).toBe(401);
    },
  );

  test('an ended session and a deleted token are immediately invalid on the other node', async () => {
    const [session, token] = await credentials();
    expect([await status(there, session), await status(there, token)]).toEqual([200, 200]);
    const { tokens } = (await here.call('GET', '/users/anna/tokens', { as: 'anna' })).body;
    await here.call('DELETE', `/users/anna/tokens/${tokens[0].id}`, { as: 'anna' });
    await here.call('DELETE', '/system/sessions', { as: session });
    expect([await status(there, session), await status(there, token)]).toEqual([401, 401]);
  });

  test('changed passwords and permissions take effect immediately on the other node', async () => {
    expect(await status(there, 'anna')).toBe(200);
    await here.call('PUT', '/users/anna/password', { as: 'admin', body: { password: 'another one' } });
    expect(await status(there, 'anna')).toBe(401);
    const anna = basicAuth('anna', 'another one');
    expect((await there.call('GET', '/users', { as: anna })).status).toBe(403);
    await here.call('PUT', '/users/anna', { as: 'admin', body: { roles: ['Admin'] } });
    expect((await there.call('GET', '/users', { as: anna })).status).toBe(200);
    await here.call('DELETE', '/roles/Admin/members/anna', { as: 'admin' });
    expect((await there.call('GET', '/users', { as: anna })).status).toBe(403);
  });

  test('using a session on any node extends it', async () => {
    await here.call('PUT', '/users/anna', { as: 'anna', body: { session_timeout_ms: 60_000 } });
    const [session] = await credentials();
    for (const node of [here, there, here, there]) {
      clock.advance(59_000);
      expect(await status(node, session)).toBe(200);
    }
    clock.advance(60_000);
    expect(await status(here, session)).toBe(401);
  });

  test('names that a database cannot handle are unknown names', async () => {
    for (const name of ['%00', 'a%00b', '%ED%A0%80', "x';--", '%F0%9F%92%A7', '%E2%80%AE']) {
      const answer = await here.call('GET', `/users/${name}`, { as: 'admin' });
      expect([name, [400, 404].includes(answer.status)]).toEqual([name, true]);
      expect((await here.call('DELETE', `/users/admin/tokens/${name}`, { as: 'admin' })).status).not.toBe(
        500,
      );
    }
    for (const name of ['a\u0000b', '\ud800', "' or 1=1 --"]) {
      const answer = await here.call('POST', '/system/sessions', { body: { username: name, password: 'x' } });
      expect([name, answer.status]).toEqual([name, 401]);
    }
  });

  test('of two concurrent creations of one name, one is refused because the name is taken', async () => {
    const create = (node: AuthFixture) =>
      node.call('POST', '/users', {
        as: 'admin',
        body: { username: 'bob', password: passwordOf('bob'), email: 'b', full_name: 'Bob' },
      });
    const answers = await Promise.all([create(here), create(there), create(here), create(there)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 400, 400, 400]);
  });
}

describe('on a SQLite file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-auth-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  let files = 0;
  twoNodes(async () => {
    files += 1;
    return `sqlite:${path.join(folder, `${files}.db`)}`;
  });
});

describe.skipIf(whyNoPostgres())('on PostgreSQL', () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startTestPostgres();
  });
  afterAll(() => server?.stop());
  twoNodes(() => server.createDatabase());

  test('a changed session timeout and a changed password do not wait for each other', async () => {
    const clock = new ManualClock();
    const uri = await server.createDatabase();
    const metadata = await openMetadata({ logger: pino({ level: 'silent' }), clock }, { uri });
    const node = await createAuthFixture({ clock, metadata });
    onTestFinished(() => node.close());
    const id = await node.addUser('anna');
    await node.logIn('anna');
    const locked = Promise.withResolvers<void>();
    const waiting = Promise.withResolvers<void>();
    const newPassword = metadata.transaction(async ({ repositories: { users, sessions } }) => {
      await users.update(id, { passwordHash: 'another' });
      locked.resolve();
      await waiting.promise;
      await sessions.removeByUsername('anna');
    });
    await locked.promise;
    const newTimeout = node.call('PUT', '/users/anna', { as: 'admin', body: { session_timeout_ms: 60_000 } });
    const database = new URL(uri).pathname.slice(1);
    await until(async () => {
      const waits = await server.query(
        `select pid from pg_stat_activity where datname = '${database}' and wait_event_type = 'Lock'`,
      );
      return waits.length > 0;
    });
    waiting.resolve();
    await newPassword;
    expect((await newTimeout).status).toBe(204);
  });
});
