import { afterEach, expect, test } from 'vitest';
import { describeRule, isComplete, learnRuleKinds, ruleKinds } from './index.ts';

afterEach(() => {
  learnRuleKinds([]);
});

const type = (id: number, short_desc: string, needs_value = true) => ({
  id,
  name: short_desc,
  short_desc,
  long_desc: short_desc,
  needs_field: true,
  needs_value,
});
const rule = (number: number, inverted = false) => ({
  type: number,
  field: 'client',
  value: '10.0.0.0/8',
  inverted,
});

test('kinds of plugins are learned from the server; ours keep their words', () => {
  const before = ruleKinds().length;
  expect(describeRule(rule(128))).toBe('client rule type 128 10.0.0.0/8');
  learnRuleKinds([type(1, 'match exactly'), type(128, 'is in the network'), type(129, 'is odd', false)]);
  expect(ruleKinds()).toHaveLength(before + 2);
  expect(describeRule(rule(1))).toBe('client is exactly 10.0.0.0/8');
  expect(describeRule(rule(128))).toBe('client is in the network 10.0.0.0/8');
  expect(describeRule(rule(128, true))).toBe('client not: is in the network 10.0.0.0/8');
  expect(describeRule(rule(129))).toBe('client is odd');
  expect(isComplete({ ...rule(129), value: '' })).toBe(true);
  expect(isComplete({ ...rule(128), value: '' })).toBe(false);
});
