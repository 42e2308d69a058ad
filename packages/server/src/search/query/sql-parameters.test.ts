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
