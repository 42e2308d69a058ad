import { parseInstant, parseTimeRange, printTimeRange } from '../../lib/time/index.ts';
import type { SearchParams } from '../../lib/url/index.ts';

/** A link to Graylog's search page as ours; undefined for one that is ours already. */
export function fromGraylogLink(search: SearchParams, streamId?: string): SearchParams | undefined {
  if (search.rangetype === undefined && streamId === undefined) return undefined;
  const { q, streams, fields, sortField, sortOrder, timezone } = search;
  const t = timeOf(search);
  const s = streamId ?? streams;
  return {
    ...(q === undefined || q === '' ? {} : { q }),
    ...(t === undefined ? {} : { t }),
    ...(timezone === undefined ? {} : { tz: timezone }),
    ...(s === undefined || s === '' ? {} : { s }),
    ...(fields === undefined || fields === '' ? {} : { cols: fields }),
    ...(sortField === undefined ? {} : { sort: `${sortField}:${sortOrder === 'asc' ? 'asc' : 'desc'}` }),
  };
}

/** Ten years: Graylog writes "all messages" as 0. */
const ALL_TIME = '3650d';

function timeOf({ rangetype, relative, from, to, keyword }: SearchParams): string | undefined {
  if (rangetype === 'keyword') return keyword;
  if (rangetype === 'absolute') {
    const [start, end] = [utcInstant(from), utcInstant(to)];
    return start === undefined || end === undefined
      ? undefined
      : printTimeRange({ type: 'absolute', from: start, to: end });
  }
  const seconds = relative ?? from;
  if (rangetype !== 'relative' || seconds === undefined) return undefined;
  if (Number(seconds) === 0) return ALL_TIME;
  const range = parseTimeRange(to === undefined || to === '' ? `${seconds}s` : `${seconds}s/${to}s`);
  return range === undefined ? undefined : printTimeRange(range);
}

/** Graylog writes times without a zone in UTC. */
function utcInstant(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const iso = text.trim().replace(' ', 'T');
  return parseInstant(/(?:Z|[+-]\d{2}:?\d{2})$/.test(iso) ? iso : `${iso}Z`);
}
