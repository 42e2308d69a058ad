/**
 * Stream rules as data: what the metadata holds, what snapshots carry to the workers, and what `predicate.ts`
 * compiles. The numbers are Graylog's, because clients send them; plugins have numbers of their own
 * (`plugin-types.ts`).
 */
import { findPluginRuleType, pluginRuleTypes } from './plugin-types.ts';
import type { RuleTypeDescription } from './rule-type.ts';

export const RULE_TYPE = {
  exact: 1,
  regex: 2,
  greater: 3,
  smaller: 4,
  presence: 5,
  contains: 6,
  always: 7,
  input: 8,
} as const;

export type BuiltInRuleType = (typeof RULE_TYPE)[keyof typeof RULE_TYPE];

export type MatchingType = 'AND' | 'OR';

export interface StreamRule {
  readonly id: string;
  readonly type: number;
  /** Empty for types that do not need one. */
  readonly field: string;
  readonly value: string;
  readonly inverted: boolean;
}

/** A stream as a destination of messages. */
export interface RoutableStream {
  readonly id: string;
  readonly indexSetId: string;
  readonly outputIds: readonly string[];
}

/** What routing needs to know of a stream with rules. */
export interface StreamDefinition extends RoutableStream {
  /** Whether all rules must match or one is enough. A stream without rules matches nothing. */
  readonly matchingType: MatchingType;
  readonly removeMatchesFromDefault: boolean;
  readonly rules: readonly StreamRule[];
}

const BUILT_IN: readonly RuleTypeDescription[] = [
  describe(RULE_TYPE.exact, 'EXACT', 'match exactly', 'match exactly'),
  describe(RULE_TYPE.regex, 'REGEX', 'match regular expression', 'match regular expression'),
  describe(RULE_TYPE.greater, 'GREATER', 'greater than', 'be greater than'),
  describe(RULE_TYPE.smaller, 'SMALLER', 'smaller than', 'be smaller than'),
  describe(RULE_TYPE.presence, 'PRESENCE', 'field presence', 'be present', { value: false }),
  describe(RULE_TYPE.contains, 'CONTAINS', 'contain', 'contain'),
  describe(RULE_TYPE.always, 'ALWAYS_MATCH', 'always match', 'always match', { field: false, value: false }),
  describe(RULE_TYPE.input, 'MATCH_INPUT', 'match input', 'match input', { field: false }),
];

const BY_NUMBER: ReadonlyMap<number, RuleTypeDescription> = new Map(
  BUILT_IN.map((description) => [description.id, description]),
);

/** Undefined for a number that is not a rule type. */
export function ruleTypeOf(type: number): RuleTypeDescription | undefined {
  return BY_NUMBER.get(type) ?? findPluginRuleType(type);
}

/** Those that plugins have added come last. */
export function ruleTypes(): RuleTypeDescription[] {
  return [...BUILT_IN, ...pluginRuleTypes()];
}

function describe(
  id: BuiltInRuleType,
  name: string,
  shortDescription: string,
  longDescription: string,
  needs: { readonly field?: boolean; readonly value?: boolean } = {},
): RuleTypeDescription {
  return {
    id,
    name,
    shortDescription,
    longDescription,
    needsField: needs.field ?? true,
    needsValue: needs.value ?? true,
  };
}
