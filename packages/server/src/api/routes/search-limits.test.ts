import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiFixture, basic, createApiFixture } from '#testing/api-fixture.ts';
import { createIdleSearch, type IdleSearch } from '#testing/idle-search.ts';
import { universalSearchRoutes } from './search-universal.ts';

/** One search of a user runs at a time, and this many more may wait. */
const WAITING = 4;

let idle: IdleSearch;
let fixture: ApiFixture;
let address: string;
const held: PromiseWithResolvers<void> = Promise.withResolvers();
let statements = 0;
let askedFor: { readonly count: number; readonly reached: () => void } | undefined;

beforeAll(async () => {
  idle = await createIdleSearch({
    maxParallel: 1,
    engine: async () => {
      statements += 1;
      if (statements === askedFor?.count) askedFor.reached();
      await held.promise;
    },
  });
  fixture = await createApiFixture(universalSearchRoutes(idle.search), {
    users: { anna: ['*'], bert: ['*'] },
  });
  await fixture.api.start();
  address = fixture.api.address();
});

afterAll(async () => {
  held.resolve();
  await fixture.api.stop();
  await idle.metadata.close();
});

function search(user: string): Promise<Response> {
  return fetch(`${address}/api/search/universal/relative/histogram?query=*&range=300&interval=minute`, {
    headers: { authorization: basic(user), accept: 'application/json' },
  });
}

/** Resolves when the engine has received this many statements. */
function statementsReach(count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  askedFor = { count, reached: resolve };
  if (statements >= count) resolve();
  return promise;
}

test('too many concurrent searches of one user: 429 with Retry-After; other users are not affected', async () => {
  const first = search('anna');
  await statementsReach(1);
  // One too many: the last to arrive is refused immediately, the others wait for their turn.
  const others = Array.from({ length: WAITING + 1 }, () => search('anna'));
  const refused = await Promise.race(others);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(await refused.json()).toMatchObject({
    message: expect.stringContaining('search_max_parallel'),
  });

  const ofBert = search('bert');
  await statementsReach(2);
  held.resolve();
  expect((await ofBert).status).toBe(200);
  expect((await first).status).toBe(200);
  const answers = await Promise.all(others);
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(WAITING).fill(200), 429]);
  expect((await search('anna')).status).toBe(200);
});
