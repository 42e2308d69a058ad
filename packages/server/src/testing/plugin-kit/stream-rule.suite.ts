import { describe, expect, test } from 'vitest';
import type { FieldValue, RawConfiguration } from '#core/index.ts';
import type { PluginRuleType } from '#streams/index.ts';

const VALUES: readonly FieldValue[] = [
  '',
  'text',
  '10.1.2.3',
  'ü\0🚀',
  'x'.repeat(10_000),
  0,
  -1.5,
  2n ** 60n,
  true,
];

/** What every type of stream rules promises. `value` of the configuration is that of a rule. */
export function streamRuleSuite(type: PluginRuleType, { value = '' }: RawConfiguration): void {
  describe(`${type.name} keeps the contract of stream rule types`, () => {
    test('its texts are for people', () => {
      expect(type.shortDescription.trim()).not.toBe('');
      expect(type.longDescription.trim()).not.toBe('');
    });

    test('a rule decides about every value that a field can have, each time in the same way', () => {
      const holds = type.compile(String(value));
      const first = VALUES.map((each) => holds(each));
      expect(first.filter((each) => typeof each !== 'boolean')).toEqual([]);
      expect(VALUES.map((each) => holds(each))).toEqual(first);
      expect(VALUES.map((each) => type.compile(String(value))(each))).toEqual(first);
    });
  });
}
