/** The stream that every message is in, unless another stream takes it out. */
export const ALL_MESSAGES = '000000000000000000000001';

/** The stream that a new condition starts with: one of those that were asked for, if its conditions may be changed. */
export function firstStream(asked: readonly string[], editable: readonly string[]): string {
  const wanted = [...asked, ALL_MESSAGES, ...editable];
  return wanted.find((id) => editable.includes(id)) ?? asked[0] ?? ALL_MESSAGES;
}
