import { describe, expect, test } from 'vitest';
import { type FieldValue, InvalidError } from '#core/index.ts';
import { Predicate, requireValidRule } from './predicate.ts';
import { type BuiltInRuleType, RULE_TYPE } from './rule.ts';

const { exact, regex, greater, smaller, presence, contains, always, input } = RULE_TYPE;

function holds(type: BuiltInRuleType, value: string, field: FieldValue | undefined, inverted = false) {
  return new Predicate({ type, field: 'f', value, inverted }).evaluate(field);
}

describe('what each rule type matches, plain and inverted', () => {
  const missing = undefined;
  const rows: [string, BuiltInRuleType, string, FieldValue | undefined, boolean, boolean][] = [
    // name, type, rule value, field value, plain, inverted
    ['exact: the same text', exact, 'error', 'error', true, false],
    ['exact: case counts', exact, 'error', 'Error', false, true],
    ['exact: all of it', exact, 'error', 'an error', false, true],
    ['exact: white space around the field does not count', exact, 'error', '  error\n', true, false],
    ['exact: a number by its text', exact, '42', 42, true, false],
    ['exact: a fraction by its text', exact, '1.5', 1.5, true, false],
    ['exact: a large integer by its text', exact, '12345678901234567890', 12345678901234567890n, true, false],
    ['exact: a boolean by its text', exact, 'true', true, true, false],
    ['exact: missing', exact, 'error', missing, false, true],
    ['regex: found in the text', regex, 'err.r', 'an error', true, false],
    ['regex: not found', regex, '^err', 'an error', false, true],
    ['regex: a number by its text', regex, '^4\\d$', 42, true, false],
    ['regex: missing', regex, '.', missing, false, true],
    ['greater: is', greater, '3', 4, true, false],
    ['greater: the same is not', greater, '3', 3, false, true],
    ['greater: a text that is a number', greater, '3', ' 10 ', true, false],
    ['greater: an exponent', greater, '999', '1e3', true, false],
    ['greater: fractions and signs', greater, '-1.5', '-1.25', true, false],
    ['greater: not numeric, even inverted', greater, '3', 'four', false, false],
    ['greater: blank, even inverted', greater, '3', '', false, false],
    ['greater: a boolean, even inverted', greater, '0', true, false, false],
    ['greater: missing, even inverted', greater, '3', missing, false, false],
    ['greater: beyond 2^53 every digit counts', greater, '9007199254740992', 9007199254740993n, true, false],
    ['greater: and in the value', greater, '9007199254740993', 9007199254740993n, false, true],
    ['smaller: is', smaller, '3', 2, true, false],
    ['smaller: the same is not', smaller, '3', 3, false, true],
    ['smaller: a text that is a number', smaller, '10', '9', true, false],
    ['smaller: not numeric, even inverted', smaller, '3', '2 apples', false, false],
    ['smaller: missing, even inverted', smaller, '3', missing, false, false],
    ['presence: a text', presence, '', 'x', true, false],
    ['presence: a blank text', presence, '', ' \t\n', false, true],
    ['presence: an empty text', presence, '', '', false, true],
    ['presence: zero', presence, '', 0, true, false],
    ['presence: false', presence, '', false, true, false],
    ['presence: missing', presence, '', missing, false, true],
    ['contains: a part', contains, 'rro', 'error', true, false],
    ['contains: case counts', contains, 'RRO', 'error', false, true],
    ['contains: no expression', contains, '.', 'error', false, true],
    ['contains: a number by its text', contains, '23', 12345, true, false],
    ['contains: missing, inverted matches', contains, 'x', missing, false, true],
    ['always: anything', always, '', 'x', true, true],
    ['always: missing', always, '', missing, true, true],
    ['input: the same', input, '68a1b2c3d4e5f60718293a4b', '68a1b2c3d4e5f60718293a4b', true, false],
    ['input: in any case', input, ' 68A1B2C3D4E5F60718293A4B', '68a1b2c3d4e5f60718293a4b', true, false],
    ['input: another', input, '68a1b2c3d4e5f60718293a4c', '68a1b2c3d4e5f60718293a4b', false, true],
    ['input: missing', input, '68a1b2c3d4e5f60718293a4c', missing, false, true],
  ];
  test.each(rows)('%s', (_name, type, value, field, plain, inverted) => {
    expect(holds(type, value, field)).toBe(plain);
    expect(holds(type, value, field, true)).toBe(inverted);
  });

  test('a time is compared as the API shows it, and as milliseconds by number', () => {
    const at = Date.UTC(2026, 0, 31, 12);
    const rule = { type: regex, field: 'timestamp', value: '^2026-01-31T12:00:00\\.000Z$', inverted: false };
    expect(new Predicate(rule).evaluate(at)).toBe(true);
    expect(new Predicate({ ...rule, type: greater, value: String(at - 1) }).evaluate(at)).toBe(true);
  });
});

describe('rules that are rejected', () => {
  const rule = { type: 1, field: 'f', value: 'v', inverted: false };
  test.each([
    ['an unknown type', { type: 9 }, /type 9; expected a number from 1 to 8/],
    ['no field', { field: '' }, /EXACT needs a field/],
    ['a blank field', { type: 5, field: '  ' }, /PRESENCE needs a field/],
    ['no value', { value: '' }, /EXACT needs a value/],
    ['no input', { type: 8, field: '', value: '' }, /MATCH_INPUT needs a value/],
    ['no regular expression', { type: 2, value: 'a(b' }, /"a\(b" is not a regular expression: .*position 4/],
    ['no number', { type: 3, value: 'four' }, /"four" is not a number/],
    ['no finite number', { type: 4, value: 'NaN' }, /"NaN" is not a number/],
    ['a field too long', { field: 'f'.repeat(300) }, /at most 256 characters/],
    ['a value too long', { value: 'v'.repeat(10_001) }, /at most 10000 characters/],
  ])('%s', (_name, changes, message) => {
    expect(() => requireValidRule({ ...rule, ...changes })).toThrow(InvalidError);
    expect(() => requireValidRule({ ...rule, ...changes })).toThrow(message);
  });

  test.each([
    ['presence without a value', { type: 5, value: '' }],
    ['always without field and value', { type: 7, field: '', value: '' }],
    ['input without a field', { type: 8, field: '' }],
    ['a number with a fraction', { type: 3, value: '-1.5e3' }],
  ])('%s is fine', (_name, changes) => {
    expect(() => requireValidRule({ ...rule, ...changes })).not.toThrow();
  });
});

describe('which values need a time limit', () => {
  const safeLength = (value: string, type: BuiltInRuleType = regex) => {
    const predicate = new Predicate({ type, field: 'f', value, inverted: false });
    predicate.limitTo(1000);
    return predicate.safeLength;
  };
  test.each([
    ['a literal', 'error', 100_000, 10_000_000],
    ['a class and a bounded repetition', '[a-z]{1,10} \\d', 10_000, 10_000_000],
    ['one repetition, anchored', '^user=\\w+ logged', 100_000, 10_000_000],
    ['.* at both ends costs nothing', '.*error.*', 100_000, 10_000_000],
    ['one repetition, searched', 'user=\\w+ logged', 1000, 10_000],
    ['two repetitions, searched', 'a.*b.*c', 100, 1000],
  ])('%s: texts of some thousand characters are safe', (_name, value, atLeast, atMost) => {
    expect(safeLength(value)).toBeGreaterThan(atLeast);
    expect(safeLength(value)).toBeLessThan(atMost);
  });

  test.each(['^(a+)+$', '(a|aa)*b', '(\\w+\\s?)*;', '^(([a-z])+.)+[A-Z]([a-z])+$', '(?:a?){30}a{30}'])(
    '%s is never safe',
    (value) => expect(safeLength(value)).toBe(-1),
  );

  test('a long value to search for makes long texts unsafe', () => {
    expect(safeLength('x', contains)).toBeGreaterThan(1_000_000);
    expect(safeLength('x'.repeat(10_000), contains)).toBeLessThan(10_000);
  });
});
