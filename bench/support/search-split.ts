/** Where the time of a question goes: the node itself, and in the engine analysis and execution of each statement. */
import type { StatementTap, TappedStatement } from './statement-tap.ts';

const ROUNDS = 5;

export interface StatementSplit {
  /** What it reads, to tell the statements of a question apart. */
  readonly statement: string;
  readonly analysis: number;
  readonly execution: number;
}

export interface QuestionSplit {
  /** The time in which no statement ran, medians of all. */
  readonly node: number;
  readonly statements: readonly StatementSplit[];
}

/** `engineUrl` is asked about the statements; the question goes through the tap. */
export async function splitOf(
  tap: StatementTap,
  engineUrl: string,
  ask: () => Promise<unknown>,
): Promise<QuestionSplit> {
  const node: number[] = [];
  const times = new Map<string, { readonly tapped: TappedStatement; readonly taken: number[] }>();
  for (let round = 0; round < ROUNDS; round++) {
    let total = 0;
    const statements = await tap.during(async () => {
      const startedAt = performance.now();
      await ask();
      total = performance.now() - startedAt;
    });
    const selects = statements.filter(isQuestion);
    node.push(total - busyTime(selects));
    for (const tapped of selects) {
      const key = kindOf(tapped);
      const known = times.get(key) ?? { tapped, taken: [] };
      known.taken.push(tapped.endedAt - tapped.startedAt);
      times.set(key, known);
    }
  }
  const statements: StatementSplit[] = [];
  for (const { tapped, taken } of times.values()) {
    if (taken.length < ROUNDS) continue;
    const analysis = await analysisTime(engineUrl, tapped);
    statements.push({
      statement: kindOf(tapped),
      analysis,
      execution: Math.max(0, median(taken) - analysis),
    });
  }
  return { node: median(node), statements };
}

/** What the node asks about its tables meanwhile has nothing to do with the question, and does not come every time. */
function isQuestion({ body }: TappedStatement): boolean {
  return /\bSELECT\b/.test(body) && !/\bFROM system\./.test(body);
}

/** The time in which at least one of them ran. */
function busyTime(statements: readonly TappedStatement[]): number {
  let [busy, until] = [0, 0];
  for (const { startedAt, endedAt } of [...statements].sort((a, b) => a.startedAt - b.startedAt)) {
    busy += Math.max(0, endedAt - Math.max(startedAt, until));
    until = Math.max(until, endedAt);
  }
  return busy;
}

/** The engine parses, analyses, plans and looks into the indexes for this, and reads no message. */
async function analysisTime(engineUrl: string, statement: TappedStatement): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const startedAt = performance.now();
    await explain(engineUrl, statement);
    if (round > 0) taken.push(performance.now() - startedAt);
  }
  return median(taken);
}

const CONNECTION_HEADERS = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding'];
const EXPLAIN = 'EXPLAIN PIPELINE ';
const FORM_PART = /(name="query"[^\r\n]*(?:\r\n[^\r\n]+)*\r\n\r\n)/;

async function explain(engineUrl: string, { path, headers, body }: TappedStatement): Promise<void> {
  const url = new URL(path, engineUrl);
  url.searchParams.delete('query_id');
  const kept = Object.entries(headers).filter(([name]) => !CONNECTION_HEADERS.includes(name));
  const response = await fetch(url, {
    method: 'POST',
    headers: Object.fromEntries(kept),
    body: FORM_PART.test(body) ? body.replace(FORM_PART, `$1${EXPLAIN}`) : EXPLAIN + body,
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${EXPLAIN}${body}: ${answer}`);
}

/** `SELECT count()`: the beginning of what it selects. */
function kindOf({ body }: TappedStatement): string {
  const text = body.slice(body.search(/\b(SELECT|WITH)\b/)).replaceAll(/\s+/g, ' ');
  return text.slice(0, 40);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

export function shownSplit({ node, statements }: QuestionSplit): string {
  const inEngine = statements.map(
    ({ statement, analysis, execution }) =>
      `\n    analysis ${analysis.toFixed(1)}, execution ${execution.toFixed(1)}: ${statement}…`,
  );
  return `    node ${node.toFixed(1)}${inEngine.join('')}`;
}
