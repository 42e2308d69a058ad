/**
 * A pattern for `like … escape '!'` that finds `text` anywhere. The escape character is not a backslash, because the
 * databases treat backslashes differently, depending on their settings.
 */
export function containsPattern(text: string): string {
  return `%${text.replace(/[!%_]/g, '!$&')}%`;
}
