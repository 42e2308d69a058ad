import { expect, test } from 'vitest';
import { orderedRecord } from './ordered-record.ts';
import { type TermRow, termsOf } from './terms.ts';

test('keys keep their order, including integers', () => {
  const entries = [
    ['404', 9],
    ['b', 5],
    ['200', 3],
    ['__proto__', 2],
    ['-1', 1],
  ] as const;
  const record = orderedRecord(entries);
  expect(JSON.stringify(record)).toBe('{"404":9,"b":5,"200":3,"__proto__":2,"-1":1}');
  expect(Object.entries(record)).toEqual(entries);
  expect({ ...record, more: 1 }).toEqual(Object.fromEntries([...entries, ['more', 1]]));
  expect(record['200']).toBe(3);
});

test('the most frequent term comes first', () => {
  const row = (value: string, messages: number): TermRow => ({
    value_0: value,
    messages,
    counted: 15,
    missing: 0,
    total: 15,
  });
  const { terms, terms_mapping } = termsOf([row('500', 8), row('x', 4), row('200', 3)], ['status']);
  expect(JSON.stringify(terms)).toBe('{"500":8,"x":4,"200":3}');
  expect(Object.keys(terms_mapping)).toEqual(['500', 'x', '200']);
});
