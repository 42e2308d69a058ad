/**
 * What the search benchmark asks: each question once to the node, as its API has it, and once to the engine, as
 * somebody would write it who knows the table. Both answer the same, which `figure` of either shows.
 */
import { filteredWordsHint, isFilteredWord } from '../../packages/server/src/storage/index.ts';

export interface Question {
  readonly name: string;
  readonly ours: {
    readonly method: 'GET' | 'POST';
    readonly path: string;
    readonly body?: unknown;
    figure(answer: string): number;
  };
  /** All at the same time, as a program would. */
  readonly byHand: {
    readonly statements: readonly string[];
    figure(answers: readonly string[]): number;
  };
}

export interface Questioned {
  /** Quoted. */
  readonly table: string;
  readonly from: Date;
  readonly to: Date;
  /** Of one message somewhere in the middle. */
  readonly requestId: string;
  readonly rareWord: string;
  readonly exported: number;
}

/** Columns of a message that a person would want to see. */
const SHOWN = 'timestamp, id, source, message, full_message, level, streams, fields';

const TERM = 'cart';

const HAS_TERM = `hasAllTokens(text, ['${TERM}'])`;

export function questionsAbout(what: Questioned): Question[] {
  return [
    latest(what, 'latest 100', '*'),
    latest(what, 'latest 100 with a term', TERM, HAS_TERM),
    latest(what, 'rare token', what.rareWord, `hasAllTokens(text, ['${what.rareWord}'])`),
    latest(what, 'id in any field', `"${what.requestId}"`, idCondition(what.requestId)),
    ...aggregations(what),
    ...histograms(what),
    latest(what, 'regex', 'message:/products\\/\\d+ 503/', "match(message, 'products/\\\\d+ 503')"),
    latest(what, 'wildcard', 'http_path:*prices*999', "fields.http_path.:String ILIKE '%prices%999'"),
    exported(what),
  ];
}

function latest(what: Questioned, name: string, query: string, condition?: string): Question {
  return {
    name,
    ours: {
      method: 'GET',
      path: universal(what, '', { query, limit: '100' }),
      figure: (answer) => (JSON.parse(answer) as { total_results: number }).total_results,
    },
    byHand: {
      statements: [
        `SELECT ${SHOWN} ${from(what, condition)} ORDER BY timestamp DESC LIMIT 100 FORMAT JSONEachRow`,
        `SELECT count() ${from(what, condition)}`,
      ],
      figure: ([, count]) => Number(count),
    },
  };
}

function aggregations(what: Questioned): Question[] {
  return [
    {
      name: 'count by field value',
      ours: {
        ...aggregate(what, 'http_status:500', { metrics: [{ function: 'count' }] }),
        figure: (answer) => Number(dataRows(answer)[0]?.at(-1)),
      },
      byHand: {
        statements: [`SELECT count() ${from(what, 'fields.http_status.:Float64 = 500')}`],
        figure: ([count]) => Number(count),
      },
    },
    {
      name: 'top 10 of many values',
      ours: {
        ...aggregate(what, '*', {
          group_by: [{ field: 'http_path', limit: 10 }],
          metrics: [{ function: 'count', sort: 'desc' }],
        }),
        figure: (answer) => sum(dataRows(answer).map((row) => row.at(-1))),
      },
      byHand: {
        statements: [
          `SELECT fields.http_path.:String AS value, count() AS messages ${from(what)} GROUP BY value ORDER BY messages DESC LIMIT 10`,
        ],
        figure: ([answer]) => sum(lines(answer).map((row) => row[1])),
      },
    },
    {
      name: 'average and 99th percentile',
      ours: {
        ...aggregate(what, '*', {
          metrics: [
            { function: 'avg', field: 'took_ms' },
            { function: 'percentile', field: 'took_ms', configuration: { percentile: 99 } },
          ],
        }),
        figure: (answer) => Math.round(Number(dataRows(answer)[0]?.[0])),
      },
      byHand: {
        statements: [
          `SELECT avg(fields.took_ms.:Float64), quantileTDigest(0.99)(fields.took_ms.:Float64) ${from(what)}`,
        ],
        figure: ([answer]) => Math.round(Number(lines(answer)[0]?.[0])),
      },
    },
  ];
}

function histograms(what: Questioned): Question[] {
  return [
    {
      name: 'histogram by minute',
      ours: {
        method: 'GET',
        path: universal(what, '/histogram', { query: '*', interval: 'minute' }),
        figure: (answer) =>
          sum(Object.values((JSON.parse(answer) as { results: Record<string, number> }).results)),
      },
      byHand: {
        statements: [
          `SELECT toStartOfMinute(timestamp) AS minute, count() ${from(what)} GROUP BY minute ORDER BY minute`,
        ],
        figure: ([answer]) => sum(lines(answer).map((row) => row[1])),
      },
    },
    {
      name: 'histogram with a term, by level',
      ours: {
        method: 'GET',
        path: universal(what, '/terms-histogram', {
          query: TERM,
          field: 'level',
          interval: 'minute',
          size: '10',
        }),
        figure: (answer) => {
          const { buckets } = JSON.parse(answer) as { buckets: Record<string, { total: number }> };
          return sum(Object.values(buckets).map(({ total }) => total));
        },
      },
      byHand: {
        statements: [
          `SELECT toStartOfMinute(timestamp) AS minute, level, count() ${from(what, HAS_TERM)} GROUP BY minute, level ORDER BY minute, level`,
        ],
        figure: ([answer]) => sum(lines(answer).map((row) => row[2])),
      },
    },
  ];
}

function exported(what: Questioned): Question {
  return {
    name: `export of ${what.exported}`,
    ours: {
      method: 'GET',
      path: universal(what, '/export', {
        query: '*',
        fields: 'timestamp,source,message',
        limit: String(what.exported),
      }),
      figure: (answer) => answer.trimEnd().split('\n').length - 1,
    },
    byHand: {
      statements: [
        `SELECT timestamp, source, message ${from(what)} ORDER BY timestamp DESC LIMIT ${what.exported} FORMAT CSVWithNames`,
      ],
      figure: ([answer = '']) => answer.trimEnd().split('\n').length - 1,
    },
  };
}

function from({ table, from, to }: Questioned, condition?: string): string {
  const instant = (time: Date) => `fromUnixTimestamp64Milli(${time.getTime()}, 'UTC')`;
  const conditions = [`timestamp >= ${instant(from)}`, `timestamp <= ${instant(to)}`];
  return `FROM ${table} WHERE ${[...conditions, ...(condition === undefined ? [] : [condition])].join(' AND ')}`;
}

function aggregate(what: Questioned, query: string, body: object) {
  const timerange = { type: 'absolute', from: what.from.toISOString(), to: what.to.toISOString() };
  return { method: 'POST' as const, path: '/search/aggregate', body: { query, timerange, ...body } };
}

function dataRows(answer: string): (string | number)[][] {
  return (JSON.parse(answer) as { datarows: (string | number)[][] }).datarows;
}

/** Lines of text separated by tabs. */
function lines(answer = ''): string[][] {
  return answer
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));
}

function sum(numbers: readonly unknown[]): number {
  return numbers.reduce<number>((total, each) => total + Number(each), 0);
}

function universal(what: Questioned, endpoint: string, parameters: Record<string, string>): string {
  const query = new URLSearchParams({
    from: what.from.toISOString(),
    to: what.to.toISOString(),
    ...parameters,
  });
  return `/search/universal/absolute${endpoint}?${query}`;
}

/** The filters only tell where it may be, so the text has to be looked at too. */
function idCondition(id: string): string {
  const words = id.split('-').filter(isFilteredWord);
  return `${filteredWordsHint('all', `['${words.join("', '")}']`)} AND position(text, '${id}') > 0`;
}
