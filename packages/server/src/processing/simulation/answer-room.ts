import type { FieldValue } from '#core/index.ts';
import type { FieldChange, SimulatedMessage } from './simulated-message.ts';

/** What an answer shows at most. */
export interface AnswerLimits {
  /** Longer texts are cut. */
  readonly textCharacters: number;
  /** Of one outcome: the message itself and those that were made of it. */
  readonly messages: number;
}

/** Of all texts of an answer together. It is in memory several times until it is sent. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** About what a number or an id takes. */
const VALUE_CHARACTERS = 24;

/**
 * The room that one answer has. Messages may be large, and rules may make many of one: what an answer shows of them is
 * bounded here, in the thread, before it is copied.
 */
export class AnswerRoom {
  readonly #limits: AnswerLimits;
  #left = MAX_CHARACTERS;

  constructor(limits: AnswerLimits) {
    this.#limits = limits;
  }

  isUsedUp(): boolean {
    return this.#left <= 0;
  }

  text(text: string): string {
    const shown = text.slice(0, Math.min(this.#limits.textCharacters, Math.max(0, this.#left)));
    this.#left -= shown.length;
    return shown;
  }

  ids(ids: readonly string[]): readonly string[] {
    this.#left -= ids.length * VALUE_CHARACTERS;
    return ids;
  }

  /** The first of them at least: who reads it can tell that something has changed. */
  changes(changes: readonly FieldChange[]): readonly FieldChange[] {
    const shown: FieldChange[] = [];
    for (const { field, before, after } of changes) {
      if (shown.length > 0 && this.isUsedUp()) break;
      this.#left -= field.length;
      shown.push({ field, before: this.#value(before), after: this.#value(after) });
    }
    return shown;
  }

  /** The first of them at least, without the fields for which there is no room. */
  messages(messages: Iterable<SimulatedMessage>): readonly SimulatedMessage[] {
    const shown: SimulatedMessage[] = [];
    for (const message of messages) {
      if (shown.length > 0 && this.isUsedUp()) break;
      shown.push({
        ...message,
        streamIds: this.ids(message.streamIds),
        fields: this.#fields(message.fields),
      });
      if (shown.length === this.#limits.messages) break;
    }
    return shown;
  }

  #fields(fields: ReadonlyMap<string, FieldValue>): Map<string, FieldValue> {
    const shown = new Map<string, FieldValue>();
    for (const [name, value] of fields) {
      if (this.isUsedUp()) break;
      this.#left -= name.length;
      shown.set(name, this.#value(value));
    }
    return shown;
  }

  #value<Value extends FieldValue | undefined>(value: Value): Value | string {
    if (typeof value === 'string') return this.text(value);
    this.#left -= VALUE_CHARACTERS;
    return value;
  }
}
