/** Integers beyond 2^53 are bigints (within 64 bits) or texts (beyond), so that every digit is kept. */
export type FieldValue = string | number | boolean | bigint;

/** A value of JSON as decoders take it: null is not a value, objects and lists become their JSON text. */
export function fieldValueOf(value: unknown): FieldValue | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return value === null || value === undefined ? undefined : JSON.stringify(value);
}
