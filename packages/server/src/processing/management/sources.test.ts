import { expect, test } from 'vitest';
import { grokPatternsIn } from './sources.ts';

const inRule = (statements: string) => grokPatternsIn(`rule "r" when true then ${statements} end`);

test('the grok patterns that are written in a rule', () => {
  expect(
    inRule('set_fields(grok("%{IP:ip}", "x")); set_fields(grok(value: "x", pattern: "%{INT:n}"));'),
  ).toEqual(['%{IP:ip}', '%{INT:n}']);
  expect(inRule('set_fields(multi_grok(["%{IP:ip}", "%{INT:n}"], "x"));')).toEqual(['%{IP:ip}', '%{INT:n}']);
});

test('none that the message brings, and none of a rule that does not run', () => {
  expect(inRule('set_fields(grok(to_string($message.pattern), "x"));')).toEqual([]);
  expect(inRule('set_fields(multi_grok(["%{IP:ip}", to_string($message.pattern)], "x"));')).toEqual([]);
  expect(inRule('set_fields(grok("%{IP:ip}", "x")); no_such_function();')).toEqual([]);
});
