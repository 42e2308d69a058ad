import { expect, test } from 'vitest';
import { anAlertRule } from '#testing/alert-records.ts';
import { type Rule, ruleOf } from '../rules/rule.ts';
import { completeCondition } from '../rules/stream-conditions.ts';
import { groupsOf } from './due.ts';

const END = 1_800_000_000_000;
const settings = { checkIntervalMs: 60_000 };

function aRule(streams: readonly string[], type: string, parameters: object): Rule {
  const record = anAlertRule({
    streams,
    condition: completeCondition({ type, parameters: { ...parameters } }),
  });
  return ruleOf({ ...record, id: 'rule', createdAt: 0, updatedAt: 0 }, settings);
}

function groupsOfRules(rules: readonly Rule[], endOf: (at: number) => number = () => END): number[][] {
  const state = {
    ruleId: 'rule',
    evaluatedUntil: 0,
    attemptedAt: 0,
    failures: 0,
    lastError: null,
    mutedUntil: null,
  };
  const groups = groupsOf(
    rules.map((rule, at) => ({ rule, state, window: { end: endOf(at), previousEnd: endOf(at) - 60_000 } })),
  );
  return groups.map((group) => group.map(({ rule }) => rules.indexOf(rule)));
}

const count = (time: number, streams = ['a']) => aRule(streams, 'message_count', { time });

test('rules over any named streams share a statement if their windows end together', () => {
  expect(groupsOfRules([count(5), count(5, ['b']), count(6, ['b', 'c'])])).toEqual([[0, 1, 2]]);
  expect(groupsOfRules([count(5), count(5)], (at) => END + at)).toEqual([[0], [1]]);
});

test('not with windows that are far longer, another time, or all streams', () => {
  expect(groupsOfRules([count(5), count(16), count(60), count(7 * 24 * 60)])).toEqual([[0, 1], [2], [3]]);
  expect(
    groupsOfRules([count(5), aRule(['a'], 'message_count', { time: 5, time_basis: 'receive' })]),
  ).toEqual([[0], [1]]);
  expect(groupsOfRules([count(5), count(5, [])])).toEqual([[0], [1]]);
});

test('a statement has a bound', () => {
  const sizes = groupsOfRules(Array.from({ length: 120 }, () => count(5))).map((group) => group.length);
  expect(sizes).toEqual([50, 50, 20]);
});
