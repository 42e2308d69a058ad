/** Reads the literals of the language. */
import type { TextSpan } from './ast.ts';
import type { Problems } from './problems.ts';
import type { Part } from './tree.ts';

const SIMPLE_ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  '"': '"',
  "'": "'",
  '\\': '\\',
};
const ESCAPE = /\\(?:u([0-9a-fA-F]{4})|([0-3]?[0-7]{1,2})|([\s\S]?))/g;
const MAX_LONG = 2n ** 63n - 1n;

/** The text between the quotes, with Java's escapes. */
export function readText(part: Part, source: string, problems: Problems): string {
  const raw = source.slice(part.from + 1, part.to - 1);
  if (!raw.includes('\\')) return raw;
  return raw.replaceAll(ESCAPE, (whole, unicode, octal, letter, offset: number) => {
    if (unicode !== undefined) return String.fromCharCode(Number.parseInt(unicode, 16));
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
    const meaning = Object.hasOwn(SIMPLE_ESCAPES, letter) ? SIMPLE_ESCAPES[letter] : undefined;
    if (meaning !== undefined) return meaning;
    const from = part.from + 1 + offset;
    problems.add('invalid_literal', { from, to: from + whole.length }, `${whole} is not an escape.`, {
      hint: 'A backslash in a text is written twice: \\\\',
      fix: { from, to: from, insert: '\\' },
    });
    return whole;
  });
}

export function readInteger(part: Part, source: string, problems: Problems): number | bigint {
  const digits = source.slice(part.from, part.to).replaceAll('_', '').replace(/[lL]$/, '');
  const isOctal = /^0[0-7]+$/.test(digits);
  if (/^0[0-9]+$/.test(digits) && !isOctal) {
    problems.add(
      'invalid_literal',
      part,
      `${digits} starts with 0, so it is octal, and has other digits than 0 to 7.`,
      {
        hint: 'Write the number without the leading zeros.',
        fix: { from: part.from, to: part.to, insert: digits.replace(/^0+(?=\d)/, '') },
      },
    );
    return 0;
  }
  const value = BigInt(isOctal ? `0o${digits.slice(1)}` : digits);
  // The one number that is valid only after a minus sign.
  if (value > MAX_LONG + 1n) return outOfRange(part, problems);
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

function outOfRange(part: TextSpan, problems: Problems): number {
  problems.add('invalid_literal', part, 'The number does not fit into 64 bits.', {
    hint: `The largest integer is ${MAX_LONG}.`,
  });
  return 0;
}

export function readFloat(part: Part, source: string): number {
  return Number(
    source
      .slice(part.from, part.to)
      .replaceAll('_', '')
      .replace(/[fFdD]$/, ''),
  );
}
