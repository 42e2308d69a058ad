import type { Clock } from '#core/index.ts';
import { answerOf, type LookupAnswer, NO_ANSWER } from '../answer.ts';
import type { CachePolicy } from '../cache-type.ts';
import type { RemoteSource } from '../source.ts';
import { AnswerCache } from './answer-cache.ts';
import {
  bytesOfChange,
  changedValue,
  entryValueOf,
  isIndependent,
  type LookupChange,
  problemOfKey,
} from './change.ts';
import type { ForgottenKey, LookupKey, LookupRequests, RemoteAnswer, RequestedChange } from './messages.ts';

export interface RemoteTable {
  readonly name: string;
  readonly sourceId: string;
  readonly source: RemoteSource;
  readonly cache: CachePolicy;
}

/**
 * The remote tables of a thread. They answer at once from what was fetched before, and ask the main thread for the rest:
 * a key is asked for once, many keys at a time.
 */
export interface WorkerTables {
  /** Tables that answer from the same source as before, in the same way, keep their answers. */
  use(tables: readonly RemoteTable[]): void;
  /** Nothing, while the answer is fetched. */
  lookup(table: string, key: string): LookupAnswer;
  /** The answer after the change, as far as it is known here. Throws for a value that is too large. */
  change(table: string, key: string, change: LookupChange): LookupAnswer;
  receive(answers: readonly RemoteAnswer[]): void;
  forget(forgotten: ForgottenKey): void;
  /** Whether answers are awaited. */
  readonly isWaiting: boolean;
}

export interface WorkerTablesDeps {
  readonly clock: Clock;
  /** Called once for everything that is wanted in one turn of the event loop. */
  readonly send: (requests: LookupRequests) => void;
}

interface OpenTable extends RemoteTable {
  readonly fingerprint: string;
  readonly answers: AnswerCache;
  readonly waiting: Set<string>;
  /** How many changes of a key are under way. */
  readonly changing: Map<string, number>;
}

/** More keys are not asked for now. A later message asks again. */
const MAX_WAITING = 10_000;
/** Of one turn of the event loop. */
const MAX_CHANGES = 10_000;
const MAX_CHANGE_BYTES = 32 * 1024 * 1024;

export function createWorkerTables({ clock, send }: WorkerTablesDeps): WorkerTables {
  const outgoing = createOutgoing(send);
  let tables = new Map<string, OpenTable>();

  function ask(table: OpenTable, key: string): void {
    if (table.waiting.has(key) || table.waiting.size >= MAX_WAITING) return;
    table.waiting.add(key);
    outgoing.ask({ table: table.name, sourceId: table.sourceId, key });
  }

  function receive({ table: name, sourceId, key, fetched, isChange }: RemoteAnswer): void {
    const table = tables.get(name);
    if (table?.sourceId !== sourceId) return;
    if (isChange) changeMade(table, key);
    else table.waiting.delete(key);
    // An answer from before a change of this thread is old.
    if (table.changing.has(key)) return;
    // The change was refused, so the key does not have the value that was assumed.
    if (fetched === undefined && isChange) table.answers.delete(key);
    else if (fetched === undefined) table.answers.fail(key, clock.now());
    else table.answers.set(key, fetched, clock.now());
  }

  return {
    use(next) {
      tables = new Map(next.map((table) => [table.name, keptOrOpened(tables.get(table.name), table)]));
    },
    lookup(name, key) {
      const table = tables.get(name);
      if (table === undefined || problemOfKey(key) !== undefined) return NO_ANSWER;
      const known = table.answers.get(key, clock.now());
      if ((known === undefined || known.freshMs <= 0) && !table.changing.has(key)) ask(table, key);
      return known?.answer ?? NO_ANSWER;
    },
    change(name, key, change) {
      const table = tables.get(name);
      if (table === undefined || !table.source.isWritable) return NO_ANSWER;
      const problem = problemOfKey(key);
      if (problem !== undefined) throw new Error(problem);
      const known = table.answers.get(key, clock.now());
      const value = changedValue(known && entryValueOf(known.answer), change);
      const answer = value === undefined ? NO_ANSWER : answerOf(value);
      outgoing.change({ table: name, sourceId: table.sourceId, key, change });
      table.changing.set(key, (table.changing.get(key) ?? 0) + 1);
      if (known !== undefined || isIndependent(change)) table.answers.set(key, { answer }, clock.now());
      return answer;
    },
    receive(answers) {
      for (const answer of answers) receive(answer);
    },
    forget({ table: name, key }) {
      const table = tables.get(name);
      if (key === undefined) table?.answers.clear();
      else table?.answers.delete(key);
    },
    get isWaiting() {
      return tables.values().some(({ waiting }) => waiting.size > 0);
    },
  };
}

/** What is wanted in one turn of the event loop is sent together. */
function createOutgoing(send: WorkerTablesDeps['send']) {
  let keys: LookupKey[] = [];
  let changes: RequestedChange[] = [];
  let bytes = 0;
  function schedule(): void {
    if (keys.length + changes.length > 1) return;
    setImmediate(() => {
      const requests = { keys, changes };
      keys = [];
      changes = [];
      bytes = 0;
      send(requests);
    });
  }
  return {
    ask(key: LookupKey): void {
      keys.push(key);
      schedule();
    },
    change(change: RequestedChange): void {
      const more = bytesOfChange(change.key, change.change);
      if (changes.length >= MAX_CHANGES || bytes + more > MAX_CHANGE_BYTES)
        throw new Error(
          `${changes.length} changes of lookup tables are waiting, as many as there can be; this one is left out`,
        );
      bytes += more;
      changes.push(change);
      schedule();
    },
  };
}

function changeMade({ changing }: OpenTable, key: string): void {
  const left = (changing.get(key) ?? 1) - 1;
  if (left > 0) changing.set(key, left);
  else changing.delete(key);
}

function keptOrOpened(known: OpenTable | undefined, table: RemoteTable): OpenTable {
  const { sourceId, source, cache } = table;
  const fingerprint = JSON.stringify([sourceId, source, Object.values(cache).map(String)]);
  return known?.fingerprint === fingerprint ? known : opened(table, fingerprint);
}

function opened(table: RemoteTable, fingerprint: string): OpenTable {
  const answers = new AnswerCache({ policy: table.cache, usesExpired: table.source.usesExpired });
  return { ...table, fingerprint, answers, waiting: new Set(), changing: new Map() };
}
