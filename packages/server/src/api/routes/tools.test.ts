import { beforeAll, expect, test } from 'vitest';
import { createTimeWords } from '#search/time/index.ts';
import { createApiFixture } from '#testing/api-fixture.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { checkRoutes, type ServedRoutes, servedTo } from '#testing/route-checks.ts';
import type { Route } from '../route.ts';
import { permissionRoutes } from './permissions.ts';
import { toolRoutes } from './tools.ts';

let served: ServedRoutes & { readonly routes: readonly Route[] };
const users: Record<string, readonly string[]> = { admin: ['*'] };

beforeAll(async () => {
  const clock = new ManualClock(Date.parse('2026-11-02T12:00:00Z'));
  // Random text is never a time range; the other routes show that requests arrive.
  const routes = [...toolRoutes({ timeWords: createTimeWords(clock) }), ...permissionRoutes()];
  served = { routes, ...servedTo(users, await createApiFixture(routes, { users })) };
});

checkRoutes(() => served, { runsPerOperation: 50 });

async function meaning(words: string, timezone?: string) {
  const query = new URLSearchParams({ string: words, ...(timezone && { timezone }) });
  const answer = await served.send({
    method: 'GET',
    url: `/api/tools/natural_date_tester?${query}`,
    headers: await served.userWith([]),
  });
  return [answer.statusCode, JSON.parse(answer.body)];
}

test('words become two instants in the zone, over a clock change too', async () => {
  // Clocks in New York went back on 1 November at 2 o'clock.
  expect(await meaning('yesterday 00:00 to 04:00', 'America/New_York')).toEqual([
    200,
    { from: '2026-11-01T04:00:00.000Z', to: '2026-11-01T09:00:00.000Z', timezone: 'America/New_York' },
  ]);
  expect(await meaning('last 5 minutes')).toEqual([
    200,
    { from: '2026-11-02T11:55:00.000Z', to: '2026-11-02T12:00:00.000Z', timezone: 'UTC' },
  ]);
});

test('words that mean nothing and unknown zones are refused with what was written', async () => {
  expect(await meaning('when pigs fly')).toEqual([
    400,
    expect.objectContaining({ message: expect.stringContaining('when pigs fly') }),
  ]);
  expect(await meaning('yesterday', 'Mars/Olympus')).toEqual([
    400,
    expect.objectContaining({ message: expect.stringContaining('Mars/Olympus') }),
  ]);
});
