import { compilePermissions, PERMISSION_CATALOGUE, READER_PERMISSIONS } from '@millrace/contract';
import { expect, test } from 'vitest';
import { permissionCatalogue, readerPermissions, selfPermissions } from './permissions.ts';

test('users may edit their own account and no other', () => {
  const set = compilePermissions(selfPermissions('anna'));
  for (const action of ['edit', 'passwordchange', 'tokenlist', 'tokencreate', 'tokenremove']) {
    expect(set.implies(`users:${action}:anna`)).toBe(true);
    expect(set.implies(`users:${action}:bob`)).toBe(false);
    expect(set.implies(`users:${action}`)).toBe(false);
  }
  expect(set.implies('users:list')).toBe(false);
});

test('a reader may read the system but no stream', () => {
  const set = compilePermissions(readerPermissions('anna'));
  for (const granted of READER_PERMISSIONS) expect(set.implies(granted)).toBe(true);
  expect(set.implies('streams:read:000000000000000000000001')).toBe(false);
  expect(set.implies('users:edit:anna')).toBe(true);
});

test('the catalogue contains all permissions of readers and of own accounts', () => {
  const known = new Set(
    Object.entries(PERMISSION_CATALOGUE).flatMap(([group, actions]) =>
      actions.map((action) => `${group}:${action}`),
    ),
  );
  for (const granted of READER_PERMISSIONS) expect(known).toContain(granted);
  expect(permissionCatalogue().streams).toEqual(['changestate', 'create', 'edit', 'read']);
});
