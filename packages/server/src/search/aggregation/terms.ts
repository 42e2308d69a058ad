/** The most frequent values of a field, or combinations of values of several fields. */
import { InvalidError } from '#core/index.ts';
import type { PreparedSearch } from '../execution/index.ts';
import { keyRows, uniqueFields, valueColumns } from './grouped-rows.ts';
import type { Count } from './numbers.ts';
import { orderedRecord } from './ordered-record.ts';

export interface TermsOptions {
  readonly field: string;
  readonly stackedFields: readonly string[];
  readonly size: number;
  readonly ascending: boolean;
}

/** The values of a field in all messages, or in the messages of one bucket. */
export interface Terms {
  readonly terms: Readonly<Record<string, number>>;
  readonly terms_mapping: Readonly<Record<string, { field: string; value: string }[]>>;
  readonly missing: number;
  readonly other: number;
  readonly total: number;
}

export const NO_TERMS: Terms = { terms: {}, terms_mapping: {}, missing: 0, other: 0, total: 0 };
export const DEFAULT_TERMS = 50;

/** Separates the values of a term. */
const SEPARATOR = ' - ';

/** A group with its values, and the sums over all groups (of its bucket). */
export interface TermRow {
  readonly [value: `value_${number}`]: string | null;
  readonly messages: Count;
  readonly total: Count;
  /** Messages without the first field; undefined if there cannot be any. */
  readonly missing?: Count;
  /** Messages in groups with all values; undefined if those are all messages that are not missing. */
  readonly counted?: Count;
}

export interface BucketTermRow extends TermRow {
  readonly bucket: Count;
}

/** `field:asc`, `asc`, `Descending`, …; the most frequent first by default. */
export function isAscending(order: string | undefined): boolean {
  const direction = (order ?? '').split(':').at(-1)?.trim().toLowerCase();
  return direction === 'asc' || direction === 'ascending';
}

export function fieldsOf(options: Pick<TermsOptions, 'field' | 'stackedFields'>, most: number): string[] {
  const fields = uniqueFields([options.field, ...options.stackedFields]);
  if (fields.length > most + 1) {
    throw new InvalidError(`At most ${most} stacked_fields are allowed; got ${fields.length - 1}.`);
  }
  return fields;
}

export function termsSql(search: PreparedSearch, fields: readonly string[], options: TermsOptions): string {
  return `${groupsSql(search, fields, options)} LIMIT ${options.size}`;
}

export function bucketTermsSql(
  search: PreparedSearch,
  fields: readonly string[],
  options: TermsOptions,
  bucket: string,
  maxRows: number,
): string {
  return `${groupsSql(search, fields, options, bucket)} LIMIT ${options.size} BY bucket LIMIT ${maxRows}`;
}

/**
 * All groups in order. Each row carries the sums, so that one statement is enough. Sums cost time, so those that follow
 * from others are left out.
 */
function groupsSql(
  search: PreparedSearch,
  fields: readonly string[],
  { ascending }: Pick<TermsOptions, 'ascending'>,
  bucket?: string,
): string {
  const first = bucket === undefined ? [] : ['bucket'];
  const extraColumns = bucket === undefined ? [] : [`${bucket} AS bucket`];
  const { rows, isSplit, texts, mayBeMissing } = keyRows(search, fields, extraColumns);
  const values = valueColumns(fields);
  const keys = [...first, ...fields.map((_, at) => `key_${at}`)];
  const over = `OVER (${bucket === undefined ? '' : 'PARTITION BY bucket'})`;
  const firsts = isSplit ? 'firsts' : 'messages';
  const isComplete = values.map((value) => `isNotNull(${value})`).join(' AND ');
  const columns = [
    ...first,
    ...texts.map((text, at) => `${text} AS ${values[at]}`),
    'count() AS messages',
    ...(isSplit ? ['sum(is_first) AS firsts'] : []),
    `sum(${firsts}) ${over} AS total`,
    ...(mayBeMissing ? [`sumIf(${firsts}, isNull(value_0)) ${over} AS missing`] : []),
    ...(isSplit || (mayBeMissing && fields.length > 1)
      ? [`sumIf(messages, ${isComplete}) ${over} AS counted`]
      : []),
  ];
  const order = [
    ...first,
    ...(mayBeMissing ? [`(${isComplete}) DESC`] : []),
    `messages ${ascending ? 'ASC' : 'DESC'}`,
    ...values,
  ];
  return `SELECT ${columns.join(', ')} FROM ${rows} GROUP BY ${keys.join(', ')} ORDER BY ${order.join(', ')}`;
}

/** @param record makes an object of terms; by default one that keeps their order */
export function termsOf(
  rows: readonly TermRow[],
  fields: readonly string[],
  record: typeof orderedRecord = orderedRecord,
): Terms {
  const [any] = rows;
  if (any === undefined) return NO_TERMS;
  const shown = shownTerms(rows, fields);
  const sum = shown.reduce((all, { messages }) => all + messages, 0);
  const total = Number(any.total);
  const missing = Number(any.missing ?? 0);
  return {
    terms: record(mergedCounts(shown)),
    terms_mapping: record(shown.map(({ term, mapping }) => [term, mapping])),
    missing,
    other: Number(any.counted ?? total - missing) - sum,
    total,
  };
}

export interface ShownTerm {
  readonly term: string;
  readonly messages: number;
  readonly mapping: { field: string; value: string }[];
}

/** The groups in which every field has a value. */
export function shownTerms(rows: readonly TermRow[], fields: readonly string[]): ShownTerm[] {
  const shown: ShownTerm[] = [];
  for (const row of rows) {
    if (fields.some((_, at) => row[`value_${at}`] === null)) continue;
    const mapping = fields.map((field, at) => ({ field, value: row[`value_${at}`] ?? '' }));
    const term = mapping.map(({ value }) => value).join(SEPARATOR);
    shown.push({ term, messages: Number(row.messages), mapping });
  }
  return shown;
}

/** Different groups can have the same term when their values contain the separator. */
function mergedCounts(shown: readonly ShownTerm[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { term, messages } of shown) counts.set(term, (counts.get(term) ?? 0) + messages);
  return counts;
}
