import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactNumber, JsonSyntaxError, NestedJson, nestedJsonAt, parseExactObject } from './exact-json.ts';

test('reads what JSON.parse reads, whatever the white space', () => {
  const document = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }));
  fc.assert(
    fc.property(document, fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const text = JSON.stringify(value, undefined, space);
      const expected = JSON.parse(text) as Record<string, unknown>;
      const members = parseExactObject(text);
      expect([...members.keys()].sort()).toEqual(Object.keys(expected).sort());
      for (const [name, member] of members) {
        // Numbers past 2^53 come as bigint or text here: compare their texts.
        const found = member instanceof NestedJson ? JSON.parse(member.text) : member;
        if (typeof expected[name] === 'number') expect(Number(found)).toBe(expected[name]);
        else expect(found).toEqual(expected[name]);
        if (member instanceof NestedJson) expect(member.text).not.toMatch(/^[[{]\s/);
      }
    }),
  );
});

test('cut or changed text is read or refused with a JsonSyntaxError, and what JSON.parse reads is read', () => {
  const document = fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
  fc.assert(
    fc.property(document, fc.nat(60), fc.string({ maxLength: 2 }), (value, at, put) => {
      const original = JSON.stringify(value);
      const text = original.slice(0, at) + put + original.slice(at + 1);
      let readable = true;
      try {
        readable = typeof JSON.parse(text) === 'object';
      } catch {
        readable = false;
      }
      try {
        parseExactObject(text);
      } catch (error) {
        expect(error).toBeInstanceOf(JsonSyntaxError);
        expect(readable && text.trimStart().startsWith('{')).toBe(false);
      }
    }),
    { numRuns: 500 },
  );
});

describe('numbers', () => {
  const cases: [string, boolean, number | bigint | string][] = [
    ['0', true, 0],
    ['-9007199254740991', true, -9007199254740991],
    ['9007199254740992', true, 9007199254740992n],
    ['-9223372036854775808', true, -9223372036854775808n],
    ['-9223372036854775809', true, '-9223372036854775809'],
    ['18446744073709551615', true, '18446744073709551615'],
    ['1e20', false, 1e20],
    ['1e400', false, '1e400'],
    ['0.5', false, 0.5],
  ];
  test.each(cases)('%s', (text, isInteger, value) => expect(exactNumber(text, isInteger)).toBe(value));
});

test('a nested value in the middle of a text', () => {
  expect(nestedJsonAt('{"a": {"b" : [1.0, {} , "}"] } }', 6)).toBe('{"b":[1.0,{},"}"]}');
});
