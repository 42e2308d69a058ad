import { MESSAGE_ID_LENGTH } from '#core/index.ts';
import type { FramePassing } from '../codec.ts';
import { trimmedEnd } from './joined-frames.ts';

/** Of the encoder. */
export interface GelfPassingOptions {
  readonly messageId?: boolean;
  readonly forwarder?: string;
}

/**
 * A frame between its braces, with the id before and the forwarder behind it. The decoder has found that the frame has
 * neither of the two, and nothing that the encoder would write in another way (`Message.gelfFrame`).
 */
export function gelfPassing({ messageId, forwarder }: GelfPassingOptions): FramePassing {
  const before = new Words(messageId ? `{"_id":"${'0'.repeat(MESSAGE_ID_LENGTH)}",` : '{');
  const after = new Words(forwarder === undefined ? '}' : `,"_forwarder":${JSON.stringify(forwarder)}}`);
  const idAt = '{"_id":"'.length;
  return {
    addedBytes: before.length + after.length + SLACK_BYTES,
    pass({ bytes, frameStarts, frameEnds }, index, target, at, idStart) {
      const { view } = target;
      const start = (frameStarts[index] as number) + 1;
      const end = trimmedEnd(bytes, start, frameEnds[index] as number) - 1;
      before.write(view, at);
      if (messageId) copyId(view, idStart, at + idAt);
      const to = at + before.length;
      bytes.copy(target.bytes, to, start, end);
      after.write(view, to + end - start);
      return to + end - start + after.length;
    },
  };
}

function copyId(view: DataView, from: number, to: number): void {
  for (let done = 0; done < 24; done += 4) view.setInt32(to + done, view.getInt32(from + done, true), true);
  view.setInt16(to + 24, view.getInt16(from + 24, true), true);
}

/** What a word may write beyond the end of the text. */
const SLACK_BYTES = 3;

/** A text that is written in words: for so few bytes that beats a call into native code. */
class Words {
  readonly length: number;
  readonly #words: Int32Array;

  constructor(text: string) {
    const bytes = Buffer.from(text);
    this.length = bytes.length;
    const padded = Buffer.alloc((bytes.length + 3) & ~3);
    bytes.copy(padded);
    this.#words = Int32Array.from({ length: padded.length / 4 }, (_, index) => padded.readInt32LE(index * 4));
  }

  /** Writes up to three bytes beyond the end. */
  write(view: DataView, at: number): void {
    const words = this.#words;
    for (let index = 0; index < words.length; index++)
      view.setInt32(at + 4 * index, words[index] as number, true);
  }
}
