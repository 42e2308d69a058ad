import { PermanentError } from '#core/index.ts';
import type { ClickHouseServer } from '../clickhouse/index.ts';

/** The oldest one whose text index takes a `postprocessor`. */
const OLDEST = { year: 26, release: 7 } as const;

/** Says which version is needed; an older server would only say that it does not understand a table. */
export async function requireEngineVersion(server: Pick<ClickHouseServer, 'url' | 'query'>): Promise<void> {
  const [row] = await server.query<{ version: string }>('SELECT version() AS version');
  const [, year, release] = /^(\d+)\.(\d+)\./.exec(row?.version ?? '') ?? [];
  // Somebody's own build may count otherwise.
  if (year === undefined || release === undefined) return;
  const isOld = Number(year) === OLDEST.year ? Number(release) < OLDEST.release : Number(year) < OLDEST.year;
  if (!isOld) return;
  throw new PermanentError(
    `the ClickHouse server ${server.url} has version ${row?.version}, and Millrace needs ${OLDEST.year}.${OLDEST.release} or newer: update it`,
  );
}
