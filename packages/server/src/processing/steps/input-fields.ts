import type { Message } from '#core/index.ts';
import { namingChanges, type Step } from '../framework/index.ts';

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

/** Replaces the source of messages where their input says so. */
export function createSourceStep(inputs: readonly InputSettings[]): Step {
  const sources = new Map<string, string>();
  for (const { id, overrideSource } of inputs) {
    if (overrideSource !== undefined) sources.set(id, overrideSource);
  }

  return namingChanges(function source({ messages }) {
    if (sources.size === 0) return;
    for (const message of messages) {
      const replaced = sources.get(message.origin.inputId);
      if (replaced === undefined) continue;
      message.source = replaced;
      message.gelfFrame = -1;
    }
  });
}

type StaticFields = readonly (readonly [name: string, value: string])[];

/** Adds the static fields of inputs. */
export function createInputFieldsStep(inputs: readonly InputSettings[]): Step {
  const prepared = new Map<string, StaticFields>();
  for (const { id, staticFields } of inputs) {
    const fields = Object.entries(staticFields).filter(
      ([name]) => !BUILT_IN.has(name) && !name.startsWith('gl2_'),
    );
    if (fields.length > 0) prepared.set(id, fields);
  }

  return namingChanges(function inputFields({ messages }) {
    if (prepared.size === 0) return;
    for (const message of messages) {
      const fields = prepared.get(message.origin.inputId);
      if (fields !== undefined) addMissing(fields, message);
    }
  });
}

function addMissing(fields: StaticFields, message: Message): void {
  message.gelfFrame = -1;
  for (const [name, value] of fields) {
    if (name === 'full_message') message.fullMessage ??= value;
    else if (message.getField(name) === undefined) message.setField(name, value);
  }
}
