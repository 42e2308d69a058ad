import { describe, expect, test } from 'vitest';
import { KnownFields, TYPE_BITS, typeBit, typesOf } from './known-fields.ts';

const { string, number } = TYPE_BITS;

function namesOf(fields: KnownFields, streamIds?: readonly string[]): string[] {
  const names: string[] = [];
  fields.forEach((name, bits) => void names.push(`${name}: ${typesOf(bits).join()}`), streamIds);
  return names;
}

test('types as bits', () => {
  expect(typesOf(typeBit('x') | typeBit(1) | typeBit(true))).toEqual(['boolean', 'number', 'string']);
  expect(typesOf(typeBit(2n ** 60n))).toEqual(['number']);
  expect(typesOf(0)).toEqual([]);
});

describe('known fields', () => {
  test('tell what is new: in the index set, or only in some streams', () => {
    const fields = new KnownFields();
    expect(fields.add('a', string, ['s1'])).toEqual({ isNewInIndexSet: true, streamIds: ['s1'] });
    expect(fields.add('a', string, ['s1', 's2'])).toEqual({ isNewInIndexSet: false, streamIds: ['s2'] });
    expect(fields.add('a', string, ['s2'])).toBeUndefined();
    expect(fields.add('a', number, ['s2'])).toEqual({ isNewInIndexSet: true, streamIds: ['s2'] });
    expect(fields.add('b', number, [])).toEqual({ isNewInIndexSet: true, streamIds: [] });
    expect(namesOf(fields)).toEqual(['a: number,string', 'b: number']);
    expect(namesOf(fields, ['s1'])).toEqual(['a: string']);
    expect(namesOf(fields, ['s2', 'unknown'])).toEqual(['a: number,string']);
    expect(namesOf(fields, [])).toEqual([]);
  });

  test('are bounded in each index set', () => {
    const fields = new KnownFields({ names: 2 });
    for (const name of ['a', 'b', 'c']) fields.add(name, string, ['s1']);
    expect(fields.add('d', string, ['s2'])).toBeUndefined();
    expect(fields.add('a', string, ['s2'])).toEqual({ isNewInIndexSet: false, streamIds: ['s2'] });
    expect(namesOf(fields, ['s1'])).toEqual(['a: string', 'b: string']);
  });

  test('many names in some streams leave room for the others', () => {
    const fields = new KnownFields({ namesOfEachStream: 2, moreNamesOfStreams: 3 });
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const name of names) fields.add(name, string, ['s1', 's2']);
    expect([namesOf(fields, ['s1']).length, namesOf(fields, ['s2']).length]).toEqual([4, 3]);
    for (const name of names) fields.add(name, string, ['s3']);
    expect(namesOf(fields, ['s3'])).toEqual(['a: string', 'b: string']);
    expect(namesOf(fields)).toHaveLength(6);
    fields.forgetStream('s1');
    fields.forgetStream('unknown');
    for (const name of names) fields.add(name, string, ['s3']);
    expect(namesOf(fields, ['s3'])).toHaveLength(4);
    expect(namesOf(fields, ['s1'])).toEqual([]);
    expect(fields.streamIds).toEqual(['s2', 's3']);
  });
});
