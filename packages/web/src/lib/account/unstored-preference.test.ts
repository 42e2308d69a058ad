import { MutationObserver, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { forgetAnswered, SAVING } from './preferences.ts';
import { SAVING_ZONE } from './time-zone.ts';
import { unstoredPreference } from './unstored-preference.ts';

test('a preference counts as not stored until a later request of its kind is under way or stored it', async () => {
  const client = new QueryClient();
  const send = (mutationKey: string[], answer: () => Promise<void>) =>
    new MutationObserver(client, { mutationKey, mutationFn: answer }).mutate().catch(() => {});
  const refuse = () => Promise.reject(new Error('The disk is full.'));
  const store = () => Promise.resolve();

  await send(['streams'], refuse);
  expect(unstoredPreference(client)).toBeUndefined();
  await send(SAVING, refuse);
  expect(unstoredPreference(client)?.state.error?.message).toBe('The disk is full.');
  await send(SAVING_ZONE, store);
  expect(unstoredPreference(client)).toBeDefined();
  const held = Promise.withResolvers<void>();
  const later = send(SAVING, () => held.promise);
  expect(unstoredPreference(client)).toBeUndefined();
  held.resolve();
  await later;
  expect(unstoredPreference(client)).toBeUndefined();
  await send(SAVING_ZONE, refuse);
  expect(unstoredPreference(client)).toBeDefined();
  client.clear();
});

test('what failed before does not come back when a later one is forgotten', async () => {
  const client = new QueryClient();
  const observer = new MutationObserver(client, {
    mutationKey: SAVING,
    mutationFn: () => Promise.reject(new Error('The disk is full.')),
  });
  await observer.mutate().catch(() => {});
  await observer.mutate().catch(() => {});
  forgetAnswered(client, SAVING);
  expect(unstoredPreference(client)).toBeUndefined();
});
