import type { Message } from '#core/index.ts';
import type { ProcessingBatch, Step } from '../framework/index.ts';

/** What an input says about its messages. */
export interface InputSettings {
  readonly id: string;
  /** Added to every message that does not have the field. */
  readonly staticFields: Readonly<Record<string, string>>;
  /** Replaces the source of every message. */
  readonly overrideSource: string | undefined;
}

/** Fields every message has; a static field never overwrites. */
const ALWAYS_THERE: ReadonlySet<string> = new Set([
  'message',
  'source',
  'timestamp',
  'level',
  'streams',
  '_id',
]);

interface PreparedInput {
  readonly source: string | undefined;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** Adds what inputs add: static fields and another source. Failures are left as they are. */
export function createInputFieldsStep(inputs: readonly InputSettings[]): Step {
  const prepared = new Map<string, PreparedInput>();
  for (const { id, staticFields, overrideSource } of inputs) {
    const fields = Object.entries(staticFields).filter(
      ([name]) => !ALWAYS_THERE.has(name) && !name.startsWith('gl2_'),
    );
    if (fields.length > 0 || overrideSource !== undefined) {
      prepared.set(id, { fields, source: overrideSource });
    }
  }

  return function inputFields({ messages, targets }: ProcessingBatch): void {
    if (prepared.size === 0) return;
    for (let index = 0; index < messages.length; index++) {
      const message = messages[index];
      if (message === undefined || targets[index] !== undefined) continue;
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
