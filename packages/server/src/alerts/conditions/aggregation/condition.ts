import { type ConfigurationProblem, field, types } from '#core/index.ts';
import { type FigureExpression, type FigureValue, isTrue } from '#search/service.ts';
import {
  type ConditionParts,
  commonSummary,
  defineCondition,
  type EvaluationWindow,
  formatNumber,
  graceText,
  groupByField,
} from '../condition.ts';
import { conditionsField, expressionText, readExpression, thresholdOf } from './expression.ts';
import { metricOf, type Series, seriesField, seriesId, seriesProblem, valuesText } from './series.ts';

const MAX_EVENTS = 1000;
const COUNT: Series = {
  id: 'count()',
  type: 'count',
  function: undefined,
  field: undefined,
  percentile: undefined,
};

/** Graylog's event definitions: any functions of the search, in groups, and a condition on them. */
export const aggregation = defineCondition({
  id: 'aggregation',
  wireType: 'aggregation-v1',
  aliases: ['aggregation-v1'],
  name: 'Aggregation',
  description:
    'Alerts when figures over the messages of a time meet a condition, for each value of some fields. Without figures every message is an event.',
  fields: {
    search_within_ms: field(types.integer({ min: 1000, max: 366 * 86_400_000 }), {
      humanName: 'Search within',
      description: 'The last milliseconds to look at.',
      default: 300_000,
      optional: true,
    }),
    group_by: groupByField,
    series: seriesField,
    conditions: conditionsField,
    event_limit: field(types.integer({ min: 0, max: MAX_EVENTS }), {
      humanName: 'Event limit',
      description: 'The most alerts of one evaluation; 0 means 100.',
      default: 100,
      optional: true,
    }),
  },
  check(config) {
    const problems: ConfigurationProblem[] = [];
    for (const [at, series] of config.series.entries()) {
      const message = seriesProblem(series);
      if (message !== undefined) problems.push({ path: `series[${at}]`, message });
    }
    if (config.group_by.length > 5) problems.push({ path: 'group_by', message: 'has more than 5 fields' });
    if (config.series.length > 20) problems.push({ path: 'series', message: 'has more than 20 functions' });
    const expression = readExpression(config.conditions, config.series.map(seriesId), problems);
    if (expression !== undefined && config.series.length === 0) {
      problems.push({ path: 'series', message: 'is empty, but there are conditions' });
    }
    return problems;
  },
  judgeBy(config) {
    if (config.series.length === 0 && config.group_by.length === 0) return eachMessage(config);
    const { search_within_ms: within, group_by: groupBy } = config;
    const series = config.series.length > 0 ? config.series : [COUNT];
    const ids = series.map(seriesId);
    const expression = readExpression(config.conditions, ids, []) ?? anyMessage(series);
    const window = ({ end }: EvaluationWindow) => ({ from: end - within, to: end });
    const condition = expressionText(config.conditions.expression);
    const found = (figures: readonly FigureValue[]) =>
      Object.fromEntries(ids.map((id, at) => [id, figures[at] ?? null]));
    return {
      groupBy,
      threshold: thresholdOf(config.conditions),
      summary: `search within: ${formatNumber(within / 1000)} seconds, ${groupBy.length > 0 ? `group by: ${groupBy.join(', ')}, ` : ''}condition: ${condition}, ${commonSummary(config)}`,
      measurement: (at) => ({
        figures: series.map((each) => ({ metric: metricOf(each), queries: [config.query], ...window(at) })),
        groupBy,
        having: groupBy.length > 0 ? expression : undefined,
        limit: limitOf(config),
      }),
      judge: (measured, at) =>
        measured.rows.map(({ key, figures }) => ({
          key,
          isTriggered: isTrue(expression, figures),
          description: `${keyText(groupBy, key)}${valuesText(found(figures))} in the last ${formatNumber(within / 1000)} seconds; the condition is: ${condition}. ${graceText(config.grace)}`,
          values: found(figures),
          ...window(at),
        })),
    };
  },
});

interface Filter {
  readonly query: string;
  readonly search_within_ms: number;
  readonly event_limit: number;
  readonly grace: number;
  readonly repeat_notifications: boolean;
}

/** Only a filter: every message is an event, once, so windows do not overlap and the time of receipt decides. */
function eachMessage(config: Filter): ConditionParts {
  const within = config.search_within_ms;
  const window = ({ end, previousEnd }: EvaluationWindow) => ({
    from: Math.max(previousEnd, end - within),
    to: end,
  });
  return {
    basis: 'receive',
    eachMessage: { limit: limitOf(config) },
    threshold: 0,
    summary: `every message that matches, grace: ${formatNumber(config.grace)}`,
    measurement: (at) => ({
      figures: [{ metric: metricOf(COUNT), queries: [config.query], ...window(at) }],
      groupBy: [],
      limit: 1,
    }),
    judge: ({ rows }, at) =>
      rows.map(({ figures: [count = null] }) => ({
        key: [],
        isTriggered: (count ?? 0) > 0,
        description: `${formatNumber(count ?? 0)} ${count === 1 ? 'message matches' : 'messages match'}. ${graceText(config.grace)}`,
        values: { 'count()': count },
        ...window(at),
      })),
  };
}

function limitOf({ event_limit: limit }: Pick<Filter, 'event_limit'>): number {
  return limit === 0 ? 100 : limit;
}

/** Without conditions, it alerts when something was found. */
function anyMessage(series: readonly Series[]): FigureExpression {
  const at = series.findIndex((each) => seriesId(each) === 'count()');
  const zero: FigureExpression = { kind: 'number', value: 0 };
  return at < 0 ? { kind: 'truth', value: true } : { kind: '>', left: { kind: 'figure', at }, right: zero };
}

/** `source "web-1", level "3": ` */
export function keyText(fields: readonly string[], key: readonly string[]): string {
  if (fields.length === 0) return '';
  return `${fields.map((name, at) => `${name} ${JSON.stringify(key[at] ?? '')}`).join(', ')}: `;
}
