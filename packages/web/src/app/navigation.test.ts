import { compilePermissions } from '@millrace/contract/permission-set';
import { expect, test } from 'vitest';
import { reachableEntries } from './navigation.ts';

const pagesOf = (...permissions: string[]) =>
  reachableEntries(compilePermissions(permissions)).map(({ to }) => to);

test('pipelines are in the rail of whoever may read one of the pages there', () => {
  expect(pagesOf()).toEqual(['/search']);
  for (const permission of ['pipeline:read', 'pipeline:read:5f', 'pipeline_rule:read', 'lookuptables:read']) {
    expect(pagesOf(permission)).toEqual(['/search', '/pipelines']);
  }
  // The lists of lookup tables and grok patterns need the permission for all.
  expect(pagesOf('lookuptables:read:5f')).toEqual(['/search']);
  expect(pagesOf('inputs:read:5f')).toEqual(['/search', '/inputs']);
  expect(pagesOf('inputs:read')).toEqual(['/search', '/inputs', '/pipelines']);
});
