import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AuthFixture, basicAuth, createAuthFixture, passwordOf } from '#testing/auth-fixture.ts';

/** A node, and one beside it on the same database where something happens while a password is being checked. */
let here: AuthFixture;
let slow: AuthFixture;
let meanwhile: (() => Promise<unknown>) | undefined;

const SLOW_COST = { memoryKib: 128, passes: 1 };

beforeEach(async () => {
  here = await createAuthFixture();
  await here.addUser('anna');
  meanwhile = undefined;
  slow = await createSlowNode({ memoryKib: 64, passes: 1 });
});
afterEach(async () => {
  await slow.api.api.stop();
  await here.close();
});

/** What its look-ups answer is already old: `meanwhile` happens between the answer and what follows from it. */
function createSlowNode(passwordCost: { readonly memoryKib: number; readonly passes: number }) {
  const { metadata, clock } = here;
  const { logins } = metadata.repositories;
  let lookups = 0;
  async function findUser(name: string) {
    const user = await logins.findUser(name);
    lookups += 1;
    // The first one is that of the cache.
    if (lookups === 2) await meanwhile?.();
    return user;
  }
  return createAuthFixture({
    clock,
    metadata: { ...metadata, repositories: { ...metadata.repositories, logins: { ...logins, findUser } } },
    settings: { passwordCost },
  });
}

const logIn = (node: AuthFixture, password = passwordOf('anna')) =>
  node.call('POST', '/system/sessions', { body: { username: 'anna', password, host: '' } });

const sessionsOfAnna = () => here.metadata.repositories.sessions.listByUsername('anna');

test.each([
  ['given another password', 'PUT', '/users/anna/password', { password: 'another one' }],
  ['disabled', 'PUT', '/users/anna/status/disabled', undefined],
  ['deleted', 'DELETE', '/users/anna', undefined],
] as const)('a user who is %s during a login gets no session', async (_what, method, path, body) => {
  meanwhile = async () => {
    expect((await here.call(method, path, { as: 'admin', body })).status).toBe(204);
  };
  expect((await logIn(slow)).status).toBe(401);
  expect(await sessionsOfAnna()).toEqual([]);
});

test('two logins at once, of which one recomputes the hash, both succeed', async () => {
  await slow.api.api.stop();
  slow = await createSlowNode(SLOW_COST);
  meanwhile = async () => {
    const other = await createAuthFixture({
      metadata: here.metadata,
      clock: here.clock,
      settings: { passwordCost: SLOW_COST },
    });
    expect((await logIn(other)).status).toBe(200);
    await other.api.api.stop();
  };
  expect((await logIn(slow)).status).toBe(200);
  expect(await sessionsOfAnna()).toHaveLength(2);
});

test('a recomputed hash does not bring back a password that was changed meanwhile', async () => {
  await slow.api.api.stop();
  slow = await createSlowNode(SLOW_COST);
  const body = { password: 'another one' };
  meanwhile = () => here.call('PUT', '/users/anna/password', { as: 'admin', body });
  await slow.call('GET', '/whoami', { as: 'anna' });
  expect((await here.call('GET', '/whoami', { as: 'anna' })).status).toBe(401);
  expect((await here.call('GET', '/whoami', { as: basicAuth('anna', 'another one') })).status).toBe(200);
});
