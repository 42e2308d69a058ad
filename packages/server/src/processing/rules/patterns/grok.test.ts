import { expect, test } from 'vitest';
import { compileGrok } from './grok.ts';
import { STOCK_GROK_PATTERNS } from './stock-patterns.ts';

function found(pattern: string, text: string): unknown {
  const match = compileGrok(pattern, STOCK_GROK_PATTERNS).match(text, true);
  return match && Object.fromEntries(match);
}

test('a group of its own can be referred to', () => {
  expect(found(String.raw`(?<quote>["'])(?<text>[^"']*)\k<quote>`, `say "it" now`)).toEqual({
    quote: '"',
    text: 'it',
  });
  expect(found(String.raw`(?<quote>["'])(?<text>[^"']*)\k<quote>`, `say "it' now`)).toBeUndefined();
});

test('what only looks like a group is a text', () => {
  expect(found(String.raw`\(?<main>\)? %{WORD:next}`, 'at (<main>) go')).toEqual({ next: 'go' });
  expect(found(String.raw`\\(?<rest>\w+)`, String.raw`C:\temp`)).toEqual({ rest: 'temp' });
});
