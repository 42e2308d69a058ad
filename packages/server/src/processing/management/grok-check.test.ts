import { expect, test } from 'vitest';
import { createTimeGuard } from '#core/index.ts';
import { STOCK_GROK_PATTERNS } from '../rules/index.ts';
import { checkChange, type GrokChange } from './grok-check.ts';
import { createGrokThreads } from './grok-threads.ts';

const NO_USERS = { rules: [], extractors: [] };
const check = (change: Partial<GrokChange>) =>
  createGrokThreads().check({
    before: STOCK_GROK_PATTERNS,
    after: STOCK_GROK_PATTERNS,
    edited: [],
    users: NO_USERS,
    ...change,
  });
const adding = (patterns: Readonly<Record<string, string>>) => ({
  after: new Map([...STOCK_GROK_PATTERNS, ...Object.entries(patterns)]),
  edited: Object.keys(patterns),
});

test('every stock pattern is valid and fast', async () => {
  expect(await check({ before: new Map(), edited: [...STOCK_GROK_PATTERNS.keys()] })).toBeUndefined();
});

test.each(['(?:a+)+b', '(?:[a-z]+\\s?)+!', '^(\\d+:?)*x'])(
  '%s takes for ever, and is told apart',
  async (pattern) => {
    expect(await check(adding({ SLOW: pattern }))).toMatchObject({
      message: expect.stringContaining('SLOW takes longer'),
      path: 'pattern',
    });
  },
);

test('the first slow pattern of very many ends the check', async () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`SLOW${n}`, '(?:a+)+b']));
  expect((await check(adding(many)))?.message).toContain('SLOW0 takes longer');
});

test('the check ends when its time is over', () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`N${n}`, `${n}`]));
  let now = 0;
  // Every look at the clock takes ten milliseconds.
  const monotonic = { now: () => (now += 10) };
  const change = { before: STOCK_GROK_PATTERNS, users: NO_USERS, ...adding(many) };
  const problem = checkChange({ guard: createTimeGuard(), monotonic }, change);
  expect(problem?.message).toContain('take longer than 10 s to check');
});

test('who would stop working is named: patterns, rules and extractors, also those that refer to it through others', async () => {
  const before = new Map([...STOCK_GROK_PATTERNS, ['A', 'x'], ['B', '%{A}'], ['C', '%{B}'], ['D', 'y']]);
  const users = {
    rules: [
      { title: 'uses C', patterns: ['%{D}', '%{C:c}'] },
      { title: 'uses D', patterns: ['%{D}'] },
      { title: 'never worked', patterns: ['%{C}', '%{NOBODY}'] },
    ],
    extractors: [],
  };
  const after = new Map([...before].filter(([name]) => name !== 'A'));
  expect((await check({ before, after, users }))?.message).toBe(
    'It is used by the grok pattern B, the grok pattern C, the rule "uses C", which would stop working. Change them first.',
  );
  const changed = new Map([...before, ['A', 'z']]);
  expect(await check({ before, after: changed, edited: ['A'], users })).toBeUndefined();
});
