import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseQuery } from './index.ts';

/** The queries in docs/search.md must parse without a warning. */
const manual = readFileSync(new URL('../../../docs/search.md', import.meta.url), 'utf8');
const examples = manual
  .slice(manual.indexOf('## Examples'), manual.indexOf('## How a query is read'))
  .matchAll(/^\| `(.+?)` \|/gm);

test('every example in the manual is a valid query', () => {
  const queries = [...examples].map(([, query]) => query as string);
  expect(queries.length).toBeGreaterThan(25);
  for (const query of queries) expect(parseQuery(query).problems, query).toEqual([]);
});
