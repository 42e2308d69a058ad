import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, errorMessage } from '#core/index.ts';
import type { LookupAnswer } from '../answer.ts';
import type { CachePolicy } from '../cache-type.ts';
import type { AdapterCalls } from './adapter-calls.ts';
import { AnswerCache, type FetchedAnswer } from './answer-cache.ts';
import type { ForgottenKey, LookupRequests, RemoteAnswer, RequestedChange } from './messages.ts';

/** A remote table on the main thread. */
export interface ServedTable {
  readonly name: string;
  readonly sourceId: string;
  /** Stays the same when the adapter is edited, which makes another source of it. */
  readonly adapterId: string;
  readonly cache: CachePolicy;
  readonly calls: AdapterCalls;
  /** How asking went; null: well. */
  report(error: string | null): void;
}

/** Asks remote adapters for what workers want to know, and keeps it as the cache of the table says. */
export interface RemoteLookups {
  use(tables: readonly ServedTable[]): void;
  /** `reply` is called once or several times, until everything is answered. */
  serve(requests: LookupRequests, reply: Reply): void;
  /** Waits for the answer. Rejects with what is wrong; undefined: it is not a remote table. */
  ask(table: string, key: string): Promise<LookupAnswer> | undefined;
  forget(forgotten: ForgottenKey): void;
  /** Somebody has changed a key of the adapter: all its tables forget it, here and in the threads. */
  entryChanged(adapterId: string, key: string): Promise<void>;
  /** How many changes of rules are not made yet. */
  changesUnderWay(): number;
  /** Resolves when there are none. */
  settled(): Promise<void>;
}

export interface RemoteLookupsDeps {
  readonly clock: Clock;
  /** A key has changed: threads forget it, other than the one that `by` replies to. */
  readonly changed: (key: ForgottenKey, by?: Reply) => void;
  /** A change cannot be made because the table is gone. */
  readonly lost: (table: string) => void;
}

export type Reply = (answers: readonly RemoteAnswer[]) => void;

interface OpenTable extends ServedTable {
  readonly fingerprint: string;
  readonly answers: AnswerCache;
}

export function createRemoteLookups({ clock, changed, lost }: RemoteLookupsDeps): RemoteLookups {
  let tables = new Map<string, OpenTable>();
  const underWay = new Set<Promise<unknown>>();

  const tableOf = (name: string, sourceId: string): OpenTable | undefined => {
    const table = tables.get(name);
    return table?.sourceId === sourceId ? table : undefined;
  };

  /** From memory, or from the adapter. */
  function fetched(table: OpenTable, key: string): FetchedAnswer | Promise<FetchedAnswer> {
    const known = table.answers.get(key, clock.now());
    if (known !== undefined && known.freshMs > 0) return { answer: known.answer, ttlMs: known.freshMs };
    return reported(table, table.calls.fetch(key)).then((answer) => {
      table.answers.set(key, answer, clock.now());
      return answer;
    });
  }

  async function change(
    table: OpenTable,
    { key, change: wanted }: RequestedChange,
    reply: Reply,
  ): Promise<FetchedAnswer> {
    const answer = await reported(table, table.calls.change(key, wanted));
    for (const each of tables.values()) {
      if (each.adapterId !== table.adapterId) continue;
      const isSame = each.sourceId === table.sourceId;
      if (isSame) each.answers.set(key, answer, clock.now());
      else each.answers.delete(key);
      // The thread gets the answer for the table that it used, and for no other.
      const by = isSame && each.name === table.name ? reply : undefined;
      // After the answers that were read before the change, which are sent in the same way.
      setImmediate(() => changed({ table: each.name, key }, by));
    }
    return answer;
  }

  /** Rules mean the table of this name, also if its adapter was edited a moment ago. */
  function startChange(wanted: RequestedChange, reply: Reply): Promise<FetchedAnswer> | undefined {
    const table = tables.get(wanted.table);
    if (table === undefined) {
      lost(wanted.table);
      return undefined;
    }
    const made = change(table, wanted, reply).finally(() => underWay.delete(made));
    underWay.add(made);
    return made;
  }

  return {
    use(next) {
      tables = new Map(next.map((table) => [table.name, keptOrOpened(tables.get(table.name), table)]));
    },
    serve({ keys, changes }, reply) {
      const answer = createAnswering(reply);
      for (const wanted of changes) answer(wanted, true, startChange(wanted, reply));
      for (const wanted of keys) {
        const table = tableOf(wanted.table, wanted.sourceId);
        answer(wanted, false, table && fetched(table, wanted.key));
      }
    },
    ask(name, key) {
      const table = tables.get(name);
      return table && Promise.resolve(fetched(table, key)).then(({ answer }) => answer);
    },
    forget({ table, key }) {
      const answers = tables.get(table)?.answers;
      if (key === undefined) answers?.clear();
      else answers?.delete(key);
    },
    entryChanged: (...entry) => forgetEntry([...tables.values()], changed, ...entry),
    changesUnderWay: () => underWay.size,
    async settled() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}

async function forgetEntry(
  all: readonly OpenTable[],
  changed: RemoteLookupsDeps['changed'],
  adapterId: string,
  key: string,
): Promise<void> {
  const tables = all.filter((table) => table.adapterId === adapterId);
  for (const { answers } of tables) answers.delete(key);
  // After the answers that were read before, which are sent in the same way.
  await nextTurn();
  for (const { name } of tables) changed({ table: name, key });
}

function keptOrOpened(known: OpenTable | undefined, table: ServedTable): OpenTable {
  const fingerprint = JSON.stringify([table.sourceId, Object.values(table.cache).map(String)]);
  if (known?.fingerprint === fingerprint) return known;
  return { ...table, fingerprint, answers: new AnswerCache({ policy: table.cache, usesExpired: false }) };
}

async function reported<T>({ report }: Pick<ServedTable, 'report'>, call: Promise<T>): Promise<T> {
  try {
    const answer = await call;
    report(null);
    return answer;
  } catch (error) {
    report(errorMessage(error));
    throw error;
  }
}

type Wanted = LookupRequests['keys'][number];

/** Answers that are there in the same turn of the event loop go together. */
function createAnswering(reply: Reply) {
  let ready: RemoteAnswer[] = [];
  function add(
    { table, sourceId, key }: Wanted,
    isChange: boolean,
    fetched: FetchedAnswer | undefined,
  ): void {
    if (ready.length === 0)
      setImmediate(() => {
        const answers = ready;
        ready = [];
        reply(answers);
      });
    ready.push({ table, sourceId, key, fetched, isChange });
  }
  return (
    wanted: Wanted,
    isChange: boolean,
    fetched: FetchedAnswer | Promise<FetchedAnswer> | undefined,
  ): void => {
    if (!(fetched instanceof Promise)) add(wanted, isChange, fetched);
    else
      fetched.then(
        (answer) => add(wanted, isChange, answer),
        () => add(wanted, isChange, undefined),
      );
  };
}
