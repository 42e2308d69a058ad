import { compilePermissions } from '@millrace/contract/permission-set';
import { expect, test } from 'vitest';
import { reachableEntries } from './navigation.ts';

const pagesOf = (...permissions: string[]) =>
  reachableEntries(compilePermissions(permissions)).map(({ to }) => to);

test('pipelines are in the rail of whoever may read one of the pages there', () => {
  expect(pagesOf()).toEqual(['/search']);
  for (const permission of [
    'pipeline:read',
    'pipeline_rule:read',
    'lookuptables:read',
    'lookuptables:read:5f',
  ]) {
    expect(pagesOf(permission)).toEqual(['/search', '/pipelines']);
  }
  expect(pagesOf('inputs:read')).toEqual(['/search', '/inputs', '/pipelines']);
});
