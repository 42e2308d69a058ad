import type { AlertNotice, NoticeKind } from './notice.ts';
import { oneLine, shorten } from './template/escape.ts';

/** What comes before a subject or a title, so that people see at once what kind of notice it is. */
export const KIND_PREFIX: Readonly<Record<NoticeKind, string>> = {
  triggered: '',
  repeated: 'Still: ',
  resolved: 'Resolved: ',
  evaluation_failed: 'Not evaluated: ',
  test: 'Test: ',
  digest: '',
};

/** A sentence that says what a notice of this kind is about. */
export const KIND_SENTENCE: Readonly<Record<NoticeKind, string>> = {
  triggered: 'An alert was triggered.',
  repeated: 'An alert still goes on.',
  resolved: 'An alert is over.',
  evaluation_failed: 'A rule cannot be evaluated, so nobody is alerted by it.',
  test: 'This is a test. There is no alert.',
  digest: 'Some notices were held back.',
};

export const PRIORITY_NAMES: Readonly<Record<number, string>> = { 1: 'low', 2: 'normal', 3: 'high' };

const MAX_TITLE_LENGTH = 200;

/** One line that names the rule, with the key it is about. */
export function titleOf(notice: AlertNotice): string {
  const key = notice.key.length > 0 ? ` (${notice.key.join(', ')})` : '';
  return shorten(`${KIND_PREFIX[notice.kind]}${oneLine(notice.rule.title + key)}`, MAX_TITLE_LENGTH);
}
