import { field, types } from '#core/index.ts';
import { type FigureExpression, type FigureValue, isTrue } from '#search/service.ts';
import { keyText } from '../aggregation/condition.ts';
import { functionOf, metricOf, type Series, seriesProblem } from '../aggregation/series.ts';
import {
  commonSummary,
  defineCondition,
  type EvaluationWindow,
  fieldNameType,
  formatNumber,
  graceText,
  groupByField,
  minutesText,
  timeField,
} from '../condition.ts';

const MINUTE_MS = 60_000;
const MAX_KEYS = 1000;
/** 1 / 0 has no percentage; so little counts as a rise from nothing. */
const LEAST = 1e-9;

/** A figure is much higher or lower than in the same period before. */
export const change = defineCondition({
  id: 'change',
  wireType: 'change',
  name: 'Change against the period before',
  description:
    'Alerts when a figure rises or falls by a percentage against an earlier period of the same length: the one right before, or the same time yesterday or last week.',
  fields: {
    function: field(types.text({ maxLength: 50 }), {
      humanName: 'Function',
      description: 'count, avg, sum, max, …',
      default: 'count',
      optional: true,
    }),
    field: field(fieldNameType, {
      humanName: 'Field',
      description: 'Needed by all functions except count.',
      optional: true,
    }),
    time: timeField,
    compare_with: field(types.integer({ min: 1, max: 31 * 24 * 60 }), {
      humanName: 'Compare with',
      description:
        'How many minutes earlier the other period is; 1440 for yesterday, 10080 for last week. By default the period right before.',
      optional: true,
    }),
    direction: field(types.choice({ RISES: 'rises', FALLS: 'falls', CHANGES: 'rises or falls' }), {
      humanName: 'Direction',
      description: 'Which way the figure must go.',
      default: 'RISES',
      optional: true,
    }),
    percent: field(types.decimal({ min: 0, max: 1_000_000 }), {
      humanName: 'Percent',
      description: 'By more than so many percent.',
      default: 50,
      optional: true,
    }),
    minimum: field(types.decimal({ min: 0 }), {
      humanName: 'Minimum',
      description: 'One of the two figures must be at least this, so that 1 instead of 0 is no alert.',
      default: 1,
      optional: true,
    }),
    group_by: groupByField,
  },
  check(config) {
    const message = seriesProblem(seriesOf(config));
    return message === undefined ? [] : [{ path: 'function', message }];
  },
  judgeBy(config) {
    const { time, percent, group_by: groupBy, direction } = config;
    const series = seriesOf(config);
    const offset = (config.compare_with ?? time) * MINUTE_MS;
    const expression = changeExpression(direction, percent, config.minimum);
    const name = `${functionOf(series)}(${config.field ?? ''})`;
    const window = ({ end }: EvaluationWindow) => ({ from: end - time * MINUTE_MS, to: end });
    const values = ([now = null, before = null]: readonly FigureValue[]) => ({
      [name]: now,
      [`${name} before`]: before,
    });
    return {
      groupBy,
      threshold: null,
      summary: `${name} ${direction.toLowerCase()} by more than ${formatNumber(percent)} %, time: ${time}, compare with: ${offset / MINUTE_MS} minutes before, ${commonSummary(config)}`,
      measurement(at) {
        const { from, to } = window(at);
        const shared = { metric: metricOf(series), queries: [config.query] };
        return {
          figures: [
            { ...shared, from, to },
            { ...shared, from: from - offset, to: to - offset },
          ],
          groupBy,
          having: groupBy.length > 0 ? expression : undefined,
          limit: MAX_KEYS,
        };
      },
      judge: (measured, at) =>
        measured.rows.map(({ key, figures }) => ({
          key,
          isTriggered: isTrue(expression, figures),
          description: `${keyText(groupBy, key)}${name} was ${figureText(figures[0])} in the last ${minutesText(time)} and ${figureText(figures[1])} ${minutesText(offset / MINUTE_MS)} before; the condition is: it ${direction.toLowerCase()} by more than ${formatNumber(percent)} %. ${graceText(config.grace)}`,
          values: values(figures),
          ...window(at),
        })),
    };
  },
});

function seriesOf({ function: type, field: name }: { function: string; field: string | undefined }): Series {
  return { id: undefined, type, function: undefined, field: name, percentile: undefined };
}

const NOW: FigureExpression = { kind: 'figure', at: 0 };
const BEFORE: FigureExpression = { kind: 'figure', at: 1 };

function changeExpression(
  direction: 'RISES' | 'FALLS' | 'CHANGES',
  percent: number,
  minimum: number,
): FigureExpression {
  const number = (value: number): FigureExpression => ({ kind: 'number', value });
  const times = (factor: number): FigureExpression => ({
    kind: 'times',
    left: BEFORE,
    right: number(factor),
  });
  const rises: FigureExpression = { kind: '>', left: NOW, right: times(1 + percent / 100) };
  const falls: FigureExpression = { kind: '<', left: NOW, right: times(Math.max(LEAST, 1 - percent / 100)) };
  const isLarge: FigureExpression = {
    kind: 'or',
    left: { kind: '>=', left: NOW, right: number(minimum) },
    right: { kind: '>=', left: BEFORE, right: number(minimum) },
  };
  const moves: FigureExpression =
    direction === 'RISES' ? rises : direction === 'FALLS' ? falls : { kind: 'or', left: rises, right: falls };
  return { kind: 'and', left: moves, right: isLarge };
}

function figureText(figure: FigureValue | undefined): string {
  return figure === null || figure === undefined ? 'nothing' : formatNumber(figure);
}
