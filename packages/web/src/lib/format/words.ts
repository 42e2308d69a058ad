/** Whether every word of what somebody looks for is somewhere in these texts. */
export function hasWords(texts: readonly string[], find: string): boolean {
  const shown = texts.join('\n').toLowerCase();
  return find
    .toLowerCase()
    .split(/\s+/)
    .every((word) => shown.includes(word));
}

const LIST = new Intl.ListFormat('en-GB');

/** `a`, `a and b`, `a, b and c`. */
export function formatList(parts: readonly string[]): string {
  return LIST.format(parts);
}
