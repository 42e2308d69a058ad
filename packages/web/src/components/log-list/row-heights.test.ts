import fc from 'fast-check';
import { expect, test } from 'vitest';
import { movedColumn, widthsIn, withColumn, withWidth } from './columns.ts';
import { rowLines, wrappedLines } from './row-heights.ts';

test.each([
  ['', 10, 1],
  ['0123456789', 10, 1],
  ['0123456789a', 10, 2],
  ['a\nb', 10, 2],
  ['a\nb\n', 10, 2],
  ['\n', 10, 1],
  ['a\n\nb', 10, 3],
  ['x'.repeat(5000), 100, 20],
])('%j in lines of %d takes %d', (text, perLine, lines) => {
  expect(wrappedLines(text, perLine)).toBe(lines);
});

test.each(['größe', '漢字', 'tab\there', '\u001b[31mred', 'e\u0301', '\u202e'])('%j is measured', (text) => {
  expect(wrappedLines(text, 80)).toBeUndefined();
});

test('as many lines as a terminal of that width would need', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), fc.integer({ min: 1, max: 120 }), (text, perLine) => {
      const lines = wrappedLines(text, perLine);
      if (lines === undefined) return;
      const drawn = text
        .split('\n')
        .flatMap((line) => line.match(new RegExp(`.{1,${perLine}}`, 'g')) ?? ['']);
      if (text.endsWith('\n')) drawn.pop();
      expect(lines).toBe(Math.max(1, drawn.length));
    }),
  );
});

test('the longest cell decides', () => {
  const columns = [{ field: 'source', width: 82 }, { field: 'message' }];
  const widths = widthsIn(300, columns, false);
  expect(widths).toEqual([82, 218]);
  const lines = (source: string, message: string) =>
    rowLines(
      { id: '', index: '', timestamp: 0, fields: { source, message }, marks: {} },
      { columns, widths, characterWidth: 7 },
    );
  expect(lines('web-1', 'short')).toBe(1);
  expect(lines('web-1', 'x'.repeat(60))).toBe(3);
  expect(lines('x'.repeat(41), 'short')).toBe(5);
});

test('columns are added before the message, moved and resized', () => {
  const columns = ['timestamp', 'level', 'message'].map((field) => ({ field }));
  const names = (list: readonly { field: string; width?: number }[]) =>
    list.map(({ field }) => field).join(' ');
  expect(names(withColumn(columns, 'user'))).toBe('timestamp level user message');
  expect(names(movedColumn(columns, 'message', 0))).toBe('message timestamp level');
  expect(names(movedColumn(columns, 'timestamp', 9))).toBe('level message timestamp');
  expect(withWidth(columns, 'level', 5)[1]).toEqual({ field: 'level', width: 40 });
});
