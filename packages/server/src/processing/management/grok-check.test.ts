import { expect, test } from 'vitest';
import { STOCK_GROK_PATTERNS } from '../rules/index.ts';
import { requireFast, requireValid } from './grok-check.ts';
import { createGrokThreads } from './grok-threads.ts';

test('every stock pattern is valid and fast', async () => {
  const names = [...STOCK_GROK_PATTERNS.keys()];
  requireValid(names, STOCK_GROK_PATTERNS);
  await requireFast(createGrokThreads(), names, STOCK_GROK_PATTERNS);
});

test.each(['(?:a+)+b', '(?:[a-z]+\\s?)+!', '^(\\d+:?)*x'])(
  '%s takes for ever, and is told apart',
  async (pattern) => {
    const patterns = new Map([...STOCK_GROK_PATTERNS, ['SLOW', pattern]]);
    await expect(requireFast(createGrokThreads(), ['SLOW'], patterns)).rejects.toThrow('SLOW takes longer');
  },
);
