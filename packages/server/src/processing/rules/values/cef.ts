/**
 * The Common Event Format: `CEF:0|vendor|product|version|event class|name|severity|key=value key=value …`. Values have
 * spaces, so one ends where the next key begins.
 */
import { DateTime, type Value } from '@millrace/rules';
import { isoDate } from '../dates/flexible-date.ts';
import { parseJodaDate } from '../dates/parse-date.ts';
import { DATES, FULL_NAMES, INTEGERS, NUMBERS } from './cef-names.ts';
import { doubleOf, longOfValue } from './conversions.ts';

const VERSION = /^CEF:(\d{1,9})$/;
const HEADER = [
  'device_vendor',
  'device_product',
  'device_version',
  'device_event_class_id',
  'name',
  'severity',
];
const KEY = /(?:^|\s)([\w.-]+(?:\[\d+\])?)=/g;
const ESCAPED = /\\([\\=|nr])/g;
const LABEL = 'Label';
/** The last moment that is a date. */
const MAX_MS = 8.64e15;
const DATE_PATTERNS = [
  'MMM dd HH:mm:ss.SSS ZZZ',
  'MMM dd HH:mm:ss.SSS',
  'MMM dd HH:mm:ss ZZZ',
  'MMM dd HH:mm:ss',
  'MMM dd yyyy HH:mm:ss.SSS ZZZ',
  'MMM dd yyyy HH:mm:ss.SSS',
  'MMM dd yyyy HH:mm:ss ZZZ',
  'MMM dd yyyy HH:mm:ss',
];

/** Undefined: the text is not CEF. */
export function readCef(text: string, usesFullNames: boolean): Map<string, Value> | undefined {
  const parts = splitHeader(text.trim());
  const version = VERSION.exec(parts[0] ?? '')?.[1];
  if (version === undefined || parts.length <= HEADER.length) return undefined;
  const fields = new Map<string, Value>([['cef_version', Number(version)]]);
  for (const [index, name] of HEADER.entries()) fields.set(name, unescaped(parts[index + 1] ?? ''));
  const extensions = readExtensions(parts[HEADER.length + 1] ?? '');
  for (const [key, value] of extensions) {
    if (key.endsWith(LABEL)) continue;
    const converted = convertedValue(key, value);
    const name = extensions.get(key + LABEL) ?? (usesFullNames ? (FULL_NAMES.get(key) ?? key) : key);
    if (converted !== undefined) fields.set(name, converted);
  }
  return fields;
}

/** At most the version, the six texts of the header, and the extensions, in which `|` means itself. */
function splitHeader(text: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length && parts.length <= HEADER.length; at++) {
    const letter = text.charAt(at);
    if (letter === '\\') at += 1;
    else if (letter === '|') {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}

function readExtensions(text: string): ReadonlyMap<string, string> {
  const extensions = new Map<string, string>();
  // One after the other: a text may have a key at every third character.
  let key: string | undefined;
  let from = 0;
  for (const found of text.matchAll(KEY)) {
    if (key !== undefined) extensions.set(key, unescaped(text.slice(from, found.index).trim()));
    key = found[1] ?? '';
    from = found.index + found[0].length;
  }
  if (key !== undefined) extensions.set(key, unescaped(text.slice(from).trim()));
  return extensions;
}

function unescaped(text: string): string {
  return text.replaceAll(ESCAPED, (_, letter: string) =>
    letter === 'n' ? '\n' : letter === 'r' ? '\r' : letter,
  );
}

/** Undefined: the value is not of the type that the key has. */
function convertedValue(key: string, value: string): Value {
  if (INTEGERS.has(key)) return longOfValue(value);
  if (NUMBERS.has(key)) return doubleOf(value);
  return DATES.has(key) ? (dateOf(value) ?? value) : value;
}

function dateOf(text: string): DateTime | undefined {
  const ms = longOfValue(text);
  if (ms !== undefined) return Math.abs(Number(ms)) > MAX_MS ? undefined : new DateTime(Number(ms));
  const written = text.replaceAll(/\s+/g, ' ');
  const iso = isoDate(written, 'UTC');
  if (iso !== undefined) return iso;
  for (const pattern of DATE_PATTERNS) {
    const date = parseJodaDate(written, pattern, {});
    if (date !== undefined) return date;
  }
  return undefined;
}
