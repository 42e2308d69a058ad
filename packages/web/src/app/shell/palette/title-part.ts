/** What of the typed text can be part of a title: not what stands before it, as in "Search shop". */
export function titlePart(typed: string, before: string): string {
  const text = typed.trimStart().toLowerCase();
  const start = before.toLowerCase();
  if (text.startsWith(start)) return text.slice(start.length).trim();
  return start.startsWith(text) ? '' : text.trim();
}
