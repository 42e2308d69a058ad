import { aggregateRequestSchema, messagesRequestSchema } from '@millrace/contract';
import { expect, test } from 'vitest';
import { principalFor } from '#testing/api-fixture.ts';
import { createIdleSearch } from '#testing/idle-search.ts';

test('stream categories are refused, because ignoring them would search more than requested', async () => {
  const { search, metadata, statements } = await createIdleSearch();
  const principal = principalFor({ admin: ['*'] }, 'admin');
  if (principal === undefined) throw new Error('no such user');
  const searched = { stream_categories: ['firewall'] };
  const refused = { code: 'invalid_request', message: expect.stringContaining('"firewall"') };
  const messages = messagesRequestSchema.parse(searched);
  await expect(search.tables.messages({ principal }, messages)).rejects.toMatchObject(refused);
  const figures = aggregateRequestSchema.parse({ ...searched, metrics: [{ function: 'count' }] });
  await expect(search.tables.aggregate({ principal }, figures)).rejects.toMatchObject(refused);
  expect(statements).toEqual([]);
  await search.tables.messages({ principal }, messagesRequestSchema.parse({ stream_categories: [] }));
  await metadata.close();
});
