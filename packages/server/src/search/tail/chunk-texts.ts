import type { Message } from '#core/index.ts';
import { createMessageTexts, type MessageTexts } from '../query/index.ts';

/**
 * The texts of a few messages at a time. The queries test the same messages one query after the other, and share the
 * lower-cased texts.
 */
export class ChunkTexts implements MessageTexts {
  readonly #slots: readonly MessageTexts[];
  #current: MessageTexts;

  constructor(size: number) {
    this.#current = createMessageTexts();
    this.#slots = [this.#current, ...Array.from({ length: size - 1 }, createMessageTexts)];
  }

  setMessages(messages: readonly Message[], start: number, end: number): void {
    for (let position = start; position < end; position++) {
      this.#slots[position - start]?.setMessage(messages[position] as Message);
    }
  }

  /** The other methods now refer to the message at this place. */
  select(place: number): void {
    this.#current = this.#slots[place] ?? this.#current;
  }

  setMessage(message: Message): void {
    this.#current.setMessage(message);
  }

  joined(): string {
    return this.#current.joined();
  }

  folded(): string {
    return this.#current.folded();
  }

  foldedMessage(): string {
    return this.#current.foldedMessage();
  }

  values(): readonly string[] {
    return this.#current.values();
  }
}
