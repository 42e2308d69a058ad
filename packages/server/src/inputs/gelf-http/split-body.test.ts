import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { splitBody } from './split-body.ts';

function split(text: string, maxMessages = 1000): string[] | string {
  const body = Buffer.from(text);
  const result = splitBody(body, { allowBulk: true, maxMessages, maxMessageBytes: 1_000_000 });
  if (result.kind === 'single') return [body.toString('utf8', result.start, result.end)];
  if (result.kind === 'bulk')
    return result.starts.map((start, i) => body.toString('utf8', start, result.ends[i]));
  return result.kind === 'broken' ? result.reason : result.kind;
}

/** As it is after a journey through JSON, which knows no -0. */
function asJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

const space = fc.constantFrom('', ' ', '\n', '\r\n\t ');

describe('splitBody', () => {
  it('finds the elements of any JSON array', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 8 }), space, space, (values, before, after) => {
        const elements = values.map((value) => `${before}${JSON.stringify(value)}${after}`);
        const parts = split(`${before}[${elements.join(',')}]${after}`);
        expect(Array.isArray(parts) && parts.map((part) => JSON.parse(part))).toEqual(asJson(values));
      }),
    );
  });

  it('finds the objects of lines, and a single object however it is laid out', () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue());
    fc.assert(
      fc.property(
        fc.array(object, { minLength: 1, maxLength: 6 }),
        fc.constantFrom('\n', '\r\n'),
        (values, end) => {
          const lines = split(values.map((value) => JSON.stringify(value) + end).join(''));
          expect(Array.isArray(lines) && lines.map((line) => JSON.parse(line))).toEqual(asJson(values));
          const [first] = values;
          const pretty = JSON.stringify(first, null, 2);
          expect(split(`${end}${pretty}${end}`)).toEqual([pretty]);
        },
      ),
    );
  });

  it('never throws and only hands out bytes of the body', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const result = splitBody(Buffer.from(bytes), {
          allowBulk: true,
          maxMessages: 10,
          maxMessageBytes: 100,
        });
        if (result.kind !== 'bulk') return;
        let last = 0;
        for (const [i, start] of result.starts.entries()) {
          expect(start).toBeGreaterThanOrEqual(last);
          last = result.ends[i]!;
          expect(last).toBeGreaterThanOrEqual(start);
        }
        expect(last).toBeLessThanOrEqual(bytes.length);
      }),
      { numRuns: 500 },
    );
  });

  it('never parses more than a message may have', () => {
    const parse = vi.spyOn(JSON, 'parse');
    const line = `{"a":"${'x'.repeat(100)}"}\n`;
    const split = (text: string) =>
      splitBody(Buffer.from(text), { allowBulk: true, maxMessages: 10_000, maxMessageBytes: 1000 });
    try {
      expect(split(`{broken\n${line.repeat(1000)}`)).toMatchObject({ kind: 'bulk' });
      expect(split(`{"a": [\n${'1,\n'.repeat(1000)}1]}`)).toMatchObject({ kind: 'single' });
      expect(split(`{"a":"${'x'.repeat(2000)}"}\n${line}`)).toMatchObject({ kind: 'bulk' });
      expect(Math.max(0, ...parse.mock.calls.map(([text]) => text.length))).toBeLessThanOrEqual(1000);
    } finally {
      parse.mockRestore();
    }
  });

  it('takes lines for messages when the first one is broken and the second begins an object', () => {
    expect(split('{"a": "cut off\n{"b":1}\n{"c":2}')).toEqual(['{"a": "cut off', '{"b":1}', '{"c":2}']);
    expect(split('{"a": {"b":\n{"c":1}\n{"d":2}')).toEqual(['{"a": {"b":', '{"c":1}', '{"d":2}']);
    expect(split('{"a":1} x\n{"b":1}')).toEqual(['{"a":1} x', '{"b":1}']);
    expect(split('{"a":\n{"b":"}"}\n}')).toEqual(['{"a":\n{"b":"}"}\n}']);
    expect(split('{"a":}\nplain text')).toEqual(['{"a":}\nplain text']);
  });

  it('says what is wrong', () => {
    expect(split('')).toBe('the body is empty; it must be a JSON object');
    expect(split(' \0\n')).toBe('the body is empty; it must be a JSON object');
    expect(split(`${' '.repeat(100_000)}{}`)).toBe('the body begins with too much white space');
    expect(split('[1,,2]')).toBe('element 1 of the JSON array is empty');
    expect(split('[1')).toBe('the JSON array does not end');
    expect(split('["1]')).toBe('the JSON array does not end');
    expect(split('[1] 2')).toMatch('something after the end');
    expect(split('[1}')).toMatch('something after the end');
    expect(split('[1,2,3]', 2)).toBe('too-many');
    expect(split('1\n2\n3', 2)).toBe('too-many');
    expect(split('[1,2]', 2)).toEqual(['1', '2']);
  });
});
