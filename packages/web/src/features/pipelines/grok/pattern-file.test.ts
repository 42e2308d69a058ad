import { expect, test } from 'vitest';
import { readPatternFile } from './pattern-file.ts';

test('a file of patterns is read line by line, without comments', () => {
  expect(readPatternFile('# numbers\nINT (?:[+-]?\\d+)\r\n\nPAIR %{INT:a} %{INT:b} ')).toEqual({
    patterns: [
      { name: 'INT', pattern: '(?:[+-]?\\d+)' },
      { name: 'PAIR', pattern: '%{INT:a} %{INT:b}' },
    ],
    wrongLine: undefined,
  });
  expect(readPatternFile('INT \\d+\nlonely').wrongLine).toBe(2);
});
