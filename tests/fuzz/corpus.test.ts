/** Replays the corpus of `npm run bench -- fuzz`: what once found a fault never finds it again. */
import { describe, expect, test } from 'vitest';
import { corpusOf } from '../support/fuzz-corpus.ts';
import { FUZZ_TARGETS } from '../support/fuzz-targets.ts';

describe.each(Object.entries(FUZZ_TARGETS))('%s', (name, target) => {
  test.each(corpusOf(name))('$name', async ({ bytes }) => {
    expect(await target(bytes)).not.toBe('');
  });
});
