/** People and scripts beside the senders: searches, live tails and exports, some of them abandoned halfway. */
import { setTimeout as delay } from 'node:timers/promises';
import { rootCredentials } from '../../../tests/support/node-api.ts';
import { openTail } from '../../../tests/support/tail-client.ts';

export interface ReaderFigures {
  searches: number;
  tails: number;
  tailMessages: number;
  exports: number;
  exportedLines: number;
  /** Refused because node or engine was away, starting, busy or out of disk. */
  away: number;
  /** Searches with room for more than they found whose page and total differ. */
  inconsistent: string[];
  /** Any other answer. */
  unexpected: string[];
}

export interface SoakReaders {
  readonly figures: Readonly<ReaderFigures>;
  stop(): Promise<void>;
}

const SEARCHERS = 2;
const SEARCH_PAUSE_MS = 500;
const PAGE = 2000;
const TAILS = 3;
const TAIL_MS = 20_000;
const EXPORT_PAUSE_MS = 15_000;
const EXPORT_LIMIT = 20_000;
/** 429: too many at once; 503 and 504: the engine is away or does not answer in time. */
const AWAY = [429, 503, 504];
const SHOWN_LENGTH = 300;

const aggregate = (metrics: object, groups: readonly object[] = []) => ({
  path: '/search/aggregate',
  body: { query: '*', timerange: { type: 'relative', range: 300 }, group_by: groups, metrics: [metrics] },
});

/** One after the other, again and again. */
const SEARCHES: readonly { readonly path: string; readonly body?: object }[] = [
  { path: `/search/universal/relative?query=level:3&range=20&limit=${PAGE}` },
  { path: `/search/universal/relative?query=h1*&range=300&limit=50` },
  { path: `/search/universal/relative?query=*&range=3&limit=${PAGE}` },
  { path: '/search/universal/relative/histogram?query=status:500&range=300&interval=minute' },
  aggregate({ function: 'avg', field: 'took_ms' }),
  { path: `/search/universal/relative?query=source:soak-2&range=20&limit=${PAGE}` },
  aggregate({ function: 'count' }, [{ field: 'path', limit: 10 }]),
  { path: '/search/universal/relative?query=path:*99&range=60&limit=20&sort=took_ms:desc' },
  { path: '/system/fields' },
];

const HEADERS = { authorization: rootCredentials(), 'x-requested-by': 'soak' };

export function startSoakReaders(node: { readonly address: string }): SoakReaders {
  const figures: ReaderFigures = {
    searches: 0,
    tails: 0,
    tailMessages: 0,
    exports: 0,
    exportedLines: 0,
    away: 0,
    inconsistent: [],
    unexpected: [],
  };
  const stopping = new AbortController();
  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => {});

  async function forEver(what: () => Promise<void>, pauseMs: number): Promise<void> {
    while (!stopping.signal.aborted) {
      // No connection, or one that was cut: the node was killed.
      await what().catch(() => {
        figures.away += 1;
      });
      await pause(pauseMs);
    }
  }

  let nextSearch = 0;
  async function search(): Promise<void> {
    const { path, body } = SEARCHES[nextSearch++ % SEARCHES.length] ?? { path: '/' };
    const response = await fetch(`${node.address}/api${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...HEADERS, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (AWAY.includes(response.status)) figures.away += 1;
    else if (response.ok) {
      figures.searches += 1;
      figures.inconsistent.push(...pageProblems(path, text));
    } else figures.unexpected.push(`${path}: ${response.status} ${text.slice(0, SHOWN_LENGTH)}`);
  }

  async function tail(): Promise<void> {
    const client = await openTail(node.address, { query: 'level:3' }, HEADERS);
    figures.tails += 1;
    await Promise.race([pause(TAIL_MS), client.ended]);
    figures.tailMessages += client.texts().length;
    client.close();
  }

  async function exportMessages(): Promise<void> {
    const query = `query=*&range=600&fields=source,message,path&limit=${EXPORT_LIMIT}`;
    const response = await fetch(`${node.address}/api/search/universal/relative/export?${query}`, {
      headers: HEADERS,
    });
    const isAbandoned = figures.exports % 3 === 2;
    for await (const chunk of response.body ?? []) {
      figures.exportedLines += Buffer.from(chunk).toString('latin1').split('\n').length - 1;
      if (isAbandoned) break;
    }
    if (AWAY.includes(response.status)) figures.away += 1;
    else if (response.ok) figures.exports += 1;
    else figures.unexpected.push(`export: ${response.status}`);
  }

  const readers = [
    ...Array.from({ length: SEARCHERS }, () => forEver(search, SEARCH_PAUSE_MS)),
    ...Array.from({ length: TAILS }, () => forEver(tail, 1000)),
    forEver(exportMessages, EXPORT_PAUSE_MS),
  ];
  return {
    figures,
    async stop() {
      stopping.abort();
      await Promise.all(readers);
    },
  };
}

/** A page with room for everything that was found must have it. */
function pageProblems(path: string, text: string): string[] {
  if (!path.includes(`limit=${PAGE}`)) return [];
  const { messages, total_results: total } = JSON.parse(text) as {
    messages: unknown[];
    total_results: number;
  };
  const isComplete = messages.length === Math.min(total, PAGE);
  return isComplete ? [] : [`${path}: ${messages.length} messages of ${total}`];
}
