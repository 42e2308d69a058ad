import { expect, test } from 'vitest';
import { changesOf, rebased, type UserDraft } from './user-draft.ts';

const STREAM = 'a'.repeat(24);
const base: UserDraft = {
  fullName: 'Ann Lee',
  email: 'ann@example.org',
  timeout: { amount: 8, unit: 'hours' },
  roles: ['Reader'],
  rights: { streams: [{ streamId: STREAM, level: 'read' }], others: ['inputs:read'] },
};

test('only what differs is sent', () => {
  expect(changesOf(base, base)).toEqual({});
  expect(changesOf({ ...base, fullName: ' Ann B. Lee ' }, base)).toEqual({ full_name: 'Ann B. Lee' });
  expect(changesOf({ ...base, email: 'lee@example.org' }, base)).toEqual({ email: 'lee@example.org' });
  expect(changesOf({ ...base, timeout: { amount: '30', unit: 'minutes' } }, base)).toEqual({
    session_timeout_ms: 1_800_000,
  });
  expect(changesOf({ ...base, timeout: { amount: 480, unit: 'minutes' } }, base)).toEqual({});
  expect(changesOf({ ...base, roles: [] }, base)).toEqual({ roles: [] });
  expect(changesOf({ ...base, rights: { ...base.rights, others: [] } }, base)).toEqual({
    permissions: [`streams:read:${STREAM}`],
  });
});

test('after saving the form shows what is stored, and keeps what was typed meanwhile', () => {
  const sent = { ...base, fullName: 'Ann B. Lee' };
  const stored = { ...sent, roles: [], rights: { streams: [], others: [] } };
  expect(rebased(sent, sent, stored)).toEqual(stored);
  expect(rebased({ ...sent, email: 'new@example.org' }, sent, stored)).toEqual({
    ...stored,
    email: 'new@example.org',
  });
});
