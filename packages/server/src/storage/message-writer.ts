/**
 * Stores the messages of one journal partition, exactly once in each of their index sets.
 *
 *   write ─▶ blocks, one for each index set ─▶ (full, or old enough) ─▶ beginBatch ─▶ inserts ─▶ commitBatch
 *
 * A batch is what was written between two flushes: a range of the journal, a token, a block for each table. The journal
 * records range and token before the first insert is sent, and drops them after the last one is confirmed. If the worker
 * or the engine is killed in between, the same range comes back through `replay` with its token, and what is already
 * stored is not stored again. Several batches may be in flight at once.
 *
 * While a batch is being stored, the next one goes on growing until that is done, unless it is full or has waited long:
 * few large inserts cost the engine less than many small ones, and make fewer parts that have to be merged.
 *
 * Memory is bounded by the batches in flight, of which large ones are stored one after the other, and the growing one; when
 * all of them are full, `write` makes the caller wait, and new messages stay in the journal. While rows wait until their
 * table accepts others (see `TableInserter`), one more batch may be in flight, since it may have these others.
 *
 * Of several servers, one that is away or stores nothing must not hold up the others. Batches that wait for it do not
 * count, and it gets no new ones; each server has at most `maxInFlight`. Since the journal remembers only a limited
 * number of batches behind one that waits, the next ones are begun less and less often meanwhile.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Clock,
  errorMessage,
  type JournalReader,
  type Message,
  RetryableError,
  type RoutedBatch,
  type RoutingTarget,
  type StorageSink,
} from '#core/index.ts';
import type { Logger, Metrics } from '#telemetry/index.ts';
import type { ClickHouse, ClickHouseServer } from './clickhouse/index.ts';
import { activeIndex, type IndexSetSnapshot } from './index-sets/snapshot.ts';
import type { SeenField } from './seen-fields.ts';
import { type AwayShards, createAwayShards } from './writer/away-shards.ts';
import { BatchPlaces, type InFlight } from './writer/batch-places.ts';
import { type BatchToken, batchTokenText, newBatchToken, parseBatchToken } from './writer/batch-token.ts';
import { createFieldNameWatch, type FieldNameWatch, type ManyFieldNames } from './writer/field-name-watch.ts';
import { createPendingBlocks, type PendingBlocks, type TableBlock } from './writer/pending-blocks.ts';
import { replayBatch } from './writer/replay-batch.ts';
import { createPauses, createRetrying } from './writer/retrying.ts';
import { type RefusedMessage, TableInserter } from './writer/table-inserter.ts';
import { createWriterMetrics } from './writer/writer-metrics.ts';

export interface MessageWriterDeps {
  readonly reader: Pick<JournalReader, 'beginBatch' | 'commitBatch'>;
  /** Undefined while the engine has not started yet. */
  readonly clickhouse: () => ClickHouse | undefined;
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** For durations. */
  readonly monotonic: Clock;
  /** Creates the failure message for a refused message. */
  readonly failureMessage: (refused: RefusedMessage) => Message;
  readonly failureTarget: RoutingTarget;
  /** Called with fields that were not seen before, for the catalogue. */
  readonly newFields: (fields: readonly SeenField[]) => void;
  /** An input sends messages whose field names contain ids. */
  readonly manyFieldNames: (found: ManyFieldNames) => void;
  /** The writer has ended because of a bug in this program; its worker must be restarted. */
  readonly crashed: (error: unknown) => void;
}

export interface MessageWriterConfig {
  readonly nodeId: string;
  /** `clickhouse_database` */
  readonly database: string;
  /** A batch is sent when it reaches one of these: messages, approximate bytes, age. */
  readonly maxRows?: number;
  readonly maxBytes?: number;
  readonly maxAgeMs?: number;
  /** The age while another batch is being stored. */
  readonly maxAgeBesideMs?: number;
  /** The age while a batch waits for one of several servers: it doubles with each batch behind that one, up to this. */
  readonly maxAgeBehindMs?: number;
  /** Batches in flight at once, and their bytes together: one that is larger is in flight alone. */
  readonly maxInFlight?: number;
  readonly maxBytesInFlight?: number;
  readonly firstRetryMs?: number;
  readonly maxRetryMs?: number;
  /** How long a request to one of several servers may take before that is asked whether it is still there. */
  readonly slowAfterMs?: number;
  /** How long `stop` waits for batches in flight. */
  readonly stopGraceMs?: number;
}

const DEFAULTS = {
  maxRows: 50_000,
  maxBytes: 32 * 2 ** 20,
  maxAgeMs: 300,
  maxAgeBesideMs: 2000,
  maxAgeBehindMs: 300_000,
  maxInFlight: 2,
  // The engine takes several times the size of a batch to store it. Two full batches of web messages have 36 MB: one after the
  // other they are stored as fast, with 50 to 80 MB less.
  maxBytesInFlight: 32 * 2 ** 20,
  firstRetryMs: 100,
  maxRetryMs: 5000,
  slowAfterMs: 3000,
  stopGraceMs: 3000,
} as const;

export interface MessageWriter extends StorageSink {
  /** Ignores a snapshot that is not newer. Nothing is written before the first one. */
  useIndexSets(snapshot: IndexSetSnapshot): void;
  /** Why nothing can be stored at the moment; undefined while storing works. */
  readonly trouble: string | undefined;
}

interface Batch {
  readonly token: BatchToken;
  readonly endOffset: number;
  readonly blocks: readonly TableBlock[];
  readonly messages: number;
  readonly frameBytes: number;
  /** The batch may be committed when all of these have resolved. */
  readonly outputsSecured: readonly Promise<void>[];
}

export function createMessageWriter(deps: MessageWriterDeps, config: MessageWriterConfig): MessageWriter {
  return new Writer(deps, { ...DEFAULTS, ...config });
}

function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}

type FullConfig = Required<MessageWriterConfig>;

class Writer implements MessageWriter {
  readonly #deps: MessageWriterDeps;
  readonly #config: FullConfig;
  readonly #metrics: ReturnType<typeof createWriterMetrics>;
  readonly #stopping = new AbortController();
  readonly #ready = Promise.withResolvers<void>();
  readonly #stopped = Promise.withResolvers<void>();
  readonly #awayShards: AwayShards;
  readonly #places: BatchPlaces;
  readonly #inserter: TableInserter;
  readonly #fieldNameWatch: FieldNameWatch;
  /** By the keys of the batches, the oldest first. */
  readonly #inFlight = new Map<string, InFlight>();
  /** Keys of batches with rows that wait, until their table accepts others or their server is back. */
  readonly #waitingForOthers = new Set<string>();
  #snapshot: IndexSetSnapshot | undefined;
  #pending: PendingBlocks | undefined;
  /** The end offset of what was written since the last flush. */
  #pendingEnd: number | undefined;
  #pendingSince = 0;
  /** How many batches were begun. */
  #begun = 0;
  #isStopping = false;
  #pendingSecured: Promise<void>[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** Flush as soon as a batch in flight is stored. */
  #isDue = false;
  #room: PromiseWithResolvers<void> | undefined;
  trouble: string | undefined;

  constructor(deps: MessageWriterDeps, config: FullConfig) {
    this.#deps = deps;
    this.#config = config;
    const metrics = createWriterMetrics(deps.metrics);
    this.#metrics = metrics;
    // Those in flight, which may be as many on each server, and those of the growing batch.
    const most = () => config.maxRows * (config.maxInFlight * Math.max(1, this.#servers().length) + 1);
    deps.metrics.gauge('org.graylog2.buffers.output.size', most, {
      merge: 'sum',
      help: 'The most messages that are processed and not stored yet',
    });
    const trouble = (reason: string | undefined, error?: unknown) => this.#setTrouble(reason, error);
    this.#awayShards = createAwayShards({ ...deps, changed: () => this.#useRoom() }, config);
    this.#places = new BatchPlaces(
      {
        servers: () => this.#servers(),
        awayShards: this.#awayShards,
        inFlight: this.#inFlight,
        waitingForOthers: this.#waitingForOthers,
        answered: () => this.#serverAnswered(),
      },
      config,
    );
    const { clickhouse, logger, failureMessage, failureTarget } = deps;
    this.#fieldNameWatch = createFieldNameWatch({ clock: deps.monotonic, report: deps.manyFieldNames });
    this.#inserter = new TableInserter(
      {
        awayShards: this.#awayShards,
        untilItWorks: createRetrying({ clickhouse, logger, trouble }, config),
        createPause: createPauses({ trouble }, config),
        logger,
        failureMessage,
        failureTarget,
        indexSets: () => this.#indexSets(),
        refused: metrics.refused,
        lost: metrics.lost,
      },
      config,
      this.#stopping.signal,
    );
  }

  useIndexSets(snapshot: IndexSetSnapshot): void {
    if (this.#snapshot !== undefined && snapshot.revision <= this.#snapshot.revision) return;
    this.#snapshot = snapshot;
    this.#pending?.useIndexSets(snapshot);
    this.#ready.resolve();
  }

  write(batch: RoutedBatch, outputsSecured?: Promise<void>): Promise<void> | undefined {
    if (this.#snapshot !== undefined) return this.#append(batch, outputsSecured);
    for (const message of batch.messages) message.detach();
    return this.#ready.promise.then(() => this.#append(batch, outputsSecured));
  }

  #append(batch: RoutedBatch, outputsSecured: Promise<void> | undefined): Promise<void> | undefined {
    // What is written after `stop` is not committed, so it will be read again.
    if (this.#stopping.signal.aborted) return this.#stopped.promise;
    this.#pending ??= createPendingBlocks(this.#indexSets(), {
      ...this.#config,
      fieldNameWatch: this.#fieldNameWatch,
    });
    const pending = this.#pending;
    pending.append(batch);
    this.#metrics.received(batch);
    if (this.#pendingEnd === undefined) this.#pendingSince = this.#deps.monotonic.now();
    this.#pendingEnd = batch.endOffset;
    if (outputsSecured !== undefined) this.#pendingSecured.push(outputsSecured);
    if (this.#isFull()) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), this.#config.maxAgeMs);
    // While storage is slow or down the next batch grows until it is full, so live tails still see its messages.
    if (!this.#isFull()) return undefined;
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const pending = this.#pending;
    const endOffset = this.#pendingEnd;
    if (pending === undefined || endOffset === undefined || this.#stopping.signal.aborted) return;
    this.#isDue = !this.#mayBegin() || this.#isTooEarly();
    if (this.#isDue) return;
    const token = this.#newToken();
    this.#isDue = token === undefined;
    if (token === undefined) return;
    this.#pendingEnd = undefined;
    const { messages, frameBytes } = pending;
    const outputsSecured = this.#pendingSecured;
    this.#pendingSecured = [];
    const blocks = pending.take(activeIndex);
    const bytes = blocks.reduce((sum, { block }) => sum + block.length, 0);
    this.#track(
      token,
      bytes,
      this.#store({ token, endOffset, blocks, messages, frameBytes, outputsSecured }),
    );
    this.#reportNewFields(pending);
  }

  #isFull(): boolean {
    const { maxRows, maxBytes } = this.#config;
    const pending = this.#pending;
    return pending !== undefined && (pending.messages >= maxRows || pending.byteLength >= maxBytes);
  }

  /** Whether the batch should go on growing. If so, sets a timer. */
  #isTooEarly(): boolean {
    if (this.#isFull() || this.#isStopping) return false;
    const left = this.#pendingSince + this.#leastAge() - this.#deps.monotonic.now();
    if (left <= 0) return false;
    this.#timer = setTimeout(() => this.#flush(), left);
    return true;
  }

  /**
   * The journal remembers a limited number of batches from the oldest one on that is not stored. While that waits for its
   * server, they must last long, so they are larger than usual.
   */
  #leastAge(): number {
    const { maxAgeMs, maxAgeBesideMs, maxAgeBehindMs } = this.#config;
    const oldest = this.#places.areSeveral ? this.#places.oldestWaiting() : undefined;
    if (oldest !== undefined) return Math.min(maxAgeMs * 2 ** (this.#begun - oldest.number), maxAgeBehindMs);
    // One that waits for others is not stored before they are sent.
    const isStoring = this.#inFlight.size > this.#waitingForOthers.size;
    return isStoring ? maxAgeBesideMs : 0;
  }

  #servers(): readonly ClickHouseServer[] {
    return this.#deps.clickhouse()?.servers ?? [];
  }

  /** Decides which server gets the batch. Undefined while one is asked whether it is there; then `#flush` is called. */
  #newToken(): BatchToken | undefined {
    const { version } = this.#indexSets();
    if (!this.#places.areSeveral) return newBatchToken(version);
    const place = this.#places.next();
    return place && newBatchToken(version, place);
  }

  #serverAnswered(): void {
    this.#useRoom();
    if (this.#places.asking === undefined && !this.#isFull()) this.#makeRoom();
  }

  #track({ key }: BatchToken, bytes: number, storing: Promise<void>): void {
    const tracked = storing
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#inFlight.delete(key);
        this.#waitingForOthers.delete(key);
        this.#useRoom();
      });
    this.#inFlight.set(key, { number: this.#begun, bytes, stored: tracked });
    this.#begun += 1;
  }

  #mayBegin(): boolean {
    return this.#places.hasRoomFor(this.#pending?.byteLength ?? 0);
  }

  #useRoom(): void {
    if (this.#isDue) this.#flush();
    if (this.#mayBegin() && this.#places.asking === undefined) this.#makeRoom();
  }

  #waitsForOthers({ key }: BatchToken): void {
    this.#waitingForOthers.add(key);
    this.#useRoom();
  }

  async #store(batch: Batch): Promise<void> {
    const { monotonic, reader } = this.#deps;
    const startedAt = monotonic.now();
    await this.#begin(batch);
    await this.#insertAll(batch);
    if (batch.outputsSecured.length > 0) await this.#secured(Promise.all(batch.outputsSecured));
    reader.commitBatch(batchTokenText(batch.token));
    this.#setTrouble(undefined);
    this.#metrics.stored(batch.messages, batch.frameBytes, monotonic.now() - startedAt);
  }

  /** An output that never secures its queue must not keep the program from stopping. */
  async #secured(outputs: Promise<unknown>): Promise<void> {
    await orAborted(this.#stopping.signal, outputs);
  }

  /** Inserts into all tables concurrently, but into each table one block at a time, to save the engine's memory. */
  async #insertAll({ blocks, token }: Batch): Promise<void> {
    const byTable = Map.groupBy(blocks, ({ indexSet }) => indexSet.table);
    const onWaiting = () => this.#waitsForOthers(token);
    await Promise.all(
      [...byTable.values()].map(async (ofTable) => {
        for (const block of ofTable) await this.#inserter.insert(token.key, block, { onWaiting });
      }),
    );
  }

  /** Nothing is sent before the journal has recorded the token. */
  async #begin({ endOffset, token }: Batch): Promise<void> {
    const { signal } = this.#stopping;
    for (;;) {
      signal.throwIfAborted();
      try {
        // A dead disk must not keep the program from stopping.
        return await orAborted(signal, this.#beginOrTell(endOffset, token));
      } catch (error) {
        if (!(error instanceof RetryableError)) throw error;
        this.#setTrouble(errorMessage(error));
        await delay(this.#config.firstRetryMs, undefined, { signal });
      }
    }
  }

  /** The journal waits when it has no room for one more batch behind those that wait for a server. */
  async #beginOrTell(endOffset: number, token: BatchToken): Promise<void> {
    const tell = () => {
      const waitedFor = this.#places.waitedFor();
      if (waitedFor.length === 0) return;
      const urls = waitedFor.map(({ url }) => url).join(', ');
      this.#setTrouble(`no more can be stored before ClickHouse at ${urls} has stored what it was sent`);
    };
    const timer = this.#places.areSeveral ? setInterval(tell, this.#config.slowAfterMs) : undefined;
    try {
      await this.#deps.reader.beginBatch(endOffset, batchTokenText(token));
    } finally {
      clearInterval(timer);
    }
  }

  async replay(batch: RoutedBatch, text: string, outputsSecured?: Promise<void>): Promise<void> {
    await this.#ready.promise;
    this.#stopping.signal.throwIfAborted();
    this.#metrics.received(batch);
    const token = parseBatchToken(text);
    const waits = Promise.withResolvers<void>();
    const replaying = this.#replay(batch, token, () => waits.resolve(), outputsSecured);
    const isWaiting = await Promise.race([replaying.then(() => false), waits.promise.then(() => true)]);
    if (!isWaiting) return;
    // What waits for others is not counted.
    this.#track(token, 0, replaying);
    this.#waitsForOthers(token);
    // The next call may be a replay that waits too, and one batch must be left for the others.
    if (!this.#mayBegin()) await replaying;
  }

  async #replay(
    batch: RoutedBatch,
    token: BatchToken,
    onWaiting: () => void,
    outputsSecured: Promise<void> | undefined,
  ): Promise<void> {
    const deps = {
      inserter: this.#inserter,
      logger: this.#deps.logger,
      snapshot: this.#indexSets(),
      onWaiting,
    };
    const blocks = await replayBatch(deps, this.#config, batch, token);
    if (outputsSecured !== undefined) await this.#secured(outputsSecured);
    this.#deps.reader.commitBatch(batchTokenText(token));
    this.#setTrouble(undefined);
    this.#reportNewFields(blocks);
    const bytes = batch.messages.reduce((sum, message) => sum + message.size, 0);
    this.#metrics.stored(batch.messages.length, bytes, 0);
  }

  async stop(): Promise<void> {
    const grace = delay(this.#config.stopGraceMs, undefined, { ref: false });
    this.#isStopping = true;
    this.#flush();
    await Promise.race([this.#drained(), grace]);
    clearTimeout(this.#timer);
    this.#stopping.abort(new Error('the writer was stopped'));
    this.#ready.resolve();
    await Promise.all(this.#inFlightStored());
    this.#makeRoom();
    this.#stopped.resolve();
  }

  /** A pending batch is sent when one in flight ends, so there may be a second round. */
  async #drained(): Promise<void> {
    while (this.#inFlight.size > 0 || this.#places.asking !== undefined) {
      await Promise.all([...this.#inFlightStored(), this.#places.asking]);
    }
  }

  #inFlightStored(): Promise<void>[] {
    return [...this.#inFlight.values()].map(({ stored }) => stored);
  }

  #makeRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  #indexSets(): IndexSetSnapshot {
    if (this.#snapshot === undefined) throw new Error('the writer has no index sets yet');
    return this.#snapshot;
  }

  #reportNewFields(blocks: PendingBlocks): void {
    const fields = blocks.takeNewFields();
    if (fields.length > 0) this.#deps.newFields(fields);
  }

  #setTrouble(reason: string | undefined, error?: unknown): void {
    const { logger } = this.#deps;
    if (reason !== undefined) this.#metrics.retried();
    // One server of several is away or stores nothing: storing goes on.
    if (error !== undefined && this.#awayShards.hasOthers(this.#servers())) return;
    if (reason !== undefined && this.trouble === undefined) {
      logger.warn({ reason }, 'messages cannot be stored; they wait in the journal');
    } else if (reason === undefined && this.trouble !== undefined) {
      logger.info('messages are stored again');
    }
    this.trouble = reason;
  }

  /**
   * After `stop`, what was not committed is replayed after the next start. Otherwise this is a bug in this program: the
   * writer takes nothing more, and the worker is restarted, which replays the batch.
   */
  #failed(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    this.#deps.logger.fatal(
      { err: error },
      'storing failed because of a bug in this program; messages stay in the journal',
    );
    this.trouble = errorMessage(error);
    this.#stopping.abort(error);
    this.#deps.crashed(error);
  }
}
