import type { Message } from '#core/index.ts';
import { foldCase, VALUE_SEPARATOR } from './words.ts';

/**
 * The texts of one message, computed when they are first needed. Several predicates can share an instance, so that a
 * message is lower-cased once for all of them; then the owner calls `setMessage` before each message.
 */
export interface MessageTexts {
  /** Later changes to the message are not seen. */
  setMessage(message: Message): void;
  /** All texts, joined as in the column `text`, but including values that the message already contains. */
  joined(): string;
  /** The same in lower case. */
  folded(): string;
  /** The message text in lower case. */
  foldedMessage(): string;
  /** Message, full message and source, if not empty, and the text values of the fields. */
  values(): readonly string[];
}

export function createMessageTexts(): MessageTexts {
  let current: Message | undefined;
  let values: readonly string[] | undefined;
  let joined: string | undefined;
  let folded: string | undefined;
  let foldedMessage: string | undefined;

  const texts: MessageTexts = {
    setMessage(message) {
      current = message;
      values = undefined;
      joined = undefined;
      folded = undefined;
      foldedMessage = undefined;
    },
    joined() {
      joined ??= current === undefined ? '' : joinTexts(current);
      return joined;
    },
    folded() {
      folded ??= foldCase(texts.joined());
      return folded;
    },
    foldedMessage() {
      foldedMessage ??= foldCase(current?.message ?? '');
      return foldedMessage;
    },
    values() {
      values ??= current === undefined ? [] : textValues(current);
      return values;
    },
  };
  return texts;
}

function joinTexts(message: Message): string {
  let text = message.message;
  if (message.fullMessage !== undefined) text += VALUE_SEPARATOR + message.fullMessage;
  text += VALUE_SEPARATOR + message.source;
  const { values } = message;
  for (let position = 0; position < values.length; position++) {
    const value = values[position];
    if (typeof value === 'string') text += VALUE_SEPARATOR + value;
  }
  return text;
}

function textValues(message: Message): readonly string[] {
  const own = [message.message, message.fullMessage ?? '', message.source].filter((text) => text !== '');
  const fields = message.values.filter((value) => typeof value === 'string');
  return [...own, ...fields];
}
