/**
 * Where marks stand among the records that are not delivered: they are records, but not messages. One that an earlier
 * process wrote deep inside the queue is known only when it is read.
 */
export class KnownMarks {
  readonly #offsets = new Set<number>();

  add(offset: number): void {
    this.#offsets.add(offset);
  }

  /** How many of the records from one offset up to another are messages. */
  messagesIn(from: number, end: number): number {
    let count = Math.max(0, end - from);
    for (const offset of this.#offsets) if (offset >= from && offset < end) count -= 1;
    return count;
  }

  forgetBelow(endOffset: number): void {
    for (const offset of this.#offsets) if (offset < endOffset) this.#offsets.delete(offset);
  }
}
