import { messagesEventText } from './server-sent-events.ts';

/** Messages that are shown together, as JSON texts. Followers that see all of them share the bytes of the event. */
export class MessageBatch {
  /** Increases with every batch of a node. */
  readonly number: number;
  readonly texts: readonly string[];
  #event: Buffer | undefined;

  constructor(number: number, texts: readonly string[]) {
    this.number = number;
    this.texts = texts;
  }

  event(): Buffer {
    this.#event ??= Buffer.from(messagesEventText(String(this.number), this.texts));
    return this.#event;
  }
}
