/** The configuration of a rule as an event definition has it, and back. */
import type { EventDefinitionRequest } from '@millrace/contract';
import { InvalidError } from '#core/index.ts';
import type { AlertRuleRecord, AlertSchedule, StoredCondition } from '#metadata/index.ts';
import { contentQuery } from '../conditions/field-content-value/condition.ts';
import { parseCron } from '../evaluation/schedule.ts';
import { completeCondition } from '../rules/stream-conditions.ts';

const MINUTE_MS = 60_000;
/** Parts of a configuration that are not parameters of the condition. */
const RULE_KEYS: ReadonlySet<string> = new Set([
  'type',
  'streams',
  'stream_categories',
  'filters',
  'query_parameters',
  'execute_every_ms',
  'use_cron_scheduling',
  'cron_expression',
  'cron_timezone',
]);

type Config = Record<string, unknown>;

export function configOf(record: AlertRuleRecord, checkIntervalMs: number): Config {
  const { condition, streams, schedule } = record;
  const cron = schedule.kind === 'cron' ? schedule : undefined;
  return {
    ...conditionConfig(condition, checkIntervalMs),
    streams: [...streams],
    stream_categories: [],
    filters: [],
    query_parameters: [],
    execute_every_ms: schedule.kind === 'interval' ? (schedule.everyMs ?? checkIntervalMs) : MINUTE_MS,
    use_cron_scheduling: cron !== undefined,
    cron_expression: cron?.expression ?? null,
    cron_timezone: cron?.timeZone ?? null,
  };
}

/** Conditions of streams are shown as the aggregations that they are. */
function conditionConfig({ type, parameters }: StoredCondition, checkIntervalMs: number): Config {
  const query = String(parameters.query ?? '*');
  const within = Number(parameters.time ?? 5) * MINUTE_MS;
  switch (type) {
    case 'message_count': {
      const expr = parameters.threshold_type === 'LESS' ? '<' : '>';
      return aggregation(query, within, { type: 'count' }, expr, Number(parameters.threshold ?? 0));
    }
    case 'field_value': {
      const statistic = String(parameters.type ?? 'MAX').toLowerCase();
      const series = { type: statistic === 'mean' ? 'avg' : statistic, field: String(parameters.field) };
      const expr = String(parameters.threshold_type).toUpperCase() === 'LOWER' ? '<' : '>';
      return aggregation(query, within, series, expr, Number(parameters.threshold ?? 0));
    }
    case 'field_content_value': {
      const content = contentQuery(String(parameters.field), String(parameters.value));
      const both = query === '*' ? content : `(${query}) AND ${content}`;
      return { ...EMPTY, query: both, search_within_ms: checkIntervalMs };
    }
    case 'aggregation':
      return { ...EMPTY, ...withoutSettings(parameters), type: 'aggregation-v1' };
    default:
      return { ...withoutSettings(parameters), type };
  }
}

const EMPTY = { type: 'aggregation-v1', group_by: [], series: [], conditions: {}, event_limit: 100 };

function aggregation(
  query: string,
  within: number,
  series: { readonly type: string; readonly field?: string },
  expr: string,
  value: number,
): Config {
  const id = `${series.type}(${series.field ?? ''})`;
  const left = { expr: 'number-ref', ref: id };
  return {
    ...EMPTY,
    query,
    series: [{ id, ...series }],
    conditions: { expression: { expr, left, right: { expr: 'number', value } } },
    search_within_ms: within,
  };
}

/** Grace and backlog are settings of notifications there. */
function withoutSettings({
  grace: _grace,
  backlog: _backlog,
  ...parameters
}: StoredCondition['parameters']): Config {
  return { ...parameters };
}

/** @param before the rule that is changed: a configuration that says the same keeps its condition */
export function conditionOfConfig(
  { config, notification_settings: settings }: EventDefinitionRequest,
  before?: { readonly record: AlertRuleRecord; readonly checkIntervalMs: number },
): StoredCondition {
  const common = {
    grace: (settings?.grace_period_ms ?? 0) / MINUTE_MS,
    backlog: settings?.backlog_size ?? 0,
  };
  if (before !== undefined && isSame(config, configOf(before.record, before.checkIntervalMs))) {
    const { type, parameters } = before.record.condition;
    return completeCondition({ type, parameters: { ...parameters, ...common } });
  }
  const parameters = Object.fromEntries(Object.entries(config).filter(([name]) => !RULE_KEYS.has(name)));
  return completeCondition({ type: config.type, parameters: { ...parameters, ...common } });
}

function isSame(given: Config, shown: Config): boolean {
  return Object.entries(shown).every(
    ([name, value]) =>
      RULE_KEYS.has(name) || JSON.stringify(sorted(given[name] ?? null)) === JSON.stringify(sorted(value)),
  );
}

/** With the keys of objects in order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [name, sorted(each)] as const);
  return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
}

export function scheduleOfConfig({ config }: EventDefinitionRequest): AlertSchedule {
  if (config.use_cron_scheduling !== true) {
    return { kind: 'interval', everyMs: config.execute_every_ms ?? null };
  }
  const expression = config.cron_expression?.trim() ?? '';
  const timeZone = config.cron_timezone?.trim() || 'UTC';
  let next: Date | null;
  try {
    next = parseCron(expression, timeZone).nextRun();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidError(
      `${JSON.stringify(expression)} in ${timeZone} is not a cron expression: ${reason}`,
      { path: 'config.cron_expression' },
    );
  }
  if (next === null) {
    throw new InvalidError(
      `${JSON.stringify(expression)} names no time in the future; such a rule would never be evaluated`,
      { path: 'config.cron_expression' },
    );
  }
  return { kind: 'cron', expression, timeZone };
}
