/** The questions of the search benchmark, and how VictoriaLogs is asked the same. */
import { type Question, questionsAbout } from './search-questions.ts';

export interface PeerQuestion {
  readonly name: string;
  readonly ours: Question['ours'];
  readonly theirs: {
    readonly endpoint: 'query' | 'hits';
    readonly parameters: Readonly<Record<string, string>>;
    figure(answer: string): number;
  };
  /** By how much the figures of both may differ, relative to theirs. */
  readonly tolerance: number;
}

export interface PeerQuestioned {
  readonly first: { readonly timestamp: number };
  readonly last: { readonly timestamp: number };
  readonly middle: { readonly _request_id: string };
}

const PAGE = 100;
/** A number that hardly any path of the web mix ends with. Numbers without a field are looked for in fields too. */
const RARE_NUMBER = '99871';

/** How each question is asked there, by its name here; what is compared is `figure`. */
function asked(requestId: string): Readonly<Record<string, Omit<PeerQuestion, 'name' | 'ours'>>> {
  return {
    'latest 100': page('*'),
    'latest 100 with a term': page('cart'),
    'rare token': page(`request_id:${tokenOf(requestId)}`),
    'rare number': page(RARE_NUMBER),
    'id in any field': page(`request_id:"${requestId}"`),
    'count by field value': rows('http_status:=500 | stats count() n', ([row]) => Number(row?.n)),
    'top 10 of many values': rows('* | top 10 by (http_path)', (found) => total(found, 'hits')),
    'average and 99th percentile': {
      ...rows('* | stats avg(took_ms) a, quantile(0.99, took_ms) p', ([row]) => Math.round(Number(row?.a))),
      tolerance: 0.01,
    },
    'histogram by minute': hits('*'),
    'histogram with a term, by level': hits('cart', 'level'),
    regex: page('_msg:~"products/\\\\d+ 503"'),
  };
}

export function peerQuestions({ first, last, middle }: PeerQuestioned): PeerQuestion[] {
  const from = new Date(first.timestamp * 1000 - 1000);
  // Beyond all messages, since both do not mean the same by an end.
  const to = new Date(last.timestamp * 1000 + 3_600_000);
  const range = { start: from.toISOString(), end: to.toISOString() };
  const theirs = asked(middle._request_id);
  const requestId = middle._request_id;
  const what = { from, to, requestId, rareWord: tokenOf(requestId), table: '', exported: 0 };
  const rareNumbers = questionsAbout({ ...what, rareWord: RARE_NUMBER })
    .filter(({ name }) => name === 'rare token')
    .map((question) => ({ ...question, name: 'rare number' }));
  return [...questionsAbout(what), ...rareNumbers].flatMap(({ name, ours }) => {
    const other = theirs[name];
    if (other === undefined) return [];
    const parameters = { ...other.theirs.parameters, ...range };
    const figure = other.theirs.endpoint === 'query' && isPage(parameters) ? rowsOfPage : ours.figure;
    return [{ ...other, name, ours: { ...ours, figure }, theirs: { ...other.theirs, parameters } }];
  });
}

/** The first part of a UUID. */
function tokenOf(requestId: string): string {
  return requestId.slice(0, requestId.indexOf('-'));
}

function isPage(parameters: Readonly<Record<string, string>>): boolean {
  return parameters.limit !== undefined;
}

/** How many messages the page has: they do not count what is not on it. */
function rowsOfPage(answer: string): number {
  return (JSON.parse(answer) as { messages: unknown[] }).messages.length;
}

function page(query: string): Omit<PeerQuestion, 'name' | 'ours'> {
  return {
    theirs: {
      endpoint: 'query',
      parameters: { query, limit: String(PAGE) },
      figure: (answer) => linesOf(answer).length,
    },
    tolerance: 0,
  };
}

type Row = Readonly<Record<string, string>>;

function rows(query: string, figure: (found: readonly Row[]) => number): Omit<PeerQuestion, 'name' | 'ours'> {
  return {
    theirs: {
      endpoint: 'query',
      parameters: { query },
      figure: (answer) => figure(linesOf(answer).map((line) => JSON.parse(line) as Row)),
    },
    tolerance: 0,
  };
}

function hits(query: string, field?: string): Omit<PeerQuestion, 'name' | 'ours'> {
  return {
    theirs: {
      endpoint: 'hits',
      parameters: { query, step: '1m', ...(field !== undefined && { field }) },
      figure: (answer) =>
        (JSON.parse(answer) as { hits: { total: number }[] }).hits.reduce((sum, each) => sum + each.total, 0),
    },
    tolerance: 0,
  };
}

function total(found: readonly Row[], column: string): number {
  return found.reduce((sum, row) => sum + Number(row[column]), 0);
}

function linesOf(answer: string): string[] {
  return answer.split('\n').filter((line) => line !== '');
}
