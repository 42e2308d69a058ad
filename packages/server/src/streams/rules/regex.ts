import { type AST, RegExpParser, RegExpSyntaxError } from '@eslint-community/regexpp';
import { withoutIgnoreCaseGroups } from '#core/index.ts';
import { costOfPattern, type RegexCost, UNBOUNDED_COST } from './regex-cost.ts';
import { requiredLiteral } from './regex-literal.ts';

/**
 * Regular expressions of rules: JavaScript's, with the behaviour that Graylog's users rely on:
 *
 * - found anywhere in the text (`^` and `$` anchor), case sensitive;
 * - `.` matches line breaks too, as in Graylog; `(?-s)` at the start switches that off;
 * - inline flags at the start of the expression: `(?i)`, `(?m)`, `(?s)`, together or one after the other.
 *   `(?u)`, `(?U)` and `(?d)` are accepted and have no effect; `(?x)` is not supported;
 * - Unicode mode (`u`) if the expression compiles in it. An expression with escapes that this mode rejects, such as
 *   `\-`, is compiled without it. Escaped letters that have a meaning only in Java (`\A`, `\z`, `\h`) are rejected
 *   instead of being read as plain letters.
 *
 * V8 has a flag to continue excessive backtracking in a linear engine
 * (`--enable-experimental-regexp-engine-on-excessive-backtracks`). It is not used: it is experimental, supports
 * neither `i`, `u` nor look-around, and people must hear of a rule that exceeds its time limit.
 */
export interface CompiledRegex {
  readonly regex: RegExp;
  readonly cost: RegexCost;
  /** Contained in every text that matches, in any case if the expression ignores case. Empty: unknown. */
  readonly literal: string;
}

/** The expression is invalid. `position` counts from 1, in the expression as the user wrote it. */
export class RegexError extends Error {
  override readonly name = 'RegexError';
  readonly position: number | undefined;

  constructor(message: string, position: number | undefined) {
    super(message);
    this.position = position;
  }
}

interface Flags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
}

const LEADING_FLAGS = /^\(\?([a-zA-Z]*)(?:-([a-zA-Z]+))?\)/;
const ANY_INLINE_FLAGS = /\(\?[a-zA-Z]*(?:-[a-zA-Z]+)?\)/;
const WITHOUT_EFFECT = 'udU';
/** Without Unicode mode these would silently mean something else. */
const NEEDS_UNICODE = /\\[pP]\{|\\u\{|\\k</;

export function compileRegex(expression: string): CompiledRegex {
  const { flags, length } = readLeadingFlags(expression);
  const written = expression.slice(length);
  const letters = `${flags.dotAll ? 's' : ''}${flags.ignoreCase ? 'i' : ''}${flags.multiline ? 'm' : ''}`;
  const unicode = parse(written, length).unicode ? 'u' : '';
  const source = withoutIgnoreCaseGroups(written, letters + unicode);
  const parsed = parse(source, length);
  if (parsed.pattern === undefined) {
    return { regex: newRegExp(source, letters + unicode), cost: UNBOUNDED_COST, literal: '' };
  }
  const simplified = simplify(source, parsed.pattern, flags.dotAll);
  const regex = newRegExp(simplified, letters + unicode);
  const pattern = tryParse(simplified, parsed.unicode);
  if (pattern instanceof Error) return { regex, cost: UNBOUNDED_COST, literal: '' };
  return { regex, cost: costOfPattern(pattern, flags), literal: requiredLiteral(pattern) };
}

function readLeadingFlags(expression: string): { readonly flags: Flags; readonly length: number } {
  const flags = { ignoreCase: false, multiline: false, dotAll: true };
  let length = 0;
  for (;;) {
    const group = LEADING_FLAGS.exec(expression.slice(length));
    if (group === null) return { flags, length };
    setFlags(flags, group[1] ?? '', true, length + 3);
    setFlags(flags, group[2] ?? '', false, length + 4 + (group[1] ?? '').length);
    length += group[0].length;
  }
}

function setFlags(
  flags: { ignoreCase: boolean; multiline: boolean; dotAll: boolean },
  letters: string,
  on: boolean,
  position: number,
): void {
  for (const [index, letter] of [...letters].entries()) {
    if (letter === 'i') flags.ignoreCase = on;
    else if (letter === 'm') flags.multiline = on;
    else if (letter === 's') flags.dotAll = on;
    else if (!WITHOUT_EFFECT.includes(letter)) {
      throw new RegexError(
        `the flag "${letter}" is not supported; use i, m or s, at the start of the expression`,
        position + index,
      );
    }
  }
}

interface Parsed {
  /** Undefined when only V8 itself can read the expression. */
  readonly pattern: AST.Pattern | undefined;
  readonly unicode: boolean;
}

function parse(source: string, offset: number): Parsed {
  const unicode = tryParse(source, true);
  if (!(unicode instanceof Error)) return { pattern: unicode, unicode: true };
  if (isAcceptedByV8(source, 'u')) return { pattern: undefined, unicode: true };
  const plain = NEEDS_UNICODE.test(source) ? unicode : tryParse(source, false);
  if (plain instanceof Error) throw explained(source, plain, offset);
  refuseForeignEscapes(source, plain, offset);
  return { pattern: plain, unicode: false };
}

function tryParse(source: string, unicode: boolean): AST.Pattern | RegExpSyntaxError {
  try {
    return new RegExpParser().parsePattern(source, 0, source.length, { unicode });
  } catch (error) {
    if (error instanceof RegExpSyntaxError) return error;
    throw error;
  }
}

function isAcceptedByV8(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}

function explained(source: string, error: RegExpSyntaxError, offset: number): RegexError {
  const inline = ANY_INLINE_FLAGS.exec(source);
  if (inline !== null && error.index > inline.index && error.index <= inline.index + inline[0].length) {
    return new RegexError(
      `inline flags such as ${inline[0]} are supported only at the start of the expression`,
      offset + inline.index + 1,
    );
  }
  const reason = error.message.replace(/^Invalid regular expression: .*: (?=[^:]*$)/s, '');
  // The parser complains after it has read the quantifier that has nothing to repeat.
  const index = /nothing to repeat/i.test(reason) ? error.index - 1 : error.index;
  return new RegexError(reason.charAt(0).toLowerCase() + reason.slice(1), offset + index + 1);
}

const INSTEAD: Readonly<Record<string, string>> = { A: '^', Z: '$', z: '$', h: '[ \\t]', R: '\\r?\\n' };

/** `\A` would match the letter A, which nobody wants and nobody would notice. */
function refuseForeignEscapes(source: string, pattern: AST.Pattern, offset: number): void {
  for (const { 0: escaped, index } of source.matchAll(/\\[\s\S]/g)) {
    const letter = escaped.charAt(1);
    if (!/[A-Za-z]/.test(letter) || !isIdentityEscape(pattern, index, letter)) continue;
    const instead = INSTEAD[letter];
    throw new RegexError(
      `\\${letter} has no meaning in JavaScript${instead === undefined ? '' : `; use ${instead}`}`,
      offset + index + 1,
    );
  }
}

function isIdentityEscape(pattern: AST.Pattern, position: number, letter: string): boolean {
  const stack: unknown[] = [pattern];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    const { type, start, value } = node as Partial<AST.Character>;
    if (type === 'Character' && start === position) return value === letter.codePointAt(0);
    for (const [key, child] of Object.entries(node)) {
      if (key !== 'parent' && key !== 'references' && key !== 'resolved') stack.push(child);
    }
  }
  return false;
}

function newRegExp(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RegexError(reason.replace(/^Invalid regular expression: [\s\S]*: (?=[^:]*$)/, ''), undefined);
  }
}

/**
 * Removes what cannot change whether the pattern is found: `.*` at either end, and the repetition of a last character.
 * People write `.*error.*` all the time. Searching for that takes quadratic time; searching for `error` takes almost
 * none.
 */
function simplify(source: string, pattern: AST.Pattern, dotAll: boolean): string {
  const [alternative, ...others] = pattern.alternatives;
  if (alternative === undefined || others.length > 0) return source;
  const elements = [...alternative.elements];
  const head = dotAll ? takeLeading(elements) : '';
  const tail = takeTrailing(elements, dotAll);
  const first = elements[0];
  const last = elements.at(-1);
  const middle = first === undefined || last === undefined ? '' : source.slice(first.start, last.end);
  return head + middle + tail;
}

/** `^.*x`, `.*x` and `x` are found in the same texts; `.+x` needs one character in front. */
function takeLeading(elements: AST.Element[]): string {
  const anchored = isEdge(elements[0], 'start');
  const candidate = elements[anchored ? 1 : 0];
  if (!isEndless(candidate) || !isAny(candidate.element)) return '';
  elements.splice(0, anchored ? 2 : 1);
  return times('.', candidate.min);
}

function takeTrailing(elements: AST.Element[], dotAll: boolean): string {
  const beforeEnd = elements.at(-2);
  if (dotAll && isEdge(elements.at(-1), 'end') && isEndless(beforeEnd) && isAny(beforeEnd.element)) {
    elements.pop();
  }
  let last = elements.at(-1);
  while (last?.type === 'Quantifier' && last.min === 0 && isOneCharacter(last.element)) {
    elements.pop();
    last = elements.at(-1);
  }
  if (last?.type !== 'Quantifier' || last.max === last.min || !isOneCharacter(last.element)) return '';
  elements.pop();
  return times(last.element.raw, last.min);
}

function times(raw: string, count: number): string {
  if (count === 0) return '';
  return count === 1 ? raw : `${raw}{${count}}`;
}

function isEndless(element: AST.Element | undefined): element is AST.Quantifier {
  return element?.type === 'Quantifier' && element.max === Number.POSITIVE_INFINITY;
}

function isEdge(element: AST.Element | undefined, kind: 'start' | 'end'): boolean {
  return element?.type === 'Assertion' && element.kind === kind;
}

function isAny(element: AST.Element): boolean {
  return element.type === 'CharacterSet' && element.kind === 'any';
}

/** Matches one character and contains no group that a back-reference might use. */
function isOneCharacter(element: AST.Element): boolean {
  return element.type === 'Character' || element.type === 'CharacterSet' || element.type === 'CharacterClass';
}
