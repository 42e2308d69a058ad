import { viewSearchRequestSchema } from '@millrace/contract';
import { expect, onTestFinished, test } from 'vitest';
import { principalFor } from '#testing/api-fixture.ts';
import { createIdleSearch } from '#testing/idle-search.ts';
import { VALUE_KINDS } from '../aggregation/field-values.ts';
import type { Searches } from '../execution/index.ts';
import { createViewSearches } from './index.ts';

test('the latest value may be a dash; only one that is missing is null', async () => {
  const { search, metadata, clock } = await createIdleSearch();
  onTestFinished(() => metadata.close());
  const principal = principalFor({ admin: ['*'] }, 'admin');
  if (principal === undefined) throw new Error('no such user');
  const text = VALUE_KINDS.indexOf('string');
  const row = { figure_0: [['-', text], '1'], figure_1: [['', text], '0'], figure_2: null, figure_3: '2' };
  const searches = { ...search.searches, rows: async () => [row] } as unknown as Searches;
  const series = [
    { type: 'latest', field: 'user' },
    { type: 'latest', field: 'gone' },
    { type: 'avg', field: 'gone' },
  ];
  const request = viewSearchRequestSchema.parse({
    queries: [{ id: 'q', search_types: [{ id: 'p', type: 'pivot', series }] }],
  });
  const views = createViewSearches({ searches, messages: search.messages, clock });
  const { results } = await views.run({ principal }, request);
  const values = series.map(({ type, field }, at) => ({
    key: [`${type}(${field})`],
    value: ['-', null, null][at],
  }));
  expect(results.q?.search_types.p).toMatchObject({ rows: [{ values }] });
});
