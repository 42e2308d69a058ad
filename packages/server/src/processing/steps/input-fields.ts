import type { Message } from '#core/index.ts';
import type { Step } from '../framework/index.ts';

/** What an input adds to its messages. */
export interface InputSettings {
  readonly id: string;
  /** Added to every message that does not have the field. */
  readonly staticFields: Readonly<Record<string, string>>;
  /** Replaces the source of every message. */
  readonly overrideSource: string | undefined;
}

/** Fields that every message has; a static field never overwrites. */
const BUILT_IN: ReadonlySet<string> = new Set(['message', 'source', 'timestamp', 'level', 'streams', '_id']);

interface PreparedInput {
  readonly source: string | undefined;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** Adds the static fields of inputs and replaces the source where an input says so. */
export function createInputFieldsStep(inputs: readonly InputSettings[]): Step {
  const prepared = new Map<string, PreparedInput>();
  for (const { id, staticFields, overrideSource } of inputs) {
    const fields = Object.entries(staticFields).filter(
      ([name]) => !BUILT_IN.has(name) && !name.startsWith('gl2_'),
    );
    if (fields.length > 0 || overrideSource !== undefined) {
      prepared.set(id, { fields, source: overrideSource });
    }
  }

  return function inputFields({ messages }) {
    if (prepared.size === 0) return;
    for (const message of messages) {
      const input = prepared.get(message.origin.inputId);
      if (input !== undefined) apply(input, message);
    }
  };
}

function apply({ source, fields }: PreparedInput, message: Message): void {
  if (source !== undefined) message.source = source;
  for (const [name, value] of fields) {
    if (name === 'full_message') message.fullMessage ??= value;
    else if (message.getField(name) === undefined) message.setField(name, value);
  }
}
