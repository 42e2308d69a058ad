/**
 * Text of a log message, cut into parts that can be shown safely. Nothing in it is ever taken for markup; terminal
 * colours become styles; characters that hide or reorder others become signs that can be seen.
 */
export interface TextSegment {
  readonly text: string;
  /** The original had something here that cannot be shown; `text` is its sign and this its name. */
  readonly signFor?: string;
  /** Part of what was searched for. */
  readonly isMarked?: boolean;
  readonly href?: string;
  readonly style?: AnsiStyle;
}

export interface AnsiStyle {
  /** 0 black, 1 red, 2 green, 3 yellow, 4 blue, 5 magenta, 6 cyan, 7 white. */
  readonly color?: number;
  readonly isBold?: boolean;
  readonly isUnderlined?: boolean;
}

/** Where the query was found, in UTF-16 units. */
export interface MarkRange {
  readonly start: number;
  readonly length: number;
}

export interface SegmentOptions {
  readonly marks?: readonly MarkRange[] | undefined;
  /** Line breaks become signs as well: for rows of one line. */
  readonly isOneLine?: boolean | undefined;
  /** So many characters at most. */
  readonly limit?: number | undefined;
}

const ESCAPE = '\u001b';
/** A colour sequence, a link, a character that needs a sign. */
const SPECIAL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
  /\u001b\[[\d;]*m|https?:\/\/[^\s"'<>\\^`{|}\p{Cc}\p{Cf}]+|[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\n\t]/gu;
const TRAILING_PUNCTUATION = /[.,;:!?)\]]+$/;

export function textSegments(original: string, options: SegmentOptions = {}): TextSegment[] {
  const text = options.limit === undefined ? original : original.slice(0, options.limit);
  const segments: TextSegment[] = [];
  const marks = [...(options.marks ?? [])].sort((a, b) => a.start - b.start);
  let style: AnsiStyle = {};

  const addPlain = (from: number, to: number, href?: string) => {
    for (const part of cutAtMarks(from, to, marks)) {
      segments.push({
        text: text.slice(part.from, part.to),
        ...(part.isMarked ? { isMarked: true } : {}),
        ...(href === undefined ? {} : { href }),
        ...(Object.keys(style).length === 0 ? {} : { style }),
      });
    }
  };

  let at = 0;
  for (const match of text.matchAll(SPECIAL)) {
    const [found] = match;
    if (match.index > at) addPlain(at, match.index);
    at = match.index + found.length;
    if (found.startsWith(ESCAPE) && found.length > 1) {
      style = nextStyle(style, found);
    } else if (found.startsWith('http')) {
      const link = found.replace(TRAILING_PUNCTUATION, '');
      at = match.index + link.length;
      addPlain(match.index, at, link);
      if (link.length < found.length) {
        addPlain(at, match.index + found.length);
        at = match.index + found.length;
      }
    } else if ((found === '\n' || found === '\t') && !options.isOneLine) {
      addPlain(match.index, at);
    } else {
      segments.push(signOf(found));
    }
  }
  if (at < text.length) addPlain(at, text.length);
  return segments;
}

interface Part {
  readonly from: number;
  readonly to: number;
  readonly isMarked: boolean;
}

function cutAtMarks(from: number, to: number, marks: readonly MarkRange[]): Part[] {
  const parts: Part[] = [];
  let at = from;
  for (const { start, length } of marks) {
    const begin = Math.max(start, at);
    const end = Math.min(start + length, to);
    if (begin >= end) continue;
    if (begin > at) parts.push({ from: at, to: begin, isMarked: false });
    parts.push({ from: begin, to: end, isMarked: true });
    at = end;
  }
  if (at < to) parts.push({ from: at, to, isMarked: false });
  return parts;
}

const CONTROL_PICTURES = 0x2400;
const DELETE = 0x7f;

function signOf(character: string): TextSegment {
  const code = character.codePointAt(0) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  if (character === '\n') return { text: '⏎', signFor: 'line break' };
  if (character === '\t') return { text: '⇥', signFor: 'tab' };
  if (code < 0x20) return { text: String.fromCodePoint(CONTROL_PICTURES + code), signFor: name };
  return code === DELETE ? { text: '␡', signFor: name } : { text: `‹${name}›`, signFor: name };
}

/** Of all that a terminal can do, what helps to read: colour, bold, underline. */
function nextStyle(style: AnsiStyle, sequence: string): AnsiStyle {
  const codes = sequence.slice(2, -1).split(';').map(Number);
  let next = style;
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    // 38;5;n and 38;2;r;g;b: colours out of tables that our themes do not have.
    if (code === 38 || code === 48) index += codes[index + 1] === 2 ? 4 : 2;
    else next = withCode(next, code);
  }
  return next;
}

function withCode(style: AnsiStyle, code: number): AnsiStyle {
  if (code === 0) return {};
  if (code === 1) return { ...style, isBold: true };
  if (code === 4) return { ...style, isUnderlined: true };
  if (code === 22) return without(style, 'isBold');
  if (code === 24) return without(style, 'isUnderlined');
  if (code === 39) return without(style, 'color');
  if (code >= 30 && code <= 37) return { ...style, color: code - 30 };
  return code >= 90 && code <= 97 ? { ...style, color: code - 90 } : style;
}

function without(style: AnsiStyle, key: keyof AnsiStyle): AnsiStyle {
  const { [key]: _gone, ...rest } = style;
  return rest;
}

/** More are not pointed out in one text. */
const MAX_FOUND = 100;

/** Where a text contains another one, whatever the case of its letters; only in its beginning. */
export function findRanges(text: string, find: string, limit: number): MarkRange[] {
  if (find === '') return [];
  const ranges: MarkRange[] = [];
  for (const { index } of text.slice(0, limit).matchAll(findPattern(find, 'giu'))) {
    ranges.push({ start: index, length: find.length });
    if (ranges.length === MAX_FOUND) break;
  }
  return ranges;
}

/** Matches this text and nothing else. */
export function findPattern(find: string, flags: string): RegExp {
  return new RegExp(RegExp.escape(find), flags);
}

/** Both, without overlaps: what the query found and what is looked for. */
export function joinRanges(
  one: readonly MarkRange[] | undefined,
  other: readonly MarkRange[],
): readonly MarkRange[] | undefined {
  if (one === undefined || one.length === 0) return other.length === 0 ? one : other;
  if (other.length === 0) return one;
  const joined: MarkRange[] = [];
  for (const { start, length } of [...one, ...other].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last.start + last.length) {
      const end = Math.max(last.start + last.length, start + length);
      joined[joined.length - 1] = { start: last.start, length: end - last.start };
    } else joined.push({ start, length });
  }
  return joined;
}
