import type { RangeChoice } from '../../components/sample-picker.tsx';
import type { QueryRules, Remark } from '../../lib/stream-rules/index.ts';
import { rulesOfQuery } from '../../lib/stream-rules/index.ts';
import { describeTimeRange, parseTimeRange, resolveTimeRange, serverNow } from '../../lib/time/index.ts';
import { listParam, type SearchParams } from '../../lib/url/index.ts';

/** The search that a stream is made from. */
export interface StreamSource {
  readonly query: string;
  readonly streams: readonly string[];
  readonly rules: QueryRules;
  readonly streamRemarks: readonly Remark[];
  readonly range: RangeChoice | undefined;
}

const DEFAULT_RANGE = '15m';

/** Of the parameters `q`, `s` and `t`, as the search page has them; undefined without a query. */
export function readSource(params: SearchParams, now = serverNow()): StreamSource | undefined {
  const { q, s = '', t = DEFAULT_RANGE } = params;
  if (q === undefined) return undefined;
  const streams = listParam().parse(s) ?? [];
  return {
    query: q,
    streams,
    rules: rulesOfQuery(q),
    streamRemarks:
      streams.length === 0
        ? []
        : [
            {
              clause: streams.length === 1 ? 'The chosen stream' : 'The chosen streams',
              reason: 'A stream takes from all messages; a rule cannot ask for streams.',
            },
          ],
    range: rangeOf(t, now),
  };
}

/** The same instants for the preview and the search it is compared with. */
function rangeOf(text: string, now: number): RangeChoice | undefined {
  const range = parseTimeRange(text);
  if (range === undefined) return undefined;
  if (range.type === 'words') {
    return {
      value: 'search',
      label: `of the search: ${range.text}`,
      timerange: { type: 'keyword', keyword: range.text },
    };
  }
  const span = resolveTimeRange(range, now);
  if (span === undefined) return undefined;
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    value: 'search',
    label: `of the search: ${describeTimeRange(range, 'UTC').toLowerCase()}`,
    timerange: { type: 'absolute', from: iso(span.from), to: iso(span.to) },
  };
}
