import type { Message } from './message.ts';

const FIRST_BYTES = 64 * 1024;

/**
 * The ids of many messages as bytes, one behind the other. The ids of new messages are texts put together of others: to
 * read one of them character by character takes four times as long as its part of this.
 */
export class MessageIdBytes {
  #bytes = Buffer.alloc(0);
  #view = new DataView(this.#bytes.buffer);

  /** Takes the ids of the messages from `from` up to, not including, `to`. */
  take(messages: readonly Message[], from: number, to: number): void {
    const ids: string[] = [];
    for (let index = from; index < to; index++) ids.push((messages[index] as Message).id);
    const text = ids.join('');
    if (text.length > this.#bytes.length) {
      this.#bytes = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, text.length));
      this.#view = new DataView(this.#bytes.buffer, 0, this.#bytes.length);
    }
    this.#bytes.write(text, 'latin1');
  }

  /** Copies `length` bytes from `start` on. In words: for so few that beats a call into native code. */
  copy(start: number, length: number, target: DataView, at: number): void {
    const view = this.#view;
    let done = 0;
    for (; done + 4 <= length; done += 4) {
      target.setInt32(at + done, view.getInt32(start + done, true), true);
    }
    for (; done < length; done++) target.setUint8(at + done, view.getUint8(start + done));
  }
}
