import type { StreamRuleTypeView } from '@millrace/contract';

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

export interface RuleKind {
  readonly type: number;
  /** Between field and value: "level *is smaller than* 4". */
  readonly verb: string;
  /** The same when the rule is inverted. */
  readonly notVerb: string;
  readonly hasField: boolean;
  readonly hasValue: boolean;
}

const kind = (
  type: number,
  verb: string,
  notVerb: string,
  has: { field?: boolean; value?: boolean } = {},
): RuleKind => ({ type, verb, notVerb, hasField: has.field ?? true, hasValue: has.value ?? true });

const BUILT_IN: readonly RuleKind[] = [
  kind(RULE.exact, 'is exactly', 'is not exactly'),
  kind(RULE.contains, 'contains', 'does not contain'),
  kind(RULE.regex, 'matches', 'does not match'),
  kind(RULE.greater, 'is greater than', 'is not greater than'),
  kind(RULE.smaller, 'is smaller than', 'is not smaller than'),
  kind(RULE.presence, 'is present', 'is missing', { value: false }),
  kind(RULE.input, 'came through input', 'did not come through input', { field: false }),
  kind(RULE.always, 'any message', 'any message', { field: false, value: false }),
];

/** Those of plugins, once the server has told of them. They stay the same until the node is started again. */
let ofPlugins: readonly RuleKind[] = [];

/** Numbers from here on are those of plugins. */
const FIRST_OF_PLUGINS = 128;

/** What the server knows. Kinds of plugins read as `not: is in the network` when they are inverted. */
export function learnRuleKinds(types: readonly StreamRuleTypeView[]): readonly RuleKind[] {
  ofPlugins = types
    .filter(({ id }) => id >= FIRST_OF_PLUGINS)
    .map(({ id, short_desc: verb, needs_field: field, needs_value: value }) =>
      kind(id, verb, `not: ${verb}`, { field, value }),
    );
  return ruleKinds();
}

export function ruleKinds(): readonly RuleKind[] {
  return [...BUILT_IN, ...ofPlugins];
}

export function ruleKind(type: number): RuleKind {
  return (
    ruleKinds().find((known) => known.type === type) ??
    kind(type, `rule type ${type}`, `not rule type ${type}`)
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
