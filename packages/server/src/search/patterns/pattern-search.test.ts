import { patternRequestSchema } from '@millrace/contract';
import { expect, onTestFinished, test } from 'vitest';
import type { Principal } from '#core/index.ts';
import { principalFor } from '#testing/api-fixture.ts';
import { createIdleSearch } from '#testing/idle-search.ts';

test('a node limits parallel pattern searches of all users, because their samples are in memory', async () => {
  const held = Promise.withResolvers<void>();
  const { search, metadata, statements } = await createIdleSearch({ engine: () => held.promise });
  onTestFinished(() => metadata.close());
  const names = Array.from({ length: 11 }, (_, number) => `user-${number}`);
  const users = Object.fromEntries(names.map((name) => [name, ['*']]));
  const request = patternRequestSchema.parse({ query: '*' });
  // Two run and eight wait; only the eleventh is refused before the engine answers.
  const asked = names.map((name) =>
    search.patterns.find({ principal: principalFor(users, name) as Principal }, request),
  );
  await expect(Promise.race(asked)).rejects.toThrow('already finding patterns for 2 searches');
  expect(statements).toHaveLength(2);
  held.resolve();
  const outcomes = await Promise.allSettled(asked);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
});
