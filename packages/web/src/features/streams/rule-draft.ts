import type { Stream, StreamRuleRequest } from '@millrace/contract';
import { describeRule, isComplete, RULE, type Rule } from '../../lib/stream-rules/index.ts';

/** A rule that is being edited. */
export interface RuleDraft extends Rule {
  /** Stays the same while the rule is edited. */
  readonly key: string;
  /** Of the stored rule; a new one has none. */
  readonly id?: string | undefined;
  readonly description: string;
}

export interface RulesDraft {
  readonly matchingType: 'AND' | 'OR';
  readonly rules: readonly RuleDraft[];
}

let made = 0;

export function newRule(rule: Partial<Rule> = {}): RuleDraft {
  made += 1;
  return {
    key: `new-${made}`,
    type: RULE.exact,
    field: '',
    value: '',
    inverted: false,
    description: '',
    ...rule,
  };
}

export function draftOf({ matching_type, rules }: Pick<Stream, 'matching_type' | 'rules'>): RulesDraft {
  return {
    matchingType: matching_type,
    rules: rules.map(({ id, type, field, value, inverted, description }) => ({
      key: id,
      id,
      type,
      field,
      value,
      inverted,
      description: description ?? '',
    })),
  };
}

export function requestOf({ id, type, field, value, inverted, description }: RuleDraft) {
  const request: StreamRuleRequest = { type, field: field.trim(), value, inverted, description };
  return { ...request, ...(id === undefined ? {} : { id }) };
}

/** The rules that can be tried, with their places in the draft. */
export function completeRules({
  rules,
}: RulesDraft): readonly { readonly rule: RuleDraft; readonly at: number }[] {
  return rules.map((rule, at) => ({ rule, at })).filter(({ rule }) => isComplete(rule));
}

export type RuleChange =
  | { readonly kind: 'matching'; readonly isAll: boolean }
  | { readonly kind: 'added' | 'removed'; readonly rule: string }
  | { readonly kind: 'changed'; readonly before: string; readonly after: string };

/** What a draft would change. */
export function changesOf(before: RulesDraft, after: RulesDraft): RuleChange[] {
  const kept = new Map(after.rules.map((rule) => [rule.key, rule]));
  const old = new Set(before.rules.map(({ key }) => key));
  return [
    ...(before.matchingType === after.matchingType
      ? []
      : [{ kind: 'matching', isAll: after.matchingType === 'AND' } as const]),
    ...before.rules.flatMap((rule): RuleChange[] => {
      const now = kept.get(rule.key);
      if (now === undefined) return [{ kind: 'removed', rule: describeRule(rule) }];
      const [was, is] = [describeRule(rule), describeRule(now)];
      return was === is ? [] : [{ kind: 'changed', before: was, after: is }];
    }),
    ...after.rules
      .filter(({ key }) => !old.has(key))
      .map((rule) => ({ kind: 'added', rule: describeRule(rule) }) as const),
  ];
}
