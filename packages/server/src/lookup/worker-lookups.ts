import type { Clock } from '#core/index.ts';
import { type LookupAnswer, NO_ANSWER } from './answer.ts';
import type { LookupChange } from './remote/change.ts';
import type { ForgottenKey, LookupRequests, RemoteAnswer } from './remote/messages.ts';
import { createWorkerTables, type RemoteTable } from './remote/worker-tables.ts';
import { answerFrom, answerOr, type LookupSnapshot, type LookupSource, type TableData } from './source.ts';

/** The lookup tables in a worker: they answer from memory, at once. */
export interface WorkerLookups {
  /** Sources that are left out are those of the snapshot before. */
  useSnapshot(snapshot: LookupSnapshot): void;
  /** Undefined: there is no table of this name. */
  lookup(table: string, key: string): LookupAnswer | undefined;
  /** What the key has now. Undefined: there is no table of this name that rules may change. */
  change(table: string, key: string, change: LookupChange): LookupAnswer | undefined;
  isWritable(table: string): boolean;
  /** Whether a server elsewhere has its data. What rules can change is in the database of the nodes. */
  isOfServer(table: string): boolean;
  /** Without the default of the table. */
  stored(table: string, key: string): LookupAnswer | undefined;
  /** The default of a table. */
  fallback(table: string): LookupAnswer;
  receive(answers: readonly RemoteAnswer[]): void;
  forget(forgotten: ForgottenKey): void;
  /** Whether answers of remote tables are awaited. */
  readonly isWaiting: boolean;
}

export interface WorkerLookupsDeps {
  readonly clock: Clock;
  readonly send: (requests: LookupRequests) => void;
}

interface Table extends TableData {
  readonly source: LookupSource | undefined;
}

export function createWorkerLookups(deps: WorkerLookupsDeps): WorkerLookups {
  const remote = createWorkerTables(deps);
  let tables: ReadonlyMap<string, Table> = new Map();
  let sources: ReadonlyMap<string, LookupSource> = new Map();

  function stored(table: Table | undefined, key: string): LookupAnswer | undefined {
    if (table?.source === undefined) return undefined;
    return table.source.kind === 'remote' ? remote.lookup(table.name, key) : answerFrom(table.source, key);
  }

  function isWritable(name: string): boolean {
    const source = tables.get(name)?.source;
    return source?.kind === 'remote' && source.isWritable;
  }

  return {
    useSnapshot(snapshot) {
      const known = sources;
      const sourceOf = (id: string | undefined) =>
        id === undefined ? undefined : (snapshot.sources.get(id) ?? known.get(id));
      const next = snapshot.tables.map((table): Table => ({ ...table, source: sourceOf(table.sourceId) }));
      tables = new Map(next.map((table) => [table.name, table]));
      sources = new Map(
        next.flatMap(({ sourceId, source }) =>
          sourceId === undefined || source === undefined ? [] : [[sourceId, source]],
        ),
      );
      remote.use(next.flatMap(remoteTable));
    },
    stored: (name, key) => stored(tables.get(name), key),
    fallback: (name) => tables.get(name)?.fallback ?? NO_ANSWER,
    lookup(name, key) {
      const table = tables.get(name);
      return table && answerOr(table.fallback, stored(table, key) ?? NO_ANSWER);
    },
    isWritable,
    isOfServer(name) {
      const source = tables.get(name)?.source;
      return source?.kind === 'remote' && !source.isWritable;
    },
    change: (name, key, change) => (isWritable(name) ? remote.change(name, key, change) : undefined),
    receive: remote.receive,
    forget: remote.forget,
    get isWaiting() {
      return remote.isWaiting;
    },
  };
}

function remoteTable({ name, sourceId, source, cache }: Table): readonly RemoteTable[] {
  return sourceId !== undefined && source?.kind === 'remote' ? [{ name, sourceId, source, cache }] : [];
}
