/** The types of rules, by Graylog's numbers, in the order in which people need them. */
export const RULE = {
  exact: 1,
  regex: 2,
  greater: 3,
  smaller: 4,
  presence: 5,
  contains: 6,
  always: 7,
  input: 8,
} as const;

export type RuleType = (typeof RULE)[keyof typeof RULE];

export interface RuleKind {
  readonly type: RuleType;
  /** Between field and value: "level *is smaller than* 4". */
  readonly verb: string;
  /** The same when the rule is inverted. */
  readonly notVerb: string;
  readonly hasField: boolean;
  readonly hasValue: boolean;
}

const kind = (
  type: RuleType,
  verb: string,
  notVerb: string,
  has: { field?: boolean; value?: boolean } = {},
): RuleKind => ({ type, verb, notVerb, hasField: has.field ?? true, hasValue: has.value ?? true });

export const RULE_KINDS: readonly RuleKind[] = [
  kind(RULE.exact, 'is exactly', 'is not exactly'),
  kind(RULE.contains, 'contains', 'does not contain'),
  kind(RULE.regex, 'matches', 'does not match'),
  kind(RULE.greater, 'is greater than', 'is not greater than'),
  kind(RULE.smaller, 'is smaller than', 'is not smaller than'),
  kind(RULE.presence, 'is present', 'is missing', { value: false }),
  kind(RULE.input, 'came through input', 'did not come through input', { field: false }),
  kind(RULE.always, 'any message', 'any message', { field: false, value: false }),
];

export function ruleKind(type: number): RuleKind {
  return (
    RULE_KINDS.find((known) => known.type === type) ??
    kind(type as RuleType, `rule type ${type}`, `not rule type ${type}`)
  );
}

/** A rule as people write it. */
export interface Rule {
  readonly type: number;
  readonly field: string;
  readonly value: string;
  readonly inverted: boolean;
}

/** `level is smaller than 4` */
export function describeRule(rule: Rule): string {
  const { verb, notVerb, hasField, hasValue } = ruleKind(rule.type);
  return [hasField ? rule.field : '', rule.inverted ? notVerb : verb, hasValue ? rule.value : '']
    .filter((part) => part !== '')
    .join(' ');
}

/** Whether there is enough of it to be tried. */
export function isComplete({ type, field, value }: Rule): boolean {
  const { hasField, hasValue } = ruleKind(type);
  return (!hasField || field.trim() !== '') && (!hasValue || value !== '');
}
