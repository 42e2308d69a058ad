/**
 * Where a text stops being JSON. The engine's own message often has no position and quotes part of the body instead,
 * which may be a password. Used only after `JSON.parse` has rejected the text.
 */
export interface JsonFault {
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly expected: string;
  /** The character at this position; undefined at the end of the text. */
  readonly found: string | undefined;
}

// All characters from the space on except quote and backslash. Matched in runs, so that the regular expression needs no
// memory per character of a long text.
const PLAIN = String.raw`[ !#-[\]-\uffff]*`;
const UNTERMINATED_STRING = String.raw`"${PLAIN}(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})${PLAIN})*`;
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])`;

const SPACE = /[ \t\n\r]*/y;
const PROPERTY_NAME = new RegExp(`${UNTERMINATED_STRING}"`, 'y');
const SCALAR = new RegExp(`${UNTERMINATED_STRING}"|${NUMBER}|(?:true|false|null)(?!\\w)`, 'y');
const STRING_START = new RegExp(UNTERMINATED_STRING, 'y');

type State = 'value' | 'first element' | 'first name' | 'name' | 'colon' | 'after value';

const EXPECTED: Readonly<Record<State, string>> = {
  value: 'a value',
  'first element': 'a value or "]"',
  'first name': 'a property name in double quotes or "}"',
  name: 'a property name in double quotes',
  colon: '":"',
  'after value': 'a comma or the end of the list or object',
};

/** Undefined if the text is valid JSON. */
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
  const takeCharacter = (character: string): boolean => {
    if (text[offset] !== character) return false;
    offset += 1;
    return true;
  };

  /** The state after the next token, or undefined if the token is not allowed here. */
  const next = (): State | undefined => {
    switch (state) {
      case 'first element':
        if (takeCharacter(']')) return open.pop() && 'after value';
        return value();
      case 'value':
        return value();
      case 'first name':
        if (takeCharacter('}')) return open.pop() && 'after value';
        return take(PROPERTY_NAME) ? 'colon' : undefined;
      case 'name':
        return take(PROPERTY_NAME) ? 'colon' : undefined;
      case 'colon':
        return takeCharacter(':') ? 'value' : undefined;
      case 'after value':
        return afterValue();
    }
  };
  const value = (): State | undefined => {
    if (takeCharacter('{')) return open.push('{') ? 'first name' : undefined;
    if (takeCharacter('[')) return open.push('[') ? 'first element' : undefined;
    return take(SCALAR) ? 'after value' : undefined;
  };
  const afterValue = (): State | undefined => {
    const inObject = open.at(-1) === '{';
    if (open.length > 0 && takeCharacter(',')) return inObject ? 'name' : 'value';
    return takeCharacter(inObject ? '}' : ']') ? open.pop() && 'after value' : undefined;
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
  // The fault of an unterminated string is where it breaks off, not at its opening quote.
  STRING_START.lastIndex = offset;
  const isInString = state !== 'colon' && state !== 'after value' && STRING_START.test(text);
  const position = isInString ? STRING_START.lastIndex : offset;
  const before = text.slice(0, position);
  return {
    line: before.split('\n').length,
    column: position - before.lastIndexOf('\n'),
    expected: isInString
      ? 'the rest of a string in double quotes'
      : state === 'after value' && atTop
        ? 'the end of the body'
        : EXPECTED[state],
    found: text[position],
  };
}
