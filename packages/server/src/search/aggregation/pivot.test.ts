import { MAX_GROUPS } from '@millrace/contract';
import { expect, test } from 'vitest';
import { type Grouping, pivotCells } from './pivot.ts';

test('too many groups are refused with the way out that the groups have', () => {
  const rows = Array.from({ length: MAX_GROUPS + 1 }, () => ({ group_0: '0' }));
  const cells = (grouping: Pick<Grouping, 'limit' | 'buckets'>) =>
    pivotCells(
      rows,
      {
        groupings: [
          {
            field: { requested: 'f', name: 'f', titles: undefined },
            skipsEmpty: false,
            isNumeric: false,
            ...grouping,
          },
        ],
        metrics: [],
        order: [],
      },
      [],
    );
  expect(() => cells({ limit: MAX_GROUPS + 1, buckets: undefined })).toThrow('Lower the limits in group_by.');
  const interval = { name: '1s', unit: 'second', count: 1 } as const;
  const buckets = { interval, expression: '', startOf: (key: number) => key, between: () => [] };
  expect(() => cells({ limit: undefined, buckets })).toThrow('Use a longer timeunit');
});
