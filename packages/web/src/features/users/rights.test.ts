import { expect, test } from 'vitest';
import { permissionsOf, rightsOf } from './rights.ts';

const [A, B] = ['a'.repeat(24), 'b'.repeat(24)];

test('rights to streams are told from other permissions, and become the same strings again', () => {
  const permissions = ['inputs:read', `streams:read:${A}`, `streams:read:${B}`, `streams:edit:${B}`];
  const rights = rightsOf(permissions);
  expect(rights).toEqual({
    streams: [
      { streamId: A, level: 'read' },
      { streamId: B, level: 'edit' },
    ],
    others: ['inputs:read'],
  });
  expect(permissionsOf(rights)).toEqual(permissions);
});

test('what is about all streams, or about more than a stream, stays as it is', () => {
  const odd = ['streams:read', 'streams:*', `streams:changestate:${A}`, `streams:read:${A},${B}`, '*'];
  expect(rightsOf(odd)).toEqual({ streams: [], others: odd });
  expect(permissionsOf(rightsOf(odd))).toEqual(odd);
});

test('the right to edit alone does not become the right to read', () => {
  expect(rightsOf([`streams:edit:${A}`])).toEqual({ streams: [], others: [`streams:edit:${A}`] });
  expect(permissionsOf(rightsOf([`streams:edit:${A}`]))).toEqual([`streams:edit:${A}`]);
});
