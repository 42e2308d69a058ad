import { FAILURES_STREAM } from '../../lib/messages/index.ts';
import { queryOf } from './queries.ts';

/** Failures are messages: of one input, or of all. */
export function failureSearch(inputId?: string) {
  return {
    to: '/search',
    search: {
      s: FAILURES_STREAM,
      t: '24h',
      cols: 'timestamp,source,failure_type,failure_cause,failure_details',
      ...(inputId === undefined ? {} : { q: queryOf(inputId) }),
    },
  } as const;
}

/** What an input received. */
export function inputSearch(inputId: string) {
  return { to: '/search', search: { q: queryOf(inputId), t: '1h' } } as const;
}
