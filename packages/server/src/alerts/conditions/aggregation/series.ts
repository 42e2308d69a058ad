import { METRIC_FUNCTIONS } from '@millrace/contract';
import { type ConfigurationOf, field, types } from '#core/index.ts';
import type { Figure } from '#search/service.ts';
import { fieldNameType, formatNumber } from '../condition.ts';

/** A figure of an aggregation. Graylog's clients send the function as `type` or as `function`. */
const SERIES_FIELDS = {
  id: field(types.text({ maxLength: 200 }), {
    humanName: 'Id',
    description: 'The name by which the conditions refer to it.',
    optional: true,
  }),
  type: field(types.text({ maxLength: 50 }), {
    humanName: 'Function',
    description: `One of ${METRIC_FUNCTIONS.join(', ')}.`,
    optional: true,
  }),
  function: field(types.text({ maxLength: 50 }), {
    humanName: 'Function',
    description: 'The same.',
    optional: true,
  }),
  field: field(fieldNameType, {
    humanName: 'Field',
    description: 'Needed by all functions except count.',
    optional: true,
  }),
  percentile: field(types.decimal({ min: 0, max: 100 }), {
    humanName: 'Percentile',
    description: 'For the function percentile.',
    optional: true,
  }),
} as const;

export const seriesField = field(types.list(types.object(SERIES_FIELDS)), {
  humanName: 'Functions',
  description: 'What is computed. Without any, the condition is true if there are messages.',
  default: [],
  optional: true,
});

export type Series = ConfigurationOf<typeof SERIES_FIELDS>;

export function functionOf({ type, function: name }: Series): string {
  return (type ?? name ?? 'count').toLowerCase();
}

/** How conditions and people refer to it. */
export function seriesId(series: Series): string {
  return series.id ?? `${functionOf(series)}(${series.field ?? ''})`;
}

export function metricOf(series: Series): Figure['metric'] {
  const { percentile } = series;
  return {
    function: functionOf(series),
    field: series.field,
    configuration: percentile === undefined ? undefined : { percentile },
  };
}

/** What is wrong with a function, or undefined. */
export function seriesProblem(series: Series): string | undefined {
  const name = functionOf(series);
  if (!(METRIC_FUNCTIONS as readonly string[]).includes(name)) {
    return `there is no function ${JSON.stringify(name)}; use one of ${METRIC_FUNCTIONS.join(', ')}`;
  }
  if (name === 'latest') return 'latest is not a number; use another function';
  if (name !== 'count' && name !== 'percentage' && series.field === undefined) return `${name} needs a field`;
  if (name === 'percentile' && series.percentile === undefined) return 'percentile needs a percentile';
  return undefined;
}

export function valuesText(values: Readonly<Record<string, number | null>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} = ${value === null ? 'nothing' : formatNumber(value)}`)
    .join(', ');
}
