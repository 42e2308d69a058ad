import { aggregateRequestSchema } from '@millrace/contract';
import { expect, test } from 'vitest';
import { useStoredSamples } from '#testing/aggregation-fixture.ts';
import { numbersOf } from '#testing/aggregation-samples.ts';

const samples = useStoredSamples();

const aggregate = (request: object) => {
  const everything = { timerange: { type: 'relative', range: 0 }, ...request };
  const { search, admin } = samples();
  return search.tables.aggregate({ principal: admin }, aggregateRequestSchema.parse(everything));
};

test('groups by ranges of numbers, with the names that Elasticsearch gives them', async () => {
  const ranges = [{ to: 2 }, { from: 2, to: 3.5 }, { from: 3.5 }, { from: 0 }];
  const { datarows, schema } = await aggregate({
    group_by: [{ field: 'level', ranges }],
    metrics: [{ function: 'count' }, { function: 'max', field: 'level' }],
  });
  const within = (from: number, to: number) => numbersOf('level').filter((each) => each >= from && each < to);
  const row = (name: string, of: number[]) => [name, of.length, Math.max(...of)];
  expect(datarows).toEqual([
    row('*-2.0', within(0, 2)),
    row('2.0-3.5', within(2, 3.5)),
    row('3.5-*', within(3.5, 9)),
    row('0.0-*', within(0, 9)),
  ]);
  expect(schema[0]).toEqual({
    column_type: 'grouping',
    type: 'string',
    field: 'level',
    name: 'grouping: level',
  });
  // Texts, even those that look like numbers, and messages without the field are in no range.
  const ofStatus = await aggregate({
    group_by: [{ field: 'status', ranges: [{ from: 400, to: 500 }] }],
    metrics: [{ function: 'count' }],
  });
  const expected = numbersOf('status').filter((each) => each >= 400 && each < 500).length;
  expect(ofStatus.datarows).toEqual([['400.0-500.0', expected]]);
});

test('a group has one kind of key, and only times are grouped by time', async () => {
  const refused = (grouping: object) =>
    expect(() => aggregate({ group_by: [grouping], metrics: [{ function: 'count' }] })).rejects;
  await refused({ field: 'source', timeunit: '1h' }).toThrow('The field "source" holds no times');
  await refused({ field: 'level', limit: 2, ranges: [{ to: 2 }] }).toThrow('Only one attribute');
});
