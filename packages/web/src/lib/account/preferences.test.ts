import type { User } from '@millrace/contract';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { meQuery } from './me.tsx';
import { changedPreferences, keepPreferences, preferencesOf } from './preferences.ts';

test('a user who was asked for before a change does not take it back', async () => {
  const client = new QueryClient();
  const stored = { preferences: { other: 1, web: { density: 'normal' } } } as unknown as User;
  client.setQueryData(meQuery.queryKey, stored);
  const answer = Promise.withResolvers<User>();
  const asked = client
    .fetchQuery({ ...meQuery, staleTime: 0, queryFn: () => answer.promise })
    .catch(() => {});
  const changed = changedPreferences(stored.preferences, { density: 'compact' });
  expect(keepPreferences(client, changed)).toBe(true);
  answer.resolve(stored);
  await asked;
  const kept = client.getQueryData(meQuery.queryKey);
  expect(kept && preferencesOf(kept)).toMatchObject({ density: 'compact', wrapLines: false });
  expect(kept?.preferences).toMatchObject({ other: 1 });
  expect(keepPreferences(client, changed)).toBe(false);
  client.clear();
});
