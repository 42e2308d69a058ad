import { expect, test } from 'vitest';
import { BUDGETS } from '../../bench/support/web-budgets.ts';
import { pageScripts } from '../support/web-bundle.ts';

const KILOBYTE = 1000;
/** Each is a request, and a browser makes six at a time. */
const MOST_FILES = 20;

test.each([
  ['search', BUDGETS.bundle.limit],
  // Nobody should wait for the editor of queries, for charts or for the palette to see a list of streams.
  ['streams', BUDGETS.bundle.limit],
  ['login', 220],
])('the page %s loads little before its lazy parts', (feature, limit) => {
  const { files, gzipped } = pageScripts(`src/features/${feature}/page.tsx`);
  expect(gzipped / KILOBYTE).toBeLessThan(limit);
  expect(files.length).toBeLessThanOrEqual(MOST_FILES);
});
