import { requireTextLength } from '@millrace/rules';
import type { JavaRegex } from './java-regex.ts';

const REFERENCE = /\\(.)|\$(?:(\d)|\{(\w+)\})/gs;

/** A replacement as Java writes it: `$1` and `${name}` are groups, a backslash makes the next character a letter. */
export function expandReplacement(
  replacement: string,
  match: readonly unknown[],
  { groups, names }: JavaRegex,
): string {
  if (!replacement.includes('$') && !replacement.includes('\\')) return replacement;
  let length = replacement.length;
  return replacement.replaceAll(REFERENCE, (_, escaped, digit, name) => {
    if (escaped !== undefined) return escaped;
    const group = digit === undefined ? names.get(name) : digit === '0' ? 0 : groups[Number(digit) - 1];
    if (group === undefined) throw new Error(`there is no group ${digit ?? name}`);
    const text = match[group];
    if (typeof text !== 'string') return '';
    length += text.length;
    requireTextLength(length);
    return text;
  });
}
