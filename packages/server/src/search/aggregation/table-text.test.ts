import type { TableResponse } from '@millrace/contract';
import { expect, test } from 'vitest';
import { renderCsvTable, renderTextTable } from './table-text.ts';

const table: TableResponse = {
  schema: [
    { column_type: 'grouping', type: 'string', field: 'source', name: 'grouping: source' },
    { column_type: 'metric', type: 'numeric', function: 'count', name: 'metric: count()' },
  ],
  datarows: [
    ['say "hi", then\nleave', 35_098],
    ['日本 🦀', -1.5],
    [['a', 'b'], '-'],
    [true, ''],
  ],
  metadata: {
    effective_timerange: {
      type: 'absolute',
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-01-02T00:00:00.000Z',
    },
  },
};

test('CSV quotes every cell', () => {
  expect(renderCsvTable(table)).toBe(
    [
      '"grouping: source","metric: count()"',
      '"say ""hi"", then\nleave","35098"',
      '"日本 🦀","-1.5"',
      '"[a, b]","-"',
      '"true",""',
      '',
    ].join('\n'),
  );
});

test('CSV escapes formulas on request', () => {
  const datarows = [
    ['=1+1', -1.5],
    ['@x', '-'],
    ['+49 30', '-5'],
    ['a=b', ['=x']],
  ];
  expect(
    renderCsvTable({ ...table, datarows }, { escapeFormulas: true })
      .split('\n')
      .slice(1, -1),
  ).toEqual(['"\'=1+1","-1.5"', '"\'@x","-"', '"\'+49 30","\'-5"', '"a=b","[=x]"']);
  expect(renderCsvTable({ ...table, datarows })).toContain('"=1+1"');
});

test('a text table has columns as wide as their cells and one line for each row', () => {
  expect(renderTextTable(table)).toBe(
    [
      '┌────────────────────┬───────────────┐',
      '│grouping: source    │metric: count()│',
      '├────────────────────┼───────────────┤',
      '│say "hi", then leave│35098          │',
      '│日本 🦀                │-1.5           │',
      '│[a, b]              │-              │',
      '│true                │               │',
      '└────────────────────┴───────────────┘',
      '',
    ].join('\n'),
  );
});

test('a table without rows', () => {
  expect(renderCsvTable({ ...table, datarows: [] })).toBe('"grouping: source","metric: count()"\n');
  expect(renderTextTable({ ...table, datarows: [] }).split('\n').length).toBe(5);
});
