/** What the engine has stored, asked past the node, and compared with what was acknowledged. */
import { askEngine } from '../../../tests/support/engine-of-node.ts';
import { CHANNELS, type Channel, type Ledger } from './ledger.ts';

export interface Comparison {
  readonly rows: number;
  /** Acknowledged and not stored. */
  readonly lost: readonly string[];
  readonly twice: readonly string[];
}

/** Numbers of the first messages of each channel that are looked at. */
export type Since = Readonly<Record<Channel, number>>;

const RANGE = 200_000;

const table = (prefix: string) => `merge('millrace', '^${prefix}_')`;

export async function compareStored(
  dataDir: string,
  prefix: string,
  ledger: Ledger,
  since: Since = { h: 0, t: 0, u: 0 },
): Promise<Comparison> {
  const lost: string[] = [];
  const twice: string[] = [];
  let rows = 0;
  for (const channel of CHANNELS) {
    for (let from = 0; from < ledger.sent(channel); from += RANGE) {
      const counts = await countsOf(dataDir, prefix, channel, from);
      for (const [number, count] of counts) {
        rows += count;
        if (count > 1) twice.push(`${prefix}/${channel}${number} (${count})`);
      }
      for (let n = Math.max(from, since[channel]); n < Math.min(from + RANGE, ledger.sent(channel)); n++) {
        if (ledger.isAcknowledged(channel, n) && !counts.has(n)) lost.push(`${prefix}/${channel}${n}`);
      }
    }
  }
  return { rows, lost, twice };
}

async function countsOf(
  dataDir: string,
  prefix: string,
  channel: Channel,
  from: number,
): Promise<Map<number, number>> {
  const counts = await askEngine<{ n: number; c: string }>(
    dataDir,
    `SELECT toUInt32OrZero(substring(message, 2)) AS n, count() AS c FROM ${table(prefix)}
     WHERE match(message, '^${channel}[0-9]+$') AND n >= ${from} AND n < ${from + RANGE} GROUP BY n`,
  );
  return new Map(counts.map(({ n, c }) => [n, Number(c)]));
}

/** Rows and rows that are there more than once. */
export async function storedSoFar(dataDir: string, prefix: string): Promise<{ rows: number; twice: number }> {
  const [counts] = await askEngine<{ rows: string; texts: string }>(
    dataDir,
    `SELECT count() AS rows, uniqExact(message) AS texts FROM ${table(prefix)} WHERE match(message, '^[htu][0-9]+$')`,
  );
  const rows = Number(counts?.rows ?? 0);
  return { rows, twice: rows - Number(counts?.texts ?? 0) };
}

/** The number of the oldest index that retention has left. */
export async function oldestIndex(dataDir: string, prefix: string): Promise<number> {
  const [row] = await askEngine<{ oldest: number }>(
    dataDir,
    `SELECT min(index_number) AS oldest FROM ${table(prefix)}`,
  );
  return Number(row?.oldest ?? 0);
}

/** Messages that the node blamed for something. */
export async function failures(dataDir: string): Promise<number> {
  const [row] = await askEngine<{ rows: string }>(
    dataDir,
    `SELECT count() AS rows FROM ${table('failures')}`,
  );
  return Number(row?.rows ?? 0);
}
