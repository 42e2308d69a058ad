import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compilePermissions, grantImplies } from './permission-set.ts';
import { permissionSchema } from './permissions.ts';

const name = fc.constantFrom('streams', 'users', 'read', 'edit', '1', '2', '*');
const part = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join(','));
const permission = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(':'));

describe('one grant', () => {
  test.each([
    ['*', 'streams:read:1', true],
    ['*', '*', true],
    ['streams', 'streams:read', true],
    ['streams:read', 'streams:read:1', true],
    ['streams:read:1', 'streams:read', false],
    ['streams:read:1', 'streams:read:1', true],
    ['streams:read:1', 'streams:read:2', false],
    ['streams:read:1', 'streams:read:1:more', true],
    ['streams:*', 'streams:edit:7', true],
    ['streams:*:7', 'streams:edit:7', true],
    ['streams:*:7', 'streams:edit:8', false],
    ['streams:*:7', 'streams:edit', false],
    ['streams:read:*', 'streams:read', true],
    ['*:read', 'streams:read:1', true],
    ['*:read', 'streams:edit', false],
    ['*:*:*', 'streams', true],
    ['streams:read,edit', 'streams:edit:1', true],
    ['streams:read,edit', 'streams:changestate', false],
    ['streams:read:1,2', 'streams:read:2', true],
    ['streams:read:1,2', 'streams:read:1,2', true],
    ['streams:read:1', 'streams:read:1,2', false],
    ['streams:read', 'Streams:read', false],
    ['users:edit:Anna', 'users:edit:anna', false],
    ['streams:read', 'streams:*', false],
    ['stream', 'streams:read', false],
  ])('%s implies %s: %s', (grant, asked, expected) => {
    expect(grantImplies(grant, asked)).toBe(expected);
    expect(compilePermissions([grant]).implies(asked)).toBe(expected);
  });
});

test('the compiled set always agrees with the definition', () => {
  fc.assert(
    fc.property(fc.array(permission, { maxLength: 8 }), permission, (grants, asked) => {
      expect(compilePermissions(grants).implies(asked)).toBe(
        grants.some((grant) => grantImplies(grant, asked)),
      );
    }),
    { numRuns: 3000 },
  );
});

test('a grant implies itself, and more grants never take anything away', () => {
  fc.assert(
    fc.property(fc.array(permission, { maxLength: 6 }), permission, permission, (grants, more, asked) => {
      expect(compilePermissions([more]).implies(more)).toBe(true);
      if (compilePermissions(grants).implies(asked)) {
        expect(compilePermissions([...grants, more]).implies(asked)).toBe(true);
      }
    }),
  );
});

test('the instances of a permission are those for which it is implied', () => {
  fc.assert(
    fc.property(fc.array(permission, { maxLength: 6 }), (grants) => {
      const set = compilePermissions(grants);
      const instances = set.instancesOf('streams:read');
      for (const id of ['1', '2', 'absent']) {
        const reached = instances === 'all' || instances.has(id) || instances.has('*');
        expect(reached).toBe(set.implies(`streams:read:${id}`));
      }
    }),
    { numRuns: 1000 },
  );
});

test('an instance from a path is one literal part, whatever is in it', () => {
  const set = compilePermissions(['users:edit:local', 'users:list,create:local', 'streams:*:7']);
  expect(set.implies('users:edit', 'local')).toBe(true);
  expect(set.implies('users:list', 'local')).toBe(true);
  expect(set.implies('streams:read', '7')).toBe(true);
  for (const instance of ['local:admin', 'local,local', '*', '', 'LOCAL', 'local:', '7:8']) {
    expect(set.implies('users:edit', instance)).toBe(false);
    expect(set.implies('users:list', instance)).toBe(false);
    expect(set.implies('streams:read', instance)).toBe(false);
  }
  expect(compilePermissions(['*']).implies('users:edit', 'a:b,*')).toBe(true);
  expect(compilePermissions(['users:edit']).implies('users:edit', 'a:b,*')).toBe(true);
});

test('instancesOf tells all from some from none', () => {
  expect(compilePermissions(['*']).instancesOf('streams:read')).toBe('all');
  expect(compilePermissions(['streams:read:*']).instancesOf('streams:read')).toBe('all');
  expect(
    compilePermissions(['streams:read:1,2', 'streams:*:3', 'streams:edit:4']).instancesOf('streams:read'),
  ).toEqual(new Set(['1', '2', '3']));
  expect(compilePermissions(['streams:edit']).instancesOf('streams:read')).toEqual(new Set());
  expect(compilePermissions([]).implies('streams:read')).toBe(false);
});

describe('the syntax of a permission', () => {
  test.each(['*', 'streams:read', 'streams:read:5c3b', 'a,b:c', 'users:edit:Jürgen'])('%s is one', (text) => {
    expect(permissionSchema.safeParse(text).success).toBe(true);
  });
  test.each(['', ':', 'a:', ':a', 'a::b', 'a,', ',a', 'a b', 'a:\u0000', 'a:b\r\n', 'x'.repeat(600)])(
    '%j is none',
    (text) => {
      expect(permissionSchema.safeParse(text).success).toBe(false);
    },
  );
});
