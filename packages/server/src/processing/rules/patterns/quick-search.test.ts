import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileJavaRegex } from './java-regex.ts';
import { quickSearch } from './quick-search.ts';

const LEADING = ['.*', '.+', '.*?', '.{2,}', '(.*)', '(?:(.*?))', '(?s).*', '(?s)(.+?)', '(?i).*', '((.*)b)'];
const OTHERS = ['(.*)+', '.*|b', '(.*|b)a', '.?', 'a.*', '^.*', '(?=.*a)', '.{0,3}'];
const RESTS = ['', 'a', '(a|b)', 'b$', '(?<=a)b', '\\1', 'x', ' (\\S+)', '.*?a', '(?<!a)b'];

test.each([...LEADING, ...OTHERS])('%s finds the same first match, whatever follows', (start) => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', 'A', 'x', ' ', '\n', '\r', '\u2028'),
    maxLength: 20,
  });
  fc.assert(
    fc.property(fc.constantFrom(...RESTS), text, (rest, given) => {
      if (rest === '\\1' && !/\([^?]/.test(start)) return;
      const { regex } = compileJavaRegex(start + rest);
      const [found, quickly] = [regex.exec(given), quickSearch(regex).exec(given)];
      expect(quickly && [quickly.index, ...quickly]).toEqual(found && [found.index, ...found]);
    }),
    { numRuns: 300 },
  );
});

test('only an expression that begins with anything is changed', () => {
  for (const start of LEADING) {
    const { regex } = compileJavaRegex(`${start}a`);
    expect(quickSearch(regex).source, start).not.toBe(regex.source);
  }
  for (const start of OTHERS) {
    const { regex } = compileJavaRegex(start);
    expect(quickSearch(regex).source, start).toBe(regex.source);
  }
});
