import type { AuditQuery } from '@millrace/contract';
import { choiceParam, pageNumberParam, pageParams, textParam } from '../../lib/url/index.ts';

export const SINCE = ['1h', '1d', '7d', '30d', 'all'] as const;
export const OUTCOMES = ['any', 'success', 'failure'] as const;

export interface AuditValues {
  readonly find: string;
  readonly actor: string;
  readonly action: string;
  readonly outcome: (typeof OUTCOMES)[number];
  readonly since: (typeof SINCE)[number];
  readonly page: number;
}

/** The filters of the audit log, in its URL. */
export const auditParams = pageParams<AuditValues>({
  find: textParam(),
  actor: textParam(),
  action: textParam(),
  outcome: choiceParam(OUTCOMES, 'any'),
  since: choiceParam(SINCE, 'all'),
  page: pageNumberParam(),
});

export const NO_FILTER: AuditValues = {
  find: '',
  actor: '',
  action: '',
  outcome: 'any',
  since: 'all',
  page: 1,
};

const HOUR_MS = 3_600_000;
const SINCE_MS: Readonly<Record<Exclude<AuditValues['since'], 'all'>, number>> = {
  '1h': HOUR_MS,
  '1d': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
  '30d': 30 * 24 * HOUR_MS,
};

/** What the server is asked. Times are whole minutes, so that the same question is asked again by the same words. */
export function auditRequest(values: AuditValues, now: number): Partial<AuditQuery> {
  const { find, actor, action, outcome, since, page } = values;
  const minute = 60_000;
  return {
    page,
    ...(find.trim() !== '' && { query: find.trim() }),
    ...(actor.trim() !== '' && { actor: actor.trim() }),
    ...(action.trim() !== '' && { action: action.trim() }),
    ...(outcome !== 'any' && { outcome }),
    ...(since !== 'all' && {
      from: new Date(Math.floor((now - SINCE_MS[since]) / minute) * minute).toISOString(),
    }),
  };
}
