import { searchLink } from './links.ts';
import type { AlertNotice } from './notice.ts';
import { oneLine, shorten } from './template/escape.ts';
import { isoInZone } from './template/values.ts';
import { PRIORITY_NAMES, titleOf } from './wording.ts';

/** What chat services show: a title, a text, a few facts and a link. */
export interface NoticeSummary {
  readonly title: string;
  readonly text: string;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  /** The newest messages, one line each. */
  readonly messages: readonly string[];
  readonly link: string | undefined;
}

const MAX_TEXT_LENGTH = 2000;
const MAX_FACT_LENGTH = 300;
const MAX_MESSAGE_LENGTH = 300;

export function summaryOf(
  notice: AlertNotice,
  options: { readonly webInterface: string; readonly timeZone: string; readonly messages: number },
): NoticeSummary {
  const { rule, streams, triggeredAt, resolvedAt } = notice;
  const time = (milliseconds: number) => isoInZone(milliseconds, options.timeZone);
  const facts = [
    { name: 'Rule', value: rule.title },
    { name: 'Streams', value: streams.map(({ title }) => title).join(', ') },
    { name: 'Key', value: notice.key.join(', ') },
    { name: 'Priority', value: PRIORITY_NAMES[rule.priority] ?? String(rule.priority) },
    { name: 'Time', value: time(triggeredAt) },
    { name: 'Resolved', value: resolvedAt === null ? '' : time(resolvedAt) },
    ...Object.entries(notice.values).map(([name, value]) => ({ name, value: String(value ?? '') })),
    { name: 'What to do', value: rule.remediationSteps },
  ];
  return {
    title: titleOf(notice),
    text: shorten(notice.resultDescription, MAX_TEXT_LENGTH),
    facts: facts
      .filter(({ value }) => value !== '')
      .map(({ name, value }) => ({ name, value: shorten(value, MAX_FACT_LENGTH) })),
    messages: notice.backlog
      .slice(0, options.messages)
      .map(({ timestamp, source, message }) =>
        shorten(oneLine(`${time(timestamp)} ${source}: ${message}`), MAX_MESSAGE_LENGTH),
      ),
    link: searchLink(options.webInterface, notice),
  };
}
