import fc from 'fast-check';
import { expect, test } from 'vitest';
import { engineRegex } from './engine-regex.ts';
import { compileRegex } from './regexes.ts';

test.each([
  ['café?', 'caf(?:é)?'],
  ['日本語{0,2}x', '日本(?:語){0,2}x'],
  ['🦊*?é+', '(?:🦊)*?(?:é)+'],
  ['[é]?\\??é', '[é]?\\??é'],
  ['[]m]ple', '[\\]m]ple'],
  ['[^]x[:alpha:]\\]]é?', '[^\\]x[:alpha:]\\]](?:é)?'],
  ['\\Qa.bé\\E?c', 'a\\.b(?:é)?c'],
  ['\\Q\\d', '\\\\d'],
  ['(?P<name>é)?{', '(?P<name>é)?{'],
  ['plain|text?', 'plain|text?'],
])('%s is written as %s', (source, written) => {
  expect(engineRegex(source)).toBe(written);
});

test('it means the same', () => {
  const piece = fc.constantFrom(
    ...['a', 'b', 'é', '語', '🦊', '.', '[]a]', '[^]é]', '[a-é]', '\\]', '\\x{e9}', '\\pL', '|', ' '],
    ...['(?:', '(', ')', '?', '*', '+', '{1,2}', '??', '\\Qé.\\E', '\\Q]\\E', '^', '$', '\\b'],
  );
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '語', '🦊', ']', '.', ' '), maxLength: 8 });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.array(text, { maxLength: 8 }), (pieces, texts) => {
      const source = pieces.join('');
      const regex = compileRegex(source);
      fc.pre(regex !== undefined);
      const written = compileRegex(engineRegex(source));
      for (const each of texts) expect(written?.test(each), `${source}: ${each}`).toBe(regex?.test(each));
    }),
  );
});
