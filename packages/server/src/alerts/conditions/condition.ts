import {
  type ComponentDefinition,
  type ComponentType,
  type ConfigurationFields,
  type ConfigurationOf,
  type ConfigurationProblem,
  defineComponent,
  field,
  InvalidError,
  types,
} from '#core/index.ts';
import {
  type FigureValue,
  type Measured,
  type Measurement,
  requireQuery,
  type TimeBasis,
} from '#search/service.ts';

/**
 * When a rule alerts. A condition says what has to be measured in a window of time and judges the answer. It knows
 * nothing of storage, state or notifications: the same window and the same messages always give the same findings.
 */
export interface Condition {
  readonly query: string;
  readonly graceMs: number;
  /** How many messages a notice has at most. */
  readonly backlog: number;
  readonly repeatsNotifications: boolean;
  readonly basis: TimeBasis;
  /** How long to wait for late messages; undefined for the default. */
  readonly latenessMs: number | undefined;
  /** The fields that tell its alerts apart; empty if there is only one at a time. */
  readonly groupBy: readonly string[];
  /** Every message that is found is an event of its own, up to so many in one evaluation. Undefined: an alert lasts. */
  readonly eachMessage?: { readonly limit: number } | undefined;
  /** What it is configured to do, for people. */
  readonly summary: string;
  /** The line that the first figure must not cross, for charts. */
  readonly threshold: number | null;
  measurement(window: EvaluationWindow): Measurement;
  /** Without groups exactly one finding; with groups only those for which the condition is true. */
  judge(measured: Measured, window: EvaluationWindow): readonly Finding[];
}

/** Milliseconds since the epoch. */
export interface EvaluationWindow {
  /** Messages from here on are of the next evaluation. */
  readonly end: number;
  /** The end of the evaluation before. */
  readonly previousEnd: number;
  /** When the oldest alert that is open now was triggered; undefined if none is. */
  readonly openSince?: number | undefined;
}

export interface Finding {
  /** The values of `groupBy`. */
  readonly key: readonly string[];
  readonly isTriggered: boolean;
  /** A sentence with what was found. */
  readonly description: string;
  /** By name, such as `count()`. */
  readonly values: Readonly<Record<string, FigureValue>>;
  /** The messages that were looked at, `to` excluded. */
  readonly from: number;
  readonly to: number;
}

export type ConditionType = ComponentType<undefined, Condition>;

const MINUTE_MS = 60_000;
const MAX_MINUTES = 366 * 24 * 60;
const MAX_BACKLOG = 500;
const MAX_QUERY = 10_000;
const GROUP = { more: 'More' } as const;

/** The fields that every condition has. */
export const COMMON_FIELDS = {
  query: field(types.text({ maxLength: MAX_QUERY, multiline: true }), {
    humanName: 'Query',
    description: 'Only messages that match it count. In the query language of the search.',
    default: '*',
    optional: true,
  }),
  grace: field(types.decimal({ min: 0, max: MAX_MINUTES }), {
    humanName: 'Grace period',
    description: 'Minutes to wait after an alert is resolved before it can trigger again.',
    default: 0,
    optional: true,
  }),
  backlog: field(types.integer({ min: 0, max: MAX_BACKLOG }), {
    humanName: 'Message backlog',
    description: 'How many messages to include in notifications.',
    default: 0,
    optional: true,
  }),
  repeat_notifications: field(types.boolean(), {
    humanName: 'Repeat notifications',
    description:
      'Send notifications again while the alert is open: at every check, or after the grace period.',
    default: false,
    optional: true,
  }),
  time_basis: field(types.choice({ message: 'The time of the message', receive: 'The time of receipt' }), {
    humanName: 'Time',
    description: 'Which time decides in which window a message is. By receipt, no message is ever too late.',
    optional: true,
    group: GROUP.more,
  }),
  lateness: field(types.decimal({ min: 0, max: 3600 }), {
    humanName: 'Allowed lateness',
    description:
      'Seconds to wait for messages that arrive late. By default a quarter of the interval, at most 10.',
    optional: true,
    group: GROUP.more,
  }),
} as const;

export const timeField = field(types.integer({ min: 1, max: MAX_MINUTES }), {
  humanName: 'Time range',
  description: 'The last minutes to look at.',
  default: 5,
  optional: true,
});

export const fieldNameType = types.text({ maxLength: 500 });

export const groupByField = field(types.list(fieldNameType), {
  humanName: 'Group by',
  description: 'Fields. Every combination of their values has its own alert.',
  default: [],
  optional: true,
});

type Common = ConfigurationOf<typeof COMMON_FIELDS>;

export interface ConditionDefinition<Fields extends ConfigurationFields>
  extends Omit<
    ComponentDefinition<Fields & typeof COMMON_FIELDS, undefined, Condition>,
    'fields' | 'create' | 'check'
  > {
  readonly fields: Fields;
  readonly check?: (config: ConfigurationOf<Fields> & Common) => readonly ConfigurationProblem[];
  /** Used unless the user chooses one. */
  readonly basis?: TimeBasis;
  judgeBy(config: ConfigurationOf<Fields> & Common): ConditionParts;
}

/** What differs between conditions. */
export type ConditionParts = Pick<Condition, 'summary' | 'threshold' | 'measurement' | 'judge'> &
  Partial<Pick<Condition, 'groupBy' | 'eachMessage' | 'basis'>>;

export function defineCondition<Fields extends ConfigurationFields>(
  definition: ConditionDefinition<Fields>,
): ConditionType {
  const { fields, check, basis = 'message', judgeBy, ...rest } = definition;
  return defineComponent<Fields & typeof COMMON_FIELDS, undefined, Condition>({
    ...rest,
    fields: { ...fields, ...COMMON_FIELDS },
    check: (config) => [...queryProblems(config as Common), ...(check?.(config as never) ?? [])],
    create(_context, config) {
      const common = config as Common;
      const parts = judgeBy(config as never);
      return {
        query: common.query,
        graceMs: common.grace * MINUTE_MS,
        backlog: common.backlog,
        repeatsNotifications: common.repeat_notifications,
        basis: common.time_basis ?? parts.basis ?? basis,
        latenessMs: common.lateness === undefined ? undefined : common.lateness * 1000,
        groupBy: parts.groupBy ?? [],
        eachMessage: parts.eachMessage,
        summary: parts.summary,
        threshold: parts.threshold,
        // They may be an instance of a class: their methods are called on them.
        measurement: (window) => parts.measurement(window),
        judge: (measured, window) => parts.judge(measured, window),
      };
    },
  });
}

function queryProblems({ query }: Common): ConfigurationProblem[] {
  try {
    requireQuery(query, { now: 0, timeZone: 'UTC' });
    return [];
  } catch (error) {
    if (error instanceof InvalidError) return [{ path: 'query', message: error.message }];
    throw error;
  }
}

/** The window of the last minutes. */
export function lastMinutes(minutes: number, { end }: EvaluationWindow): { from: number; to: number } {
  return { from: end - minutes * MINUTE_MS, to: end };
}

export function minutesText(minutes: number): string {
  return `${formatNumber(minutes)} ${minutes === 1 ? 'minute' : 'minutes'}`;
}

export function graceText(grace: number): string {
  return `(Current grace time: ${minutesText(grace)})`;
}

/** Made once: making one takes longer than evaluating the rule whose numbers it formats. */
const NUMBERS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 });

/** As people read it: at most three decimals, in English. */
export function formatNumber(value: number): string {
  return NUMBERS.format(value);
}

/** The end of every summary. */
export function commonSummary({ grace, repeat_notifications }: Common): string {
  return `grace: ${formatNumber(grace)}, repeat notifications: ${repeat_notifications}`;
}
