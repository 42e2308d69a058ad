import { addClause, valueClause } from '../../../lib/edit-query/index.ts';
import { EVENTS_STREAM, FAILURES_STREAM, scalarsOf } from '../../../lib/messages/index.ts';

type Fields = Readonly<Record<string, unknown>>;

const isIn = (fields: Fields, stream: string) => scalarsOf(fields.streams).includes(stream);

/**
 * The fields that stay equal until somebody chooses others. The source of an event is the node that found it, which sends
 * no messages: around an event everything is of interest.
 */
export function heldAtFirst(fields: Fields): readonly string[] {
  return isIn(fields, EVENTS_STREAM) ? [] : ['source'];
}

/** The streams of the search that finds what the surroundings show: failures are found only by those who ask for them. */
export function streamsAround(fields: Fields): readonly string[] {
  return isIn(fields, FAILURES_STREAM) ? [FAILURES_STREAM] : [];
}

/** The query that finds what the surroundings show. */
export function heldQuery(fields: Fields, held: readonly string[]): string {
  return held.reduce((query, name) => {
    const [value] = scalarsOf(fields[name]);
    return value === undefined ? query : addClause(query, valueClause(name, value));
  }, '*');
}
