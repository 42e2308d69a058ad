/**
 * The queue of one output for one journal partition: a journal partition of its own (`journal/`), in which every record
 * is a message that the destination should get. See `core/sinks.ts` for what it promises as a sink.
 *
 * SECURED OFFSET. Each record carries the offset of the node's journal up to which the queue is complete with it, so
 * both reach the disk in one write, and the last record says where to go on after a crash. The last record is therefore
 * never committed: once everything is delivered and the queue is quiet, a mark (a record that is not a message) takes
 * its place, and the messages before it are committed.
 */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { MessageOrigin, OutputBatch, OutputSink } from '#core/index.ts';
import type { JournalPartition } from '#journal/index.ts';
import type { SharedEncoder } from '../shared-encodings.ts';
import type { OutputQueueDeps, OutputQueueSettings, ResolvedDeps } from './queue-deps.ts';
import { countDropped, openQueueJournal } from './queue-journal.ts';
import { QueueMemory } from './queue-memory.ts';
import { isMark, markRecord, QueuedMessage, securedBy } from './queue-record.ts';
import { countOf, NO_SOURCE, type QueuedBatch, type Run } from './queued-batch.ts';
import { SentMessages } from './sent-messages.ts';
import { StopSignal } from './stop-signal.ts';

/** Messages of the queue, oldest first. Release them when they are no longer needed. */
export interface QueueBatch {
  readonly messages: readonly QueuedMessage[];
  /** When the oldest of them was received, milliseconds since the epoch. */
  readonly oldestReceivedAt: number;
  readonly bytes: number;
  /** What to give to `delivered` once they are. */
  readonly endOffset: number;
  release(): void;
}

export interface QueueStats {
  /** Not delivered yet. */
  readonly messages: number;
  /** On disk. */
  readonly bytes: number;
}

/** A batch on its way to the disk. */
interface Append extends Omit<QueuedBatch, 'hold' | 'release'> {
  readonly release: () => void;
  nextRun: number;
  /** The disk could not take all of it. */
  isDropped: boolean;
  readonly secured: PromiseWithResolvers<void>;
}

const DEFAULT_DISK_PATIENCE_MS = 5000;
const ROOM_POLL_MS = 250;
const CLOSE_PATIENCE_MS = 2000;
const DEFAULT_MARK_AFTER_MS = 1000;

export class OutputQueue implements OutputSink {
  readonly #deps: ResolvedDeps;
  #settings: OutputQueueSettings;
  #encoder: SharedEncoder;
  #journal: JournalPartition;
  readonly #sent: SentMessages;
  #pending: Append[] = [];
  #writing = false;
  /** Set while nothing may be written: the queue is being opened again, or ends. */
  #held: PromiseWithResolvers<void> | undefined;
  #secured: number;
  /** Everything below this offset of the queue is delivered. */
  #deliveredOffset: number;
  /** Everything below this offset was read: the journal commits nothing else. */
  #readOffset: number;
  #ended: 'stopped' | 'removed' | undefined;
  /** What `peekOldest` found, and for which first offset. */
  #oldest: { readonly offset: number; readonly receivedAt: number } | undefined;
  /** When its disk began to fail; undefined while it works. */
  #failingSince: number | undefined;
  #markTimer: NodeJS.Timeout | undefined;
  /** The offset after the newest mark. */
  #markedOffset = -1;
  #endWait: (() => void) | undefined;
  readonly #stopped = new StopSignal();

  static async open(
    deps: OutputQueueDeps,
    settings: OutputQueueSettings,
    encoder: SharedEncoder,
    journalEnd: number,
  ): Promise<OutputQueue> {
    const ownDeps = { memory: new QueueMemory(), ...deps };
    const sent = new SentMessages();
    const journal = await openQueueJournal(ownDeps, settings, sent);
    const queue = new OutputQueue(ownDeps, settings, encoder, journal, sent);
    ownDeps.memory.add(ownDeps);
    await queue.#findMarks();
    if (queue.#secured > journalEnd) await queue.#startAgain();
    return queue;
  }

  private constructor(
    deps: ResolvedDeps,
    settings: OutputQueueSettings,
    encoder: SharedEncoder,
    journal: JournalPartition,
    sent: SentMessages,
  ) {
    this.#sent = sent;
    this.#deps = deps;
    this.#settings = settings;
    this.#encoder = encoder;
    this.#journal = journal;
    const { lastFrame, writer, reader } = journal;
    this.#secured = lastFrame === undefined ? 0 : securedBy(lastFrame);
    this.#readOffset = reader.committedOffset;
    this.#deliveredOffset = reader.committedOffset;
    if (lastFrame === undefined || !isMark(lastFrame)) return;
    if (reader.committedOffset < writer.nextOffset - 1) this.#sent.marks.add(writer.nextOffset - 1);
    else this.#marked();
  }

  /** The newest record is a mark, and everything before it is delivered. */
  #marked(): void {
    this.#deliveredOffset = this.#journal.writer.nextOffset;
    this.#markedOffset = this.#deliveredOffset;
    this.#sent.delivered(this.#deliveredOffset);
  }

  /** An earlier process may have left a mark in front of its last messages: nothing but reading it commits it. */
  async #findMarks(): Promise<void> {
    const { reader, writer } = this.#journal;
    if (this.#deliveredOffset >= writer.nextOffset) return;
    const records = await reader.peek();
    if (records === undefined) return;
    for (const [index, start] of records.frameStarts.entries()) {
      if (isMark(records.bytes, start)) this.#sent.marks.add(records.firstOffset + index);
    }
    records.release();
  }

  get securedOffset(): number {
    return this.#secured;
  }

  get directory(): string {
    return this.#settings.directory;
  }

  append(batch: OutputBatch): Promise<void> {
    const append: Append = {
      ...this.#encoder.encodeBatch(batch),
      nextRun: 0,
      isDropped: false,
      secured: Promise.withResolvers(),
    };
    this.#pending.push(append);
    void this.#write();
    return append.secured.promise;
  }

  /** Whether messages are read as soon as they can be, and should wait in memory for that. */
  expectReads(isRead: boolean): void {
    this.#deps.memory.setRead(this.#deps, isRead && this.#ended === undefined);
  }

  /** The next messages, without waiting. Undefined: nothing is ready now. */
  read(maxMessages: number): QueueBatch | undefined {
    const records = this.#journal.reader.read({ records: maxMessages });
    if (records === undefined) return undefined;
    const messages: QueuedMessage[] = [];
    let bytes = 0;
    for (let index = 0; index < records.count; index++) {
      const message = new QueuedMessage(
        records.bytes,
        records.frameStarts[index] ?? 0,
        records.frameEnds[index] ?? 0,
        records.sources[index] as MessageOrigin,
      );
      if (message.isMark) {
        this.#sent.marks.add(records.firstOffset + index);
        continue;
      }
      messages.push(message);
      bytes += message.payloadLength;
    }
    const { endOffset, release } = records;
    this.#readOffset = endOffset;
    return { messages, bytes, endOffset, release, oldestReceivedAt: records.receivedAt[0] ?? 0 };
  }

  /** Resolves when there is something to read, or the queue has ended. */
  whenReadable(): Promise<void> {
    return this.#journal.reader.whenReadable();
  }

  /** Everything below this offset of the queue was sent; whether it has arrived is not known yet. */
  sent(endOffset: number): void {
    this.#sent.sent(endOffset);
  }

  /** The destination has everything below this offset of the queue. */
  delivered(endOffset: number): void {
    this.#sent.delivered(endOffset);
    if (this.#ended !== undefined) return;
    this.#deliveredOffset = Math.max(this.#deliveredOffset, endOffset);
    this.#commit();
  }

  /** Whether it has messages that were not read, also such as are still on their way to the disk. */
  get hasUnread(): boolean {
    const read = Math.max(this.#readOffset, this.#deliveredOffset);
    return this.#pending.length > 0 || read < this.#journal.writer.nextOffset;
  }

  /** Reads again everything that is not delivered. */
  rewind(): void {
    countDropped(this.#deps, this.#sent.lost(), { partition: this.directory });
    this.#journal.reader.rewind();
    this.#readOffset = this.#journal.reader.committedOffset;
  }

  stats(): QueueStats {
    const messages = this.#sent.marks.messagesIn(this.#effectiveDelivered(), this.#journal.writer.nextOffset);
    return { messages, bytes: messages === 0 ? 0 : this.#journal.stats().sizeBytes };
  }

  /** When the oldest message that is not delivered was received. Undefined while that is looked up; the next call knows. */
  peekOldest(): number | undefined {
    const offset = this.#journal.reader.committedOffset;
    if (this.#oldest?.offset === offset) return this.#oldest.receivedAt;
    void this.#journal.reader.peek().then((records) => {
      const index = records?.frameStarts.findIndex((start) => !isMark(records.bytes, start)) ?? -1;
      const receivedAt = records?.receivedAt[index];
      if (receivedAt !== undefined) this.#oldest = { offset, receivedAt };
      records?.release();
    });
    return undefined;
  }

  /** Uses other bounds and another encoding from now on. Nobody may read meanwhile. */
  async reconfigure(settings: OutputQueueSettings, encoder: SharedEncoder): Promise<void> {
    this.#encoder = encoder;
    const { maxBytes, onFull } = this.#settings;
    if (maxBytes === settings.maxBytes && onFull === settings.onFull) return;
    const held = Promise.withResolvers<void>();
    this.#held = held;
    await this.#journal.whenDurable();
    await this.#journal.close();
    this.#settings = settings;
    const journal = await this.#openAgain();
    if (journal === undefined) return;
    this.#journal = journal;
    this.#held = undefined;
    held.resolve();
  }

  /** Tries until it works: whoever appends waits for it. Undefined when the queue has ended meanwhile. */
  async #openAgain(): Promise<JournalPartition | undefined> {
    while (this.#ended === undefined) {
      try {
        const journal = await openQueueJournal(this.#deps, this.#settings, this.#sent);
        if (this.#ended === undefined) return journal;
        await journal.close();
      } catch (error) {
        this.#deps.cannotOpen?.(error);
        await this.#stopped.or(delay(ROOM_POLL_MS, undefined, { ref: false }));
      }
    }
    return undefined;
  }

  /** Ends. What is delivered is remembered, what is not secured is refused. */
  async stop(): Promise<void> {
    await this.#end('stopped');
  }

  /** Ends and deletes the messages. Those on their way to it count as taken. */
  async remove(): Promise<void> {
    await this.#end('removed');
    const files = this.#deps.files;
    if (files === undefined) {
      const { rm } = await import('node:fs/promises');
      await rm(this.directory, { recursive: true, force: true });
      return;
    }
    for (const name of await files.list(this.directory)) await files.remove(path.join(this.directory, name));
    await files.removeDirectory(this.directory);
  }

  async #end(how: 'stopped' | 'removed'): Promise<void> {
    if (this.#ended !== undefined) return;
    clearTimeout(this.#markTimer);
    if (how === 'stopped') await this.#markNow();
    this.#ended = how;
    this.#deps.memory.forget(this.#deps);
    this.#held?.resolve();
    this.#held = undefined;
    this.#endWait?.();
    this.#stopped.stop();
    const closed = this.#journal.close();
    for (const { secured } of this.#pending.splice(0)) {
      if (how === 'removed') secured.resolve();
      else secured.reject(new Error('the output was stopped before its queue had the messages'));
    }
    // A disk that hangs must not keep the program from stopping.
    await Promise.race([closed, delay(CLOSE_PATIENCE_MS, undefined, { ref: false })]);
  }

  /** One batch after the other. The journal keeps their order and retries while the disk fails. */
  async #write(): Promise<void> {
    if (this.#writing) return;
    this.#writing = true;
    for (let next = this.#pending[0]; next !== undefined; next = this.#pending[0]) {
      if (!(await this.#writeRuns(next))) break;
      next.release();
      this.#pending.shift();
      void this.#whenDurable(next);
    }
    this.#writing = false;
  }

  /** False when the queue has ended before everything was accepted. */
  async #writeRuns(append: Append): Promise<boolean> {
    clearTimeout(this.#markTimer);
    while (append.nextRun < append.runs.length) {
      const run = append.runs[append.nextRun] as Run;
      if (!(await this.#writeRun(append, run))) return false;
      append.nextRun += 1;
    }
    return true;
  }

  async #writeRun(append: Append, { source, receivedAt, starts, ends }: Run): Promise<boolean> {
    const { bytes } = append;
    const count = starts.length;
    const length = (ends.at(-1) ?? 0) - (starts[0] ?? 0);
    if (length > this.#settings.maxBytes / 4) {
      this.#deps.dropped('too_large', count, length);
      return true;
    }
    for (;;) {
      while (this.#held !== undefined) await this.#held.promise;
      if (this.#ended !== undefined) return false;
      if (this.#journal.writer.append({ source, receivedAt, bytes, starts, ends, count })) return true;
      if (this.#givesUp()) {
        append.isDropped = true;
        this.#deps.dropped('disk_failing', count, length);
        return true;
      }
      await this.#room();
    }
  }

  /**
   * A queue that may drop must not hold up the storage because its disk fails. Its patience is for the disk and not for
   * each append: otherwise a batch of many senders would wait once for each of them.
   */
  #givesUp(): boolean {
    const { onFull, diskPatienceMs = DEFAULT_DISK_PATIENCE_MS } = this.#settings;
    const now = this.#deps.clock.now();
    this.#failingSince = this.#journal.writer.refusal === 'failing' ? (this.#failingSince ?? now) : undefined;
    return (
      onFull !== 'block' && this.#failingSince !== undefined && now - this.#failingSince >= diskPatienceMs
    );
  }

  async #whenDurable(append: Append): Promise<void> {
    const { endOffset, secured } = append;
    const isDurable = await this.#durableOrGivenUp(append);
    if (!isDurable && this.#ended !== 'removed') {
      secured.reject(new Error('the output was stopped before its queue had the messages'));
      return;
    }
    if (this.#journal.writer.refusal !== 'failing') this.#failingSince = undefined;
    // One that was given up may end after a later one.
    this.#secured = Math.max(this.#secured, endOffset);
    secured.resolve();
    if (!append.isDropped) this.#deps.queued?.(countOf(append.runs), append.length);
    if (this.#ended === undefined) this.#commit();
  }

  /** A queue that drops does not wait for a broken disk: what it cannot write counts as dropped. */
  async #durableOrGivenUp({ length, runs, isDropped }: Append): Promise<boolean> {
    if (isDropped) return true;
    const durable = this.#stopped.or(this.#journal.whenDurable());
    if (this.#settings.onFull === 'block') return durable;
    const given = Promise.withResolvers<boolean>();
    const timer = setInterval(() => {
      if (!this.#givesUp()) return;
      this.#deps.dropped('disk_failing', countOf(runs), length);
      given.resolve(true);
    }, ROOM_POLL_MS);
    try {
      return await Promise.race([durable, given.promise]);
    } finally {
      clearInterval(timer);
    }
  }

  /** Resolves when the journal may have room again, and from time to time. */
  async #room(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const stopListening = this.#journal.writer.onRoom(resolve);
    const timer = setTimeout(resolve, ROOM_POLL_MS);
    this.#endWait = resolve;
    await promise;
    clearTimeout(timer);
    stopListening();
  }

  #effectiveDelivered(): number {
    return Math.max(this.#deliveredOffset, this.#journal.reader.committedOffset);
  }

  /** All that is delivered except for the last record: it tells where to go on. */
  #commit(): void {
    const { reader, writer } = this.#journal;
    const target = Math.min(this.#deliveredOffset, this.#readOffset, writer.durableOffset - 1);
    if (target > reader.committedOffset) reader.commit(target);
    if (this.#deliveredOffset < writer.nextOffset) return;
    clearTimeout(this.#markTimer);
    if (this.#isMarked) return;
    const { markAfterMs = DEFAULT_MARK_AFTER_MS } = this.#settings;
    this.#markTimer = setTimeout(() => void this.#markNow(), markAfterMs);
    this.#markTimer.unref();
  }

  get #isMarked(): boolean {
    return this.#markedOffset === this.#journal.writer.nextOffset;
  }

  /** Everything is delivered and nothing new comes: a mark lets the last messages be committed. */
  async #markNow(): Promise<void> {
    const { writer, reader } = this.#journal;
    if (this.#ended !== undefined || this.#pending.length > 0 || this.#held !== undefined) return;
    if (this.#deliveredOffset < writer.nextOffset || writer.nextOffset === 0 || this.#isMarked) return;
    if (reader.committedOffset >= writer.nextOffset) return;
    if (!this.#appendMark(this.#secured)) return;
    this.#marked();
    if (await this.#journal.whenDurable()) this.#commit();
  }

  #appendMark(secured: number): boolean {
    const bytes = markRecord(secured);
    return this.#journal.writer.append({
      source: NO_SOURCE,
      receivedAt: this.#deps.clock.now(),
      bytes,
      starts: [0],
      ends: [bytes.length],
      count: 1,
    });
  }

  /** The node's journal began again at 0 since the queue was written. */
  async #startAgain(): Promise<void> {
    this.#secured = 0;
    const wasEmpty = this.#deliveredOffset >= this.#journal.writer.nextOffset;
    while (!this.#appendMark(0)) await this.#room();
    await this.#journal.whenDurable();
    if (wasEmpty) this.#marked();
    else this.#sent.marks.add(this.#journal.writer.nextOffset - 1);
  }
}
