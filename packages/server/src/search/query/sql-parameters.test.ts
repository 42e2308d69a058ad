import { expect, test } from 'vitest';
import { createSqlParameters } from './sql-parameters.ts';

test('equal values of the same type share a placeholder', () => {
  const parameters = createSqlParameters();
  expect(parameters.add('1', 'String')).toBe('{p0:String}');
  expect(parameters.add(1, 'Float64')).toBe('{p1:Float64}');
  expect(parameters.add('1', 'String')).toBe('{p0:String}');
  expect(parameters.values).toEqual({ p0: '1', p1: 1 });
});

test('a thousand values need few parameters', () => {
  const parameters = createSqlParameters(2);
  const placeholders = ['a', 'b', 'c', 'd', 'c'].map((value) => parameters.add(value, 'String'));
  expect(placeholders).toEqual([
    '{p0:String}',
    '{p1:String}',
    '{list0:Array(String)}[1]',
    '{list0:Array(String)}[2]',
    '{list0:Array(String)}[1]',
  ]);
  expect(parameters.add(['x'], 'Array(String)')).toBe('{list1:Array(Array(String))}[1]');
  expect(parameters.values).toEqual({ p0: 'a', p1: 'b', list0: ['c', 'd'], list1: [['x']] });
});

test('lists of integers beyond 2^53 are bound and told apart', () => {
  const parameters = createSqlParameters();
  const one = [9_007_199_254_740_993n, 9_007_199_254_740_995n];
  const other = [9_007_199_254_740_993n, 9_007_199_254_740_997n];
  expect(parameters.add(one, 'Array(Int64)')).toBe('{p0:Array(Int64)}');
  expect(parameters.add([...one], 'Array(Int64)')).toBe('{p0:Array(Int64)}');
  expect(parameters.add(other, 'Array(Int64)')).toBe('{p1:Array(Int64)}');
  expect(parameters.values).toEqual({ p0: one, p1: other });
});
