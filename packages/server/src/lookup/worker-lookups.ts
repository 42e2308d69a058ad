import type { LookupAnswer } from './answer.ts';
import { answerOfTable, type LookupSnapshot, type TableData } from './source.ts';

/** The lookup tables in a worker: they answer from memory, at once. */
export interface WorkerLookups {
  useSnapshot(snapshot: LookupSnapshot): void;
  /** Undefined: there is no table of this name. */
  lookup(table: string, key: string): LookupAnswer | undefined;
}

export function createWorkerLookups(): WorkerLookups {
  let tables: ReadonlyMap<string, TableData> = new Map();
  return {
    useSnapshot(snapshot) {
      tables = new Map(snapshot.tables.map((table) => [table.name, table]));
    },
    lookup(name, key) {
      const table = tables.get(name);
      return table && answerOfTable(table, key);
    },
  };
}
