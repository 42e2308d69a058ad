import { InvalidConfiguration, InvalidError } from '#core/index.ts';
import type { AlertRuleProperties, AlertRuleRecord } from '#metadata/index.ts';
import type { MeasuredMessages } from '#search/service.ts';
import type { Condition, ConditionType } from '../conditions/condition.ts';
import { CONDITION_TYPES } from '../conditions/registry.ts';
import { defaultLateness, type Schedule, scheduleOf } from '../evaluation/schedule.ts';
import { type EventFieldsOf, eventFieldsOf } from './event-fields.ts';

/** A rule that can be evaluated. */
export interface Rule {
  readonly record: AlertRuleRecord;
  readonly type: ConditionType;
  readonly condition: Condition;
  readonly schedule: Schedule;
  /** How long after the end of a window its messages may arrive. */
  readonly latenessMs: number;
  readonly messages: MeasuredMessages;
  readonly eventFieldsOf: EventFieldsOf;
}

export interface RuleSettings {
  /** `alert_check_interval` */
  readonly checkIntervalMs: number;
}

/** Throws `InvalidError` for a rule of a newer version, or one that was changed by hand. */
export function ruleOf(record: AlertRuleRecord, settings: RuleSettings): Rule {
  const { type, condition } = conditionOf(record.condition);
  const { streams } = record;
  const schedule = scheduleOf(record.schedule, settings.checkIntervalMs, [...streams].sort().join());
  return {
    record,
    type,
    condition,
    schedule,
    latenessMs: condition.basis === 'receive' ? 0 : (condition.latenessMs ?? defaultLateness(schedule)),
    messages: { streams, basis: condition.basis },
    eventFieldsOf: eventFieldsOf(record.extras),
  };
}

/** The condition of a rule, also of one that is not stored. */
export function conditionOf({ type: name, parameters }: AlertRuleProperties['condition']): {
  readonly type: ConditionType;
  readonly condition: Condition;
} {
  const type = requireConditionType(name);
  const condition = type.create(undefined, parameters);
  if (condition instanceof InvalidConfiguration) throw invalidParameters(condition);
  return { type, condition };
}

export function requireConditionType(name: string): ConditionType {
  const type = CONDITION_TYPES.find(name);
  if (type !== undefined) return type;
  throw new InvalidError(
    `There is no type of alert condition ${JSON.stringify(name.slice(0, 100))}. Use one of ${CONDITION_TYPES.types.map(({ wireType }) => wireType).join(', ')}.`,
    { path: 'type' },
  );
}

export function invalidParameters(
  { problems, text }: InvalidConfiguration,
  prefix = 'parameters',
): InvalidError {
  return new InvalidError(text, {
    problems: problems.map(({ path, message }) => ({ path: `${prefix}.${path}`, message })),
  });
}
