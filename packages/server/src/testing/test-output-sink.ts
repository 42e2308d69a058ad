import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Message, OutputBatch, OutputPartition, OutputSink } from '#core/index.ts';

/** What outlives a kill: the queue of an output on its disk. */
export class TestOutputDisk {
  securedOffset = 0;
  /** Ids of the messages that wait for delivery. */
  queue: string[] = [];
  /** Ids of the messages that the destination has received. */
  readonly delivered: string[] = [];
  dropped = 0;
  /** How many of the next writes fail. */
  failingWrites = 0;
  /** Writes wait for it: a slow disk. */
  slow: Promise<void> | undefined;

  /** All messages that ever were in the queue. */
  get received(): string[] {
    return [...this.delivered, ...this.queue];
  }
}

export interface TestOutputSettings {
  /** Messages that the queue holds; an empty one takes any batch. */
  readonly capacity?: number;
  readonly whenFull?: 'drop_oldest' | 'block';
}

interface Append {
  readonly batch: { readonly endOffset: number; readonly ids: readonly string[] };
  readonly secured: PromiseWithResolvers<void>;
}

/** An output sink on a simulated disk: bounded, and as slow or unreliable as the test wants it. */
export class TestOutputSink implements OutputSink {
  readonly #disk: TestOutputDisk;
  readonly #capacity: number;
  readonly #whenFull: 'drop_oldest' | 'block';
  readonly #waiting: Append[] = [];
  #room = Promise.withResolvers<void>();
  #writing = false;
  #ended = false;
  /** Batches that were appended in this run. */
  appended = 0;

  static async open(
    disk: TestOutputDisk,
    { journalEnd }: OutputPartition,
    settings: TestOutputSettings = {},
  ): Promise<TestOutputSink> {
    if (disk.securedOffset > journalEnd) disk.securedOffset = 0;
    return new TestOutputSink(disk, settings);
  }

  private constructor(disk: TestOutputDisk, settings: TestOutputSettings) {
    this.#disk = disk;
    this.#capacity = settings.capacity ?? Number.POSITIVE_INFINITY;
    this.#whenFull = settings.whenFull ?? 'drop_oldest';
  }

  get securedOffset(): number {
    return this.#disk.securedOffset;
  }

  append({ endOffset, messages }: OutputBatch): Promise<void> {
    this.appended += 1;
    const secured = Promise.withResolvers<void>();
    this.#waiting.push({ batch: { endOffset, ids: messages.map(({ id }: Message) => id) }, secured });
    void this.#write();
    return secured.promise;
  }

  /** Hands the oldest messages to the destination. */
  deliver(count = Number.POSITIVE_INFINITY): void {
    this.#disk.delivered.push(...this.#disk.queue.splice(0, count));
    this.#room.resolve();
    this.#room = Promise.withResolvers();
  }

  /** One batch after the other, each in one atomic write. */
  async #write(): Promise<void> {
    if (this.#writing) return;
    this.#writing = true;
    for (let next = this.#waiting[0]; next !== undefined && !this.#ended; next = this.#waiting[0]) {
      if (await this.#attempt(next.batch)) {
        this.#waiting.shift();
        next.secured.resolve();
      }
    }
    this.#writing = false;
  }

  async #attempt({ ids, endOffset }: Append['batch']): Promise<boolean> {
    const disk = this.#disk;
    await nextTurn();
    await disk.slow;
    const isFull = disk.queue.length > 0 && disk.queue.length + ids.length > this.#capacity;
    if (isFull && this.#whenFull === 'block') {
      await this.#room.promise;
      return false;
    }
    if (this.#ended) return false;
    if (disk.failingWrites > 0) {
      disk.failingWrites -= 1;
      return false;
    }
    disk.queue.push(...ids);
    const excess = this.#whenFull === 'block' ? 0 : Math.max(0, disk.queue.length - this.#capacity);
    disk.dropped += disk.queue.splice(0, excess).length;
    disk.securedOffset = endOffset;
    return true;
  }

  /** Nothing more reaches the disk, and nobody is told. */
  kill(): void {
    this.#ended = true;
  }

  async stop(): Promise<void> {
    const isKilled = this.#ended;
    this.#ended = true;
    if (isKilled) return;
    for (const { secured } of this.#waiting) secured.reject(new Error('the output was stopped'));
  }
}
