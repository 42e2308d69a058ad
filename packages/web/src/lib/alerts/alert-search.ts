import type { TriggeredAlert } from '@millrace/contract';
import { valueClause } from '../edit-query/index.ts';
import type { SearchParams } from '../url/index.ts';

type SearchedAlert = Pick<
  TriggeredAlert,
  'condition_type' | 'condition_parameters' | 'key' | 'stream_ids' | 'window'
>;

/** The query that finds the messages an alert is about. */
export function alertQueryText({ condition_type, condition_parameters: given, key }: SearchedAlert): string {
  const { query, field, value } = given;
  const clauses: string[] = [];
  if (typeof query === 'string' && !['', '*'].includes(query.trim())) clauses.push(query.trim());
  if (condition_type === 'field_content_value' && typeof field === 'string' && typeof value === 'string') {
    clauses.push(valueClause(field, value));
  }
  for (const [name, keyValue] of Object.entries(key)) clauses.push(valueClause(name, keyValue));
  const [only = '*', ...more] = clauses;
  return more.length === 0 ? only : clauses.map((clause) => `(${clause})`).join(' AND ');
}

/** A search for the messages of its window, as the URL of the search page writes it. */
export function alertSearch(alert: SearchedAlert): SearchParams {
  const { from, to } = alert.window;
  return {
    q: alertQueryText(alert),
    ...(alert.stream_ids.length > 0 && { s: alert.stream_ids.join(',') }),
    t: `${from}/${to}`,
  };
}
