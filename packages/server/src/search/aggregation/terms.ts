/** The most frequent values of a field, or of several fields together. */
import { InvalidError } from '#core/index.ts';
import type { PreparedSearch } from '../execution/index.ts';
import { differentFields, groupedRows, valueColumns } from './grouped-rows.ts';
import type { Count } from './numbers.ts';
import { orderedRecord } from './ordered-record.ts';

export interface TermsOptions {
  readonly field: string;
  readonly stackedFields: readonly string[];
  readonly size: number;
  readonly ascending: boolean;
}

/** What is known of the values of one field in all messages, or in those of one bucket. */
export interface Terms {
  readonly terms: Readonly<Record<string, number>>;
  readonly terms_mapping: Readonly<Record<string, { field: string; value: string }[]>>;
  readonly missing: number;
  readonly other: number;
  readonly total: number;
}

export const NO_TERMS: Terms = { terms: {}, terms_mapping: {}, missing: 0, other: 0, total: 0 };
export const DEFAULT_TERMS = 50;

/** Between the values of one term. */
const SEPARATOR = ' - ';

/** A group: its values at `value_0` and so on, and beside them the sums over all groups (of its bucket). */
export interface TermRow {
  readonly [value: `value_${number}`]: string | null;
  readonly messages: Count;
  readonly is_complete: 0 | 1;
  readonly counted: Count;
  readonly missing: Count;
  readonly total: Count;
}

export interface BucketTermRow extends TermRow {
  readonly bucket: Count;
}

/** `field:asc`, `asc`, `Descending`, …; the most frequent first unless it says otherwise. */
export function isAscending(order: string | undefined): boolean {
  const direction = (order ?? '').split(':').at(-1)?.trim().toLowerCase();
  return direction === 'asc' || direction === 'ascending';
}

export function fieldsOf(options: Pick<TermsOptions, 'field' | 'stackedFields'>, most: number): string[] {
  const fields = differentFields([options.field, ...options.stackedFields]);
  if (fields.length > most + 1) {
    throw new InvalidError(`At most ${most} stacked_fields are taken; there are ${fields.length - 1}.`);
  }
  return fields;
}

export function termsSql(search: PreparedSearch, fields: readonly string[], options: TermsOptions): string {
  return `${groupsSql(search, fields)} ${orderBy(fields, options, [])} LIMIT ${options.size}`;
}

export function bucketTermsSql(
  search: PreparedSearch,
  fields: readonly string[],
  options: TermsOptions,
  bucket: string,
  mostRows: number,
): string {
  const order = orderBy(fields, options, ['bucket']);
  return `${groupsSql(search, fields, bucket)} ${order} LIMIT ${options.size} BY bucket LIMIT ${mostRows}`;
}

/** All groups; the sums come with each of them, so that one statement answers everything. */
function groupsSql(search: PreparedSearch, fields: readonly string[], bucket?: string): string {
  const values = valueColumns(fields);
  const keys = [...(bucket === undefined ? [] : ['bucket']), ...values];
  const rows = groupedRows(search, fields, bucket === undefined ? [] : [`${bucket} AS bucket`]);
  const isComplete = values.map((value) => `isNotNull(${value})`).join(' AND ');
  const groups = `SELECT ${keys.join(', ')}, count() AS messages, sum(is_first) AS firsts, ${isComplete} AS is_complete FROM ${rows} GROUP BY ${keys.join(', ')}`;
  const over = `OVER (${bucket === undefined ? '' : 'PARTITION BY bucket'})`;
  const sums = [
    `sumIf(messages, is_complete) ${over} AS counted`,
    `sumIf(firsts, isNull(value_0)) ${over} AS missing`,
    `sum(firsts) ${over} AS total`,
  ];
  return `SELECT ${keys.join(', ')}, messages, is_complete, ${sums.join(', ')} FROM (${groups})`;
}

function orderBy(fields: readonly string[], { ascending }: TermsOptions, first: readonly string[]): string {
  const direction = ascending ? 'ASC' : 'DESC';
  const keys = [...first, 'is_complete DESC', `messages ${direction}`, ...valueColumns(fields)];
  return `ORDER BY ${keys.join(', ')}`;
}

export function termsOf(rows: readonly TermRow[], fields: readonly string[]): Terms {
  const [any] = rows;
  if (any === undefined) return NO_TERMS;
  const shown = rows
    .filter((row) => Number(row.is_complete) === 1)
    .map((row) => ({
      messages: Number(row.messages),
      mapping: fields.map((field, at) => ({ field, value: row[`value_${at}`] ?? '' })),
    }))
    .map((row) => ({ ...row, term: row.mapping.map(({ value }) => value).join(SEPARATOR) }));
  const sum = shown.reduce((total, { messages }) => total + messages, 0);
  return {
    terms: mergedCounts(shown),
    terms_mapping: orderedRecord(shown.map(({ term, mapping }) => [term, mapping])),
    missing: Number(any.missing),
    other: Number(any.counted) - sum,
    total: Number(any.total),
  };
}

/** Values with the separator in them can make the same term of different groups. */
function mergedCounts(shown: readonly { term: string; messages: number }[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { term, messages } of shown) counts.set(term, (counts.get(term) ?? 0) + messages);
  return orderedRecord(counts);
}
