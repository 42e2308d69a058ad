import { expect, test } from 'vitest';
import { parseJson } from './exact-json.ts';

test('whole numbers keep all their digits, and are numbers again in JSON', () => {
  const text = '{"a":9223372036854775807,"b":[-9223372036854775808,1],"c":{"d":9007199254740993}}';
  expect(parseJson(text)).toEqual({
    a: 9223372036854775807n,
    b: [-9223372036854775808n, 1],
    c: { d: 9007199254740993n },
  });
  expect(JSON.stringify(parseJson(text))).toBe(text);
});

test('everything else is read as ever', () => {
  for (const text of [
    '9007199254740991',
    // What a program that calculates in doubles has written has no more digits than these.
    '[120000000000000000,1e300,0.12345678901234567,1.7976931348623157e308]',
    '{"id":"12345678901234567890","minus":-0}',
    'null',
  ]) {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  }
  expect(() => parseJson('{"a":12345678901234567890')).toThrow(SyntaxError);
});
