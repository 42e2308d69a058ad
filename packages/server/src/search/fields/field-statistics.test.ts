import { fieldStatisticsRequestSchema } from '@millrace/contract';
import { expect, test } from 'vitest';
import { principalFor } from '#testing/api-fixture.ts';
import { createIdleSearch } from '#testing/idle-search.ts';
import { MAX_BUCKETS } from '../aggregation/bucket-keys.ts';

test('the number of buckets is bounded in the engine', async () => {
  const { search, metadata, statements } = await createIdleSearch();
  const principal = principalFor({ admin: ['*'] }, 'admin');
  if (principal === undefined) throw new Error('no such user');
  const request = fieldStatisticsRequestSchema.parse({ interval: 'second' });
  await search.fields.statistics({ principal }, 'took_ms', request);
  // One more than allowed, to detect too many.
  expect(statements.at(-1)).toContain(`groupArrayIf(${MAX_BUCKETS + 1})`);
  await metadata.close();
});
