import fs from 'node:fs';
import { expect, test } from 'vitest';
import { fromGraylogPath, PATHS } from './graylog-paths.ts';

test.each([
  ['/system/inputs', '/inputs'],
  ['/system/inputs/', '/inputs'],
  ['/system/nodes/1234', '/nodes/1234'],
  ['/system/threaddump/1234', '/nodes/1234?tab=threads'],
  ['/system/inputs/n/5f/extractors', '/inputs/5f?tab=extractors'],
  ['/system/inputs/n/5f/extractors/new', '/inputs/5f?tab=extractors'],
  ['/system/index_sets/5f/configuration', '/index-sets/5f/settings'],
  ['/system/indices/failures', '/search?s=000000000000000000000004&t=24h'],
  ['/system/users/edit/ann%2Flee', '/users/ann%2Flee'],
  ['/system/authentication/users/edit/ann', '/users/ann'],
  ['/system/authentication/roles', '/roles'],
  ['/system/pipelines/rules/5f', '/pipelines/rules/5f'],
  ['/alerts/definitions', '/alerts/conditions'],
  ['/streams/5f/alerts/6a', '/alerts/6a'],
  ['/streams/5f/edit', '/streams/5f/rules'],
  ['/dashboards/5f', '/search'],
])('%s leads to %s', (theirs, ours) => {
  expect(fromGraylogPath(theirs)).toBe(ours);
});

test.each(['/system/audit', '/nothing', '/system/inputsx', '//evil.example/system/inputs'])(
  '%s is no page of Graylog',
  (path) => {
    expect(fromGraylogPath(path)).toBeUndefined();
  },
);

/** Read as text: the routes themselves need a browser. */
const ROUTES = [
  ...fs.readFileSync(new URL('./routes.tsx', import.meta.url), 'utf8').matchAll(/ path: '(\/[^']*)'/g),
].map(([, path]) => new RegExp(`^${path?.replace(/\$\w+/g, '[^/]+')}$`));

test.each([...new Set(PATHS.map(([, ours]) => ours))])('%s is a page', (ours) => {
  const path = ours.replace(/\?.*/, '');
  expect(ROUTES.some((route) => route.test(path))).toBe(true);
});
