/** The messages that a notice shows. */
import { formatTimestamp } from '@millrace/contract';
import { asPhrase, asTerm } from '@millrace/query';
import type { MessageSearch } from '#search/service.ts';
import type { EvaluationWindow, Finding } from '../conditions/condition.ts';
import type { BacklogMessage } from '../notifications/service.ts';
import type { Rule } from '../rules/rule.ts';
import { ALERTS_PRINCIPAL } from './system-principal.ts';

/** By receive time, the message's own time may differ; see `search/figures`. */
const MAX_TIME_DIFFERENCE_MS = 24 * 3_600_000;

/** The newest messages that a finding is about. */
export async function backlogOf(
  messages: Pick<MessageSearch, 'find'>,
  rule: Rule,
  finding: Finding,
  window: EvaluationWindow,
): Promise<BacklogMessage[]> {
  const { backlog } = rule.condition;
  return backlog === 0
    ? []
    : messagesOf(messages, rule, finding, window, { limit: backlog, direction: 'desc' });
}

/** The messages that a finding is about. */
export async function messagesOf(
  messages: Pick<MessageSearch, 'find'>,
  rule: Rule,
  finding: Finding,
  window: EvaluationWindow,
  { limit, direction }: { readonly limit: number; readonly direction: 'asc' | 'desc' },
): Promise<BacklogMessage[]> {
  const { basis } = rule.condition;
  const margin = basis === 'receive' ? MAX_TIME_DIFFERENCE_MS : 0;
  const found = await messages.find(ALERTS_PRINCIPAL, {
    query: findingQuery(rule, finding, window),
    range: {
      type: 'absolute',
      from: formatTimestamp(Math.max(1, finding.from - margin)),
      to: formatTimestamp(finding.to - 1 + margin),
    },
    streams: rule.record.streams,
    limit,
    sort: { field: 'timestamp', direction },
  });
  return found.messages.map(({ id, index, timestamp, fields }) => {
    const { message, source, streams, ...rest } = Object.fromEntries(fields);
    return {
      id,
      index,
      message: String(message ?? ''),
      source: String(source ?? ''),
      timestamp,
      streamIds: Array.isArray(streams) ? streams.map(String) : [],
      fields: Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, jsonField(value)])),
    };
  });
}

/** A query for the messages that a finding counts; the time of the messages is not part of it. */
export function findingQuery(
  rule: Pick<Rule, 'condition'>,
  finding: Pick<Finding, 'key' | 'from' | 'to'>,
  window: EvaluationWindow,
): string {
  const { condition } = rule;
  const queries = new Set(condition.measurement(window).figures[0]?.queries ?? []);
  for (const [at, name] of condition.groupBy.entries()) {
    queries.add(`${asTerm(name)}:${asPhrase(finding.key[at] ?? '')}`);
  }
  if (condition.basis === 'receive') {
    const [from, to] = [formatTimestamp(finding.from), formatTimestamp(finding.to)];
    queries.add(`gl2_receive_timestamp:["${from}" TO "${to}"}`);
  }
  queries.delete('*');
  if (queries.size === 0) return '*';
  const [only] = queries;
  return queries.size === 1 && only !== undefined
    ? only
    : [...queries].map((query) => `(${query})`).join(' AND ');
}

/** JSON has no big integers. */
function jsonField(value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
