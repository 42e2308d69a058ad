import { compilePermissions } from '@millrace/contract/permission-set';
import { expect, test } from 'vitest';
import { furtherPages, mainPages } from './pages.ts';

const found = (word: string, ...permissions: string[]) => {
  const allowed = compilePermissions(permissions);
  return [...mainPages(allowed), ...furtherPages(allowed)]
    .filter(({ label, keywords = [] }) => [label, ...keywords].join(',').toLowerCase().includes(word))
    .map(({ to }) => to);
};

test.each([
  ['audit', '/system/audit'],
  ['lookup', '/pipelines/lookup'],
  ['grok', '/pipelines/grok'],
  ['rules', '/pipelines/rules'],
  ['simulator', '/pipelines/simulator'],
  ['jobs', '/system/jobs'],
  ['settings', '/system/settings'],
  ['plugins', '/system/plugins'],
  ['tokens', '/me/tokens'],
  ['conditions', '/alerts/conditions'],
  ['roles', '/roles'],
  ['nodes', '/overview'],
  ['pause', '/streams'],
  ['new rule', '/pipelines/rules/new'],
])('%s finds %s', (word, page) => {
  expect(found(word, '*')).toContain(page);
});

test('what somebody may not open is not offered', () => {
  expect(found('', 'streams:read:5f')).toEqual([
    '/search',
    '/streams',
    '/alerts',
    '/welcome',
    '/me',
    '/alerts/past',
    '/alerts/conditions',
    '/alerts/notifications',
    '/system/licences',
    '/me/tokens',
  ]);
});
