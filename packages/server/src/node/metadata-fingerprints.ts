/** Tells whether two metadata databases have the same rows, also when one is SQLite and the other PostgreSQL. */
import { createHash } from 'node:crypto';
import { StartupError } from '#core/index.ts';
import { type DumpedLine, dumpMetadata } from '#metadata/index.ts';
import type { BackupDeps } from './backup-servers.ts';

/** By table: how many rows it has, and a sum of their hashes, which does not depend on their order. */
export type Fingerprints = ReadonlyMap<string, string>;

function createCollector() {
  const found = new Map<string, { rows: number; sum: bigint }>();
  let current: { readonly table: string; readonly columns: readonly string[] } | undefined;
  return {
    add(line: DumpedLine): void {
      if ('table' in line) current = line;
      else if (Array.isArray(line) && current !== undefined) {
        const { rows, sum } = found.get(current.table) ?? { rows: 0, sum: 0n };
        const hash = hashOfRow(current.columns, line);
        found.set(current.table, { rows: rows + 1, sum: BigInt.asUintN(64, sum + hash) });
      }
    },
    result: (): Fingerprints =>
      new Map([...found].map(([table, { rows, sum }]) => [table, `${rows} rows, hash ${sum}`])),
  };
}

/** SQLite has 0 and 1 for what PostgreSQL calls false and true, and may have columns in another order. */
function hashOfRow(columns: readonly string[], values: readonly unknown[]): bigint {
  const pairs = columns.map((column, place): [string, unknown] => {
    const value = values[place];
    return [column, typeof value === 'boolean' ? Number(value) : value];
  });
  const text = JSON.stringify(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(text).digest().readBigUInt64LE(0);
}

export async function fingerprints(lines: AsyncIterable<DumpedLine>): Promise<Fingerprints> {
  const collector = createCollector();
  for await (const line of lines) collector.add(line);
  return collector.result();
}

/** Undefined for a database in which no node has ever been. */
export async function fingerprintsAt(deps: BackupDeps, uri: string): Promise<Fingerprints | undefined> {
  const collector = createCollector();
  try {
    await dumpMetadata(deps, uri, async (line) => collector.add(line));
  } catch (error) {
    // It has no tables.
    if (error instanceof StartupError && error.message.includes('has schema version 0,')) return undefined;
    throw error;
  }
  // Every node that has ever started has index sets. Without any, a load was interrupted before its rows were there.
  const found = collector.result();
  return found.has('index_sets') ? found : undefined;
}

export function isSameMetadata(a: Fingerprints, b: Fingerprints): boolean {
  return a.size === b.size && [...a].every(([table, text]) => b.get(table) === text);
}
