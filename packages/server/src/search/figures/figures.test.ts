import { expect, test } from 'vitest';
import { principalFor } from '#testing/api-fixture.ts';
import { createIdleSearch } from '#testing/idle-search.ts';

test('the index of words is asked only in WHERE: it alone knows words in any case', async () => {
  const { search, metadata, statements } = await createIdleSearch();
  const principal = principalFor({ admin: ['*'] }, 'admin');
  if (principal === undefined) throw new Error('no such user');
  const metric = { function: 'count', field: undefined, configuration: undefined };
  const measure = (...queries: string[]) => {
    const figures = queries.map((query) => ({ metric, queries: [query], from: 1, to: 2 }));
    const measurement = { figures, groupBy: [], limit: 1 };
    return search.figures.measure({ principal }, { streams: [], basis: 'message' }, [measurement]);
  };
  await measure('error', 'one OR two OR three OR four OR five');
  await measure('error', 'NOT fine', '*');
  await measure('error', 'error');
  const [withIndex = '', without = '', common = ''] = statements;
  const columns = (sql: string) => sql.slice(0, sql.indexOf(' WHERE '));
  expect(withIndex.slice(withIndex.indexOf(' WHERE '))).toContain('Tokens(text,');
  expect(columns(withIndex)).toContain('lowerUTF8(text)');
  expect(columns(withIndex)).not.toContain('Tokens(text,');
  expect(without).not.toContain('Tokens(text,');
  // What all figures ask for need not be read once more.
  expect(columns(common)).not.toContain('text');
  expect(common).toContain('Tokens(text,');
  await metadata.close();
});
