import { clausesOf, clauseText, withoutClause } from '../../lib/edit-query/index.ts';
import { describeSpan, describeTimeRange, type TimeRange, type TimeSpan } from '../../lib/time/index.ts';

/** Another search that may find something. */
export interface Offer {
  readonly label: string;
  readonly query?: string;
  readonly range?: TimeRange;
  /** The time to count in, in milliseconds. */
  readonly from?: number;
  readonly to?: number;
}

const DAY_S = 86_400;
const MAX_CLAUSES = 4;
const LONGER: readonly (readonly [seconds: number, label: string])[] = [
  [DAY_S, 'Search 24 hours'],
  [7 * DAY_S, 'Search 7 days'],
  [30 * DAY_S, 'Search 30 days'],
  [365 * DAY_S, 'Search a year'],
];

/** Longer ranges: up to now for one that ends now, else around it and from there until now. */
export function timeOffers(range: TimeRange, span: TimeSpan, now: number): Offer[] {
  const length = span.to - span.from;
  if (range.type === 'relative' && range.to === 0) {
    return LONGER.filter(([seconds]) => seconds > range.from).map(([seconds, label]) => ({
      label,
      range: { type: 'relative', from: seconds, to: 0 },
      from: span.to - seconds * 1000,
    }));
  }

  const margin = Math.max(length, DAY_S * 1000) / 2;
  const offers = [offerOf('Search a longer time around it', span.from - margin, span.to + margin)];
  if (span.to + margin < now) offers.push(offerOf('Search from then until now', span.from, now));
  return offers;
}

function offerOf(label: string, from: number, to: number): Offer {
  return { label, range: { type: 'absolute', from, to }, from, to };
}

/** The query without one of its clauses. */
export function clauseOffers(query: string): Offer[] {
  const clauses = clausesOf(query);
  if (clauses.length < 2) return [];
  return clauses.slice(0, MAX_CLAUSES).map((clause, at) => ({
    label: `Without ${clauseText(clause)}`,
    query: withoutClause(query, at),
  }));
}

/** `in the last 15 minutes`, `between 10:00 and 11:00`: behind "No message matches". */
export function periodText(range: TimeRange, zone: string): string {
  if (range.type === 'relative' && range.to === 0) {
    const text = describeTimeRange(range, zone);
    return `in the ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
  }
  if (range.type === 'relative') return `from ${describeTimeRange(range, zone)}`;
  return range.type === 'words' ? `in “${range.text}”` : `in ${describeSpan(range, zone)}`;
}
