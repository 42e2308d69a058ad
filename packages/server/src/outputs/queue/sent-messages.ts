import type { JournalIncident } from '#journal/index.ts';
import { KnownMarks } from './known-marks.ts';

/** How many messages, and how many bytes of the queue they take up. */
export interface MessageCount {
  readonly messages: number;
  readonly bytes: number;
}

interface Gone extends MessageCount {
  readonly endOffset: number;
}

/**
 * Messages that were sent stay in the queue until the destination has them for certain, to be sent again otherwise. A fast
 * output with a small queue fills it with them, and then they make room for others. That alone loses nothing: they count as
 * dropped only if they would have had to be sent again.
 */
export class SentMessages {
  readonly marks = new KnownMarks();
  #endOffset = 0;
  #deliveredOffset = 0;
  /** Those that made room, oldest first. */
  #gone: Gone[] = [];

  sent(endOffset: number): void {
    this.#endOffset = endOffset;
  }

  /**
   * The queue has dropped its oldest records. Returns the messages among them that were not sent. What is delivered may be
   * among them, too: the last record of a queue is never committed.
   */
  madeRoom({ records, bytes, endOffset = 0 }: JournalIncident): MessageCount {
    const first = Math.min(endOffset, Math.max(this.#deliveredOffset, endOffset - records));
    const sentEnd = Math.min(endOffset, Math.max(this.#endOffset, first));
    const sent = this.marks.messagesIn(first, sentEnd);
    const unsent = this.marks.messagesIn(sentEnd, endOffset);
    const bytesOfEach = bytes / Math.max(1, records);
    if (sent > 0) this.#gone.push({ endOffset: sentEnd, messages: sent, bytes: bytesOfEach * sent });
    return { messages: unsent, bytes: Math.round(bytesOfEach * unsent) };
  }

  delivered(endOffset: number): void {
    this.#deliveredOffset = Math.max(this.#deliveredOffset, endOffset);
    const left = this.#gone.findIndex((gone) => gone.endOffset > endOffset);
    this.#gone.splice(0, left === -1 ? this.#gone.length : left);
    const [first] = this.#gone;
    if (first !== undefined) this.#gone[0] = this.#withoutDelivered(first, endOffset);
    this.marks.forgetBelow(this.#deliveredOffset);
  }

  /** What is not delivered has to be sent again. Returns what cannot be. */
  lost(): MessageCount {
    const gone = this.#gone;
    this.#gone = [];
    this.#endOffset = 0;
    return {
      messages: gone.reduce((sum, each) => sum + each.messages, 0),
      bytes: Math.round(gone.reduce((sum, each) => sum + each.bytes, 0)),
    };
  }

  /**
   * Each record has an offset of its own, so those that are left are the last ones. Their bytes are a share, and are rounded
   * only in the end: a segment may be delivered in many steps.
   */
  #withoutDelivered({ messages, bytes, endOffset }: Gone, deliveredOffset: number): Gone {
    const left = Math.min(messages, this.marks.messagesIn(deliveredOffset, endOffset));
    return { endOffset, messages: left, bytes: (bytes * left) / Math.max(1, messages) };
  }
}
