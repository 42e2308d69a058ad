/** The functions of an aggregation: what each one reads, computes over a group and shows in a cell. */
import {
  METRIC_FUNCTIONS,
  type MetricFunction,
  type MetricRequest,
  type TableCell,
} from '@millrace/contract';
import { InvalidError } from '#core/index.ts';
import { anyValueOf, kindOf, listOf, numberOf, VALUE_KINDS } from './field-values.ts';

export interface Metric {
  readonly function: MetricFunction;
  readonly field: string | undefined;
  /** The columns it reads, as a select list inside the tables. */
  readonly columns: readonly string[];
  /** SQL over the messages of a group. */
  readonly figure: string;
  /** SQL over all messages found, by which the figure is divided. */
  readonly dividedBy?: string;
  /** Null: there is no value. */
  cellOf(value: unknown): TableCell | null;
}

/** The rank error of percentiles is 1 / this. They are exact up to this many values; memory is bounded. */
const PERCENTILE_ACCURACY = 10_000;

/** Orders messages by time, then by receipt. */
const MOMENT = '(timestamp, received_at, id_partition, id_offset)';

/** @param all all requested functions; those over the same field share its columns */
export function metricOf(request: MetricRequest, all: readonly MetricRequest[]): Metric {
  return metricAt(request, { at: String(all.findIndex((each) => each.field === request.field)) });
}

/** Where a function takes its values from. */
export interface MetricPlace {
  /** Part of the names of its columns. */
  readonly at: string;
  /** A column inside the tables: only messages count for which it is true. Undefined for all. */
  readonly only?: string;
}

export function metricAt(request: MetricRequest, place: MetricPlace): Metric {
  const name = functionOf(request.function);
  const { field } = request;
  const { at } = place;
  const shared = { function: name, field, cellOf: numberCell };
  if (name === 'count') return { ...shared, ...countOf(field, place) };
  if (name === 'percentage') return { ...shared, ...percentageOf(request, place) };
  if (field === undefined) {
    throw new InvalidError(
      `${name} metric requires field name to be provided, i.e. ${name}:http_status_code`,
    );
  }
  if (name === 'card') {
    const column = `value_of_${at}`;
    return {
      ...shared,
      columns: [`${anyValueIn(field, place)} AS ${column}`],
      figure: anyValueOf(field).distinct(column),
    };
  }
  if (name === 'latest') return { ...shared, ...latestOf(field, place) };
  const column = `number_of_${at}`;
  return {
    ...shared,
    columns: [`${numberIn(field, place)} AS ${column}`],
    figure: numberFigure(name, column, request),
  };
}

function functionOf(text: string): MetricFunction {
  const name = METRIC_FUNCTIONS.find((known) => known === text.toLowerCase());
  if (name !== undefined) return name;
  throw new InvalidError(
    `Unrecognized metric : ${JSON.stringify(text)}, valid metrics : [${METRIC_FUNCTIONS.join(', ')}]`,
  );
}

type NumberFunction = Exclude<MetricFunction, 'count' | 'percentage' | 'card' | 'latest'>;

function numberFigure(name: NumberFunction, column: string, request: MetricRequest): string {
  switch (name) {
    case 'avg':
      return `avg(${column})`;
    case 'max':
      return `max(${column})`;
    case 'min':
      return `min(${column})`;
    case 'sum':
      return `ifNull(sum(${column}), 0)`;
    case 'sumofsquares':
      return `ifNull(sum(${column} * ${column}), 0)`;
    case 'stddev':
      return `if(count(${column}) = 0, NULL, stddevPopStable(${column}))`;
    case 'variance':
      return `if(count(${column}) = 0, NULL, varPopStable(${column}))`;
    case 'percentile':
      return `quantileGK(${PERCENTILE_ACCURACY}, ${percentileOf(request)})(${column})`;
  }
}

function percentileOf({ configuration }: MetricRequest): number {
  const percentile = configuration?.percentile;
  if (percentile === undefined) {
    throw new InvalidError(
      'percentile needs a percentage: "configuration": {"percentile": 95}, or percentile:took_ms:95 in a URL.',
    );
  }
  return percentile / 100;
}

function numberIn(field: string, { only }: MetricPlace): string {
  const number = numberOf(field);
  return only === undefined ? number : `if(${only}, ${number}, NULL)`;
}

function anyValueIn(field: string, { only }: MetricPlace): string {
  const { expression } = anyValueOf(field);
  if (only === undefined) return expression;
  return `if(${only}, ${expression}, ${listOf(field) === undefined ? 'NULL' : '[]'})`;
}

function countOf(field: string | undefined, place: MetricPlace): Pick<Metric, 'columns' | 'figure'> {
  const { at, only } = place;
  if (field === undefined) {
    return only === undefined
      ? { columns: [], figure: 'count()' }
      : { columns: [`${only} AS counted_${at}`], figure: `countIf(counted_${at})` };
  }
  const column = `value_of_${at}`;
  return {
    columns: [`${anyValueIn(field, place)} AS ${column}`],
    figure: `countIf(${anyValueOf(field).isPresent(column)})`,
  };
}

/** The share of a group, from 0 to 1, in all messages found or in their sum, including groups that are not shown. */
function percentageOf(
  request: MetricRequest,
  place: MetricPlace,
): Pick<Metric, 'columns' | 'figure' | 'dividedBy'> {
  if (request.configuration?.strategy !== 'SUM') {
    const { columns, figure } = countOf(request.field, place);
    return { columns, figure, dividedBy: figure };
  }
  if (request.field === undefined) {
    throw new InvalidError('percentage with the strategy SUM requires field name to be provided.');
  }
  const column = `number_of_${place.at}`;
  const figure = `ifNull(sum(${column}), 0)`;
  return { columns: [`${numberIn(request.field, place)} AS ${column}`], figure, dividedBy: figure };
}

function latestOf(field: string, place: MetricPlace): Pick<Metric, 'columns' | 'figure' | 'cellOf'> {
  const { at } = place;
  const column = `value_of_${at}`;
  const isPresent = anyValueOf(field).isPresent(column);
  const columns = [`${anyValueIn(field, place)} AS ${column}`, `${MOMENT} AS moment_of_${at}`];
  if (listOf(field) !== undefined) {
    const figure = `argMaxIf(${column}, moment_of_${at}, ${isPresent})`;
    return {
      columns,
      figure,
      cellOf: (list) => ((list as string[]).length === 0 ? null : (list as string[])),
    };
  }
  return {
    columns: [...columns, `${kindOf(field)} AS kind_of_${at}`],
    figure: `(argMaxIf((ifNull(${column}, ''), toUInt8(kind_of_${at})), moment_of_${at}, ${isPresent}), countIf(${isPresent}))`,
    cellOf: (pair) => latestCell(pair as [[string, number], string]),
  };
}

function latestCell([[text, kind], count]: [[string, number], string | number]): TableCell | null {
  if (Number(count) === 0) return null;
  switch (VALUE_KINDS[kind]) {
    case 'boolean':
      return text === 'true';
    case 'number': {
      const number = Number(text);
      // Integers beyond 2^53 stay texts to keep their digits.
      return Number.isInteger(number) && !Number.isSafeInteger(number) && /^-?\d+$/.test(text)
        ? text
        : number;
    }
    default:
      return text;
  }
}

/** 64-bit integers arrive as texts. */
function numberCell(value: unknown): TableCell | null {
  return value === null || value === undefined ? null : Number(value);
}
