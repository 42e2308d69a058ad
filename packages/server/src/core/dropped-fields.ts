/**
 * Fields that the decoders of a worker drop for their names. Counted where messages are decoded, taken where their input
 * reports what it lost.
 */
export interface DroppedFields {
  /** `name` is one of them, as it was sent. */
  add(inputId: string, name: string, count: number): void;
  /** What was dropped since the last call. */
  take(inputId: string): DroppedField | undefined;
}

export interface DroppedField {
  readonly count: number;
  /** The name of one of them. */
  readonly example: string;
}

const MAX_EXAMPLE_LENGTH = 100;
/** Records in a journal may be of inputs that no longer exist: nobody takes what is counted for them. */
const MAX_INPUTS = 10_000;

export function createDroppedFields(): DroppedFields {
  const byInput = new Map<string, { count: number; example: string }>();
  return {
    add(inputId, name, count) {
      const known = byInput.get(inputId);
      if (known !== undefined) known.count += count;
      else if (byInput.size < MAX_INPUTS) {
        byInput.set(inputId, { count, example: name.slice(0, MAX_EXAMPLE_LENGTH) });
      }
    },
    take(inputId) {
      const found = byInput.get(inputId);
      byInput.delete(inputId);
      return found;
    },
  };
}
