import { PermanentError } from '#core/index.ts';

export interface InFlightBatch {
  readonly fromOffset: number;
  readonly endOffset: number;
  readonly token: string;
}

/** More would not fit into a checkpoint slot. Batches that are stored count until all before them are. */
export const MAX_IN_FLIGHT = 16;
export const MAX_TOKEN_BYTES = 128;

interface OpenBatch extends InFlightBatch {
  done: boolean;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * How far the consumer has come. Everything below `committed` is stored; above it are the batches on their way to
 * storage, in order. Ranges without readable records (void, lost, never written) count as committed as soon as
 * everything before them is.
 */
export class ConsumerProgress {
  #committed: number;
  #begun: number;
  /** Everything below was committed or dropped without regard to batches. */
  #passed = 0;
  readonly #open: OpenBatch[];
  #skips: Range[] = [];
  #room: PromiseWithResolvers<void> | undefined;

  constructor(committed: number, inFlight: readonly InFlightBatch[]) {
    this.#committed = committed;
    this.#open = inFlight.map((batch) => ({ ...batch, done: false }));
    this.#begun = Math.max(committed, this.#open.at(-1)?.endOffset ?? 0);
  }

  get committed(): number {
    return this.#committed;
  }

  /** The batches that must be sent again with their tokens if the process ended now. */
  get inFlight(): readonly InFlightBatch[] {
    return this.#open;
  }

  /** The end of the last batch that was begun. */
  get begun(): number {
    return this.#begun;
  }

  isInFlight(token: string): boolean {
    return this.#open.some((batch) => batch.token === token);
  }

  /** Resolves when one more batch can be begun. */
  async whenRoom(): Promise<void> {
    while (this.#open.length >= MAX_IN_FLIGHT) {
      this.#room ??= Promise.withResolvers();
      await this.#room.promise;
    }
  }

  /** Idempotent: the same batch may be begun again after its checkpoint could not be written. */
  begin(endOffset: number, token: string): void {
    const known = this.#open.find((batch) => batch.token === token);
    if (known !== undefined) {
      if (known.endOffset === endOffset) return;
      throw new PermanentError(
        `the token "${token}" is in flight up to offset ${known.endOffset}, not ${endOffset}; use a new token`,
      );
    }
    if (this.#open.length >= MAX_IN_FLIGHT) {
      throw new PermanentError(`more than ${MAX_IN_FLIGHT} batches in flight; commit one first`);
    }
    if (token.length === 0 || Buffer.byteLength(token) > MAX_TOKEN_BYTES) {
      throw new PermanentError(`a token must have 1 to ${MAX_TOKEN_BYTES} bytes: "${token}"`);
    }
    if (endOffset <= this.#begun && this.#begun === this.#passed) {
      // Its records were dropped after they were read. What is in memory can be stored; nothing is left to replay.
      this.#open.push({ fromOffset: endOffset, endOffset, token, done: false });
      return;
    }
    if (endOffset <= this.#begun) {
      throw new PermanentError(
        `a batch up to offset ${endOffset} is empty: offset ${this.#begun} was begun already`,
      );
    }
    this.#open.push({ fromOffset: this.#begun, endOffset, token, done: false });
    this.#begun = endOffset;
  }

  commitBatch(token: string): void {
    const batch = this.#open.find((candidate) => candidate.token === token);
    if (batch === undefined) throw new PermanentError(`no batch with token "${token}" is in flight`);
    batch.done = true;
    this.#advance();
  }

  /** Commits everything below `offset`, also what is in flight. */
  commitThrough(offset: number): void {
    if (offset <= this.#committed) return;
    this.#committed = offset;
    this.#passed = offset;
    this.#begun = Math.max(this.#begun, offset);
    this.#advance();
  }

  /** Marks [from, to) as unreadable; returns how many of these offsets were not known to be. */
  skip(from: number, to: number): number {
    let fresh = Math.max(0, to - Math.max(from, this.#committed));
    for (const known of this.#skips) {
      fresh -= Math.max(0, Math.min(known.to, to) - Math.max(known.from, from, this.#committed));
    }
    if (fresh > 0) {
      this.#skips.push({ from, to });
      this.#skips.sort((a, b) => a.from - b.from);
      this.#advance();
    }
    return Math.max(0, fresh);
  }

  /** The first offset from `offset` on that is not known to be unreadable. */
  readableFrom(offset: number): number {
    let at = offset;
    for (const { from, to } of this.#skips) {
      if (from <= at && at < to) at = to;
    }
    return at;
  }

  /** How many records from the committed offset up to `end` are not stored yet. */
  uncommittedBelow(end: number): number {
    let count = Math.max(0, end - this.#committed);
    let from = this.#committed;
    for (const skip of this.#skips) {
      const start = Math.max(from, skip.from);
      const stop = Math.min(end, skip.to);
      if (stop <= start) continue;
      count -= stop - start;
      from = stop;
    }
    return count;
  }

  #advance(): void {
    for (;;) {
      const head = this.#open[0];
      if (head?.done) {
        this.#open.shift();
        this.#committed = Math.max(this.#committed, head.endOffset);
        continue;
      }
      const next = this.readableFrom(this.#committed);
      if (next === this.#committed) break;
      this.#committed = next;
    }
    this.#skips = this.#skips.filter((skip) => skip.to > this.#committed);
    if (this.#open.length >= MAX_IN_FLIGHT) return;
    this.#room?.resolve();
    this.#room = undefined;
  }
}
