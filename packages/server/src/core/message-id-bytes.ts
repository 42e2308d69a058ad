import type { Message } from './message.ts';
import { MESSAGE_ID_LENGTH, messageIdText } from './message-id.ts';

/** The last two digits; those before them stay the same for this many offsets. */
const LOW_OFFSETS = 32 * 32;
const LOW_AT = MESSAGE_ID_LENGTH - 2;
const LOW = Uint16Array.from({ length: LOW_OFFSETS }, (_, offset) =>
  Buffer.from(messageIdText({ receivedAt: 0, partition: 0, offset })).readUInt16LE(LOW_AT),
);

/** How many bytes the id of a message is. */
export function messageIdLength(message: Message): number {
  return message.idOffset < 0 || message.idText !== '' ? message.idText.length : MESSAGE_ID_LENGTH;
}

/** Writes ids as bytes, straight from their numbers: nearly all of one is what the one before was. */
export class MessageIdBytes {
  readonly #words = new Int32Array(LOW_AT / 4);
  #receivedAt = -1;
  #partition = -1;
  #high = -1;

  /** Returns where the id ends. */
  write(message: Message, target: DataView, at: number): number {
    const { idOffset, idPartition, idText, receivedAt } = message;
    if (idOffset < 0 || idText !== '') return writeText(idText, target, at);
    const high = Math.floor(idOffset / LOW_OFFSETS);
    if (high !== this.#high || receivedAt !== this.#receivedAt || idPartition !== this.#partition) {
      this.#high = high;
      this.#receivedAt = receivedAt;
      this.#partition = idPartition;
      const bytes = Buffer.from(message.id);
      for (let word = 0; word < this.#words.length; word++) this.#words[word] = bytes.readInt32LE(word * 4);
    }
    const words = this.#words;
    for (let word = 0; word < words.length; word++)
      target.setInt32(at + word * 4, words[word] as number, true);
    target.setUint16(at + LOW_AT, LOW[idOffset % LOW_OFFSETS] as number, true);
    return at + MESSAGE_ID_LENGTH;
  }
}

function writeText(text: string, target: DataView, at: number): number {
  for (let index = 0; index < text.length; index++) target.setUint8(at + index, text.charCodeAt(index));
  return at + text.length;
}
