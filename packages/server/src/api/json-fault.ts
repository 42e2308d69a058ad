/**
 * Where a text stops being JSON. The engine's own message often has no position, and repeats a piece of the
 * body instead, which may be a password. Runs only after `JSON.parse` has refused the text.
 */
export interface JsonFault {
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly expected: string;
  /** The character there; undefined at the end of the text. */
  readonly found: string | undefined;
}

// Everything from the space on but the quote and the backslash; written as runs, so that the expression needs no
// memory per character of a long text.
const PLAIN = String.raw`[ !#-[\]-\uffff]*`;
const TEXT_START = String.raw`"${PLAIN}(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})${PLAIN})*`;
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])`;

const SPACE = /[ \t\n\r]*/y;
const PROPERTY_NAME = new RegExp(`${TEXT_START}"`, 'y');
const SCALAR = new RegExp(`${TEXT_START}"|${NUMBER}|(?:true|false|null)(?!\\w)`, 'y');
const STRING_START = new RegExp(TEXT_START, 'y');

type State = 'value' | 'first element' | 'first name' | 'name' | 'colon' | 'after value';

const EXPECTED: Readonly<Record<State, string>> = {
  value: 'a value',
  'first element': 'a value or "]"',
  'first name': 'a property name in double quotes or "}"',
  name: 'a property name in double quotes',
  colon: '":"',
  'after value': 'a comma or the end of the list or object',
};

/** Undefined when the text is JSON after all. */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: Array<'{' | '['> = [];
  let state: State = 'value';
  let offset = 0;

  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = offset;
    const matched = pattern.test(text);
    if (matched) offset = pattern.lastIndex;
    return matched;
  };
  const takeText = (character: string): boolean => {
    if (text[offset] !== character) return false;
    offset += 1;
    return true;
  };

  /** The state after the next token, or undefined when the next token does not fit. */
  const next = (): State | undefined => {
    switch (state) {
      case 'first element':
        if (takeText(']')) return open.pop() && 'after value';
        return value();
      case 'value':
        return value();
      case 'first name':
        if (takeText('}')) return open.pop() && 'after value';
        return take(PROPERTY_NAME) ? 'colon' : undefined;
      case 'name':
        return take(PROPERTY_NAME) ? 'colon' : undefined;
      case 'colon':
        return takeText(':') ? 'value' : undefined;
      case 'after value':
        return afterValue();
    }
  };
  const value = (): State | undefined => {
    if (takeText('{')) return open.push('{') ? 'first name' : undefined;
    if (takeText('[')) return open.push('[') ? 'first element' : undefined;
    return take(SCALAR) ? 'after value' : undefined;
  };
  const afterValue = (): State | undefined => {
    const inObject = open.at(-1) === '{';
    if (open.length > 0 && takeText(',')) return inObject ? 'name' : 'value';
    return takeText(inObject ? '}' : ']') ? open.pop() && 'after value' : undefined;
  };

  for (;;) {
    take(SPACE);
    if (offset === text.length && state === 'after value' && open.length === 0) return undefined;
    const following = next();
    if (following === undefined) return faultAt(text, offset, state, open.length === 0);
    state = following;
  }
}

function faultAt(text: string, offset: number, state: State, atTop: boolean): JsonFault {
  // Inside a text that does not end, the fault is where it breaks off and not at its first quote.
  STRING_START.lastIndex = offset;
  const isText = state !== 'colon' && state !== 'after value' && STRING_START.test(text);
  const position = isText ? STRING_START.lastIndex : offset;
  const before = text.slice(0, position);
  return {
    line: before.split('\n').length,
    column: position - before.lastIndexOf('\n'),
    expected: isText
      ? 'the rest of a text in double quotes'
      : state === 'after value' && atTop
        ? 'the end of the body'
        : EXPECTED[state],
    found: text[position],
  };
}
