import { requireTextLength } from '@millrace/rules';
import { everyMatchOf, type JavaRegex } from './java-regex.ts';

const REFERENCE = /\\(.)|\$(?:(\d)|\{(\w+)\})/gs;

/** A replacement as Java writes it: `$1` and `${name}` are groups, a backslash makes the next character a letter. */
function expandReplacement(
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

/** Replaces what the expression matches: everywhere, or the first time. */
export function replaceMatches(
  value: string,
  compiled: JavaRegex,
  replacement: string,
  replaceAll: boolean,
): string {
  const regex = replaceAll ? everyMatchOf(compiled) : compiled.regex;
  let added = 0;
  return value.replace(regex, (...match) => {
    const text = expandReplacement(replacement, match, compiled);
    added += text.length;
    requireTextLength(added);
    return text;
  });
}
