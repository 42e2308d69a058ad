/**
 * Graylog's template language (JMTE), as notifications use it.
 *
 *   ${event.message}                        a value; nothing if there is none
 *   ${event.key(none)}                      with a default
 *   ${Key: ,event.key,!}                    with a prefix and a suffix, only if there is a value
 *   ${if backlog}…${else}…${end}            also ${if !x}, ${if x='text'} and ${elseif y}
 *   ${foreach backlog message}…${end}       a list, or the entries (key, value) of an object; a separator may follow
 *   ${first_message} ${last_message} ${index_message} ${odd_message} ${even_message}
 *   ${-- a comment}   \${ is written as it is
 *
 * Templates read plain data and nothing else, and every value is escaped for the place it is written to.
 */
import { InvalidError } from '#core/index.ts';
import { isTruthy, type TemplateModel, type TemplateValue, textOf } from './values.ts';

export interface RenderOptions {
  /** What each value goes through before it is written; the template's own text does not. */
  readonly escape: (text: string) => string;
  /** How times are written. */
  readonly timeZone: string;
}

export interface Template {
  render(model: TemplateModel, options: RenderOptions): string;
}

/** Nested loops over long lists could produce any amount of text. */
const MAX_OUTPUT_LENGTH = 2 * 1024 * 1024;
const MAX_STEPS = 200_000;
const MAX_DEPTH = 50;

type Part =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'value';
      readonly path: Path;
      readonly fallback: string;
      readonly prefix: string;
      readonly suffix: string;
    }
  | { readonly kind: 'if'; readonly branches: readonly Branch[]; readonly otherwise: readonly Part[] }
  | {
      readonly kind: 'foreach';
      readonly path: Path;
      readonly variable: string;
      readonly separator: string;
      readonly body: readonly Part[];
    };

type Path = readonly string[];

interface Branch {
  readonly path: Path;
  readonly negated: boolean;
  /** Undefined: whether there is a value. */
  readonly equals: string | undefined;
  readonly body: readonly Part[];
}

/** What is wrong with a template; undefined when nothing is. */
export function templateProblem(source: string): string | undefined {
  try {
    parseTemplate(source);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidError) return error.message;
    throw error;
  }
}

/** Throws an `InvalidError` that says what is wrong in which line. */
export function parseTemplate(source: string): Template {
  const parts = createParser(source).parse();
  return {
    render(model, options) {
      const output = { text: '', steps: 0 };
      write(parts, new Scope(model), options, output);
      return output.text;
    },
  };
}

interface Token {
  readonly text: string;
  readonly isExpression: boolean;
  readonly line: number;
}

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let text = '';
  let line = 1;
  let at = 0;
  const pushText = () => {
    if (text !== '') tokens.push({ text, isExpression: false, line });
    text = '';
  };
  while (at < source.length) {
    if (source.startsWith('\\${', at)) {
      text += '${';
      at += 3;
    } else if (source.startsWith('${', at)) {
      const end = source.indexOf('}', at);
      if (end === -1) throw new InvalidError(`line ${line}: \${ without }`);
      pushText();
      const expression = source.slice(at + 2, end);
      tokens.push({ text: expression, isExpression: true, line });
      line += expression.split('\n').length - 1;
      at = end + 1;
    } else {
      const character = source.charAt(at);
      if (character === '\n') line += 1;
      text += character;
      at += 1;
    }
  }
  pushText();
  return tokens;
}

const FOREACH = /^foreach\s+(\S+)\s+(\w+)(?: (.*))?$/s;
const IF = /^(?:else\s?)?if\s+(!?)\s*([^\s=!]+)\s*(?:=\s*(?:'([^']*)'|"([^"]*)"))?$/s;
const VALUE = /^([^,;(){}]+?)\s*(?:\(([^)]*)\))?\s*(?:;.*)?$/s;

function createParser(source: string) {
  const tokens = tokenize(source);
  let next = 0;
  let depth = 0;

  /** Reads up to `end`, `else` or `elseif`, which it returns, or to the end of the template. */
  function parseParts(opener: Token | undefined): { parts: Part[]; closer: Token | undefined } {
    const parts: Part[] = [];
    depth += 1;
    if (depth > MAX_DEPTH && opener) fail(opener, `more than ${MAX_DEPTH} nested blocks`);
    for (;;) {
      const token = tokens[next];
      next += 1;
      if (token === undefined) {
        if (opener !== undefined) fail(opener, `\${${opener.text}} has no \${end}`);
        return { parts, closer: undefined };
      }
      if (!token.isExpression) {
        parts.push({ kind: 'text', text: token.text });
        continue;
      }
      const expression = token.text.trim();
      if (/^(?:end|else|else\s?if\b.*)$/s.test(expression)) {
        if (opener === undefined) fail(token, `\${${expression}} without \${if} or \${foreach}`);
        depth -= 1;
        return { parts, closer: token };
      }
      const part = parseExpression(token, expression);
      if (part !== undefined) parts.push(part);
    }
  }

  function parseExpression(token: Token, expression: string): Part | undefined {
    if (expression.startsWith('--')) return undefined;
    if (/^if\b/.test(expression)) return parseIf(token);
    if (/^foreach\b/.test(expression)) return parseForeach(token, token.text.trimStart());
    const [prefix, wrapped, suffix] = wrapping(token.text);
    const [, path = '', fallback = ''] = VALUE.exec(wrapped.trim()) ?? [];
    if (path === '') fail(token, `\${${expression}} is not the name of a value`);
    return { kind: 'value', path: path.split('.'), fallback, prefix, suffix };
  }

  function parseIf(first: Token): Part {
    const branches: Branch[] = [];
    for (let opener = first; ; ) {
      const expression = opener.text.trim();
      const otherwise = expression === 'else';
      const [, negated, path = '', single, double] = IF.exec(expression) ?? [];
      if (!otherwise && path === '')
        fail(opener, `\${${expression}}: expected a name, such as \${if backlog}`);
      const { parts, closer } = parseParts(opener);
      if (otherwise) {
        if (closer?.text.trim() !== 'end') fail(opener, '${else} must be followed by ${end}');
        return { kind: 'if', branches, otherwise: parts };
      }
      branches.push({
        path: path.split('.'),
        negated: negated === '!',
        equals: single ?? double,
        body: parts,
      });
      if (closer === undefined || closer.text.trim() === 'end')
        return { kind: 'if', branches, otherwise: [] };
      opener = closer;
    }
  }

  function parseForeach(token: Token, expression: string): Part {
    const { path, variable, separator } = foreachOf(token, expression);
    const { parts, closer } = parseParts(token);
    if (closer?.text.trim() !== 'end') fail(token, `\${${expression}} has no \${end}`);
    return { kind: 'foreach', path, variable, separator, body: parts };
  }

  return { parse: () => parseParts(undefined).parts };
}

function fail(token: Token, message: string): never {
  throw new InvalidError(`line ${token.line}: ${message}`);
}

function foreachOf(token: Token, expression: string) {
  const [, path, variable, separator = ''] = FOREACH.exec(expression) ?? [];
  if (path === undefined || variable === undefined) {
    fail(token, `\${${expression}}: expected \${foreach list name}`);
  }
  return {
    path: path.split('.'),
    variable,
    separator: separator.replaceAll('\\n', '\n').replaceAll('\\t', '\t'),
  };
}

function wrapping(expression: string): [string, string, string] {
  const [prefix, path, suffix, ...more] = expression.split(',');
  return prefix !== undefined && path !== undefined && suffix !== undefined && more.length === 0
    ? [prefix, path, suffix]
    : ['', expression, ''];
}

/** The model, with the variables of the loops around it. */
class Scope {
  readonly #variables: ReadonlyMap<string, TemplateValue>;
  readonly #model: TemplateModel;

  constructor(model: TemplateModel, variables: ReadonlyMap<string, TemplateValue> = new Map()) {
    this.#model = model;
    this.#variables = variables;
  }

  find([first = '', ...rest]: Path): TemplateValue {
    let value = this.#variables.has(first) ? this.#variables.get(first) : own(this.#model, first);
    // Field names may have dots: ${message.fields.user.id}.
    for (let taken = 0; taken < rest.length; ) {
      const step = ownWithDots(value, rest, taken);
      if (step === undefined) return undefined;
      value = step.value;
      taken = step.next;
    }
    return value;
  }

  with(name: string, element: TemplateValue, index: number, length: number): Scope {
    const variables = new Map(this.#variables);
    variables.set(name, element);
    variables.set(`first_${name}`, index === 0);
    variables.set(`last_${name}`, index === length - 1);
    variables.set(`index_${name}`, index);
    variables.set(`even_${name}`, index % 2 === 0);
    variables.set(`odd_${name}`, index % 2 === 1);
    return new Scope(this.#model, variables);
  }
}

function own(value: TemplateValue, name: string): TemplateValue {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as TemplateModel)[name] : undefined;
}

function ownWithDots(
  value: TemplateValue,
  names: Path,
  from: number,
): { readonly value: TemplateValue; readonly next: number } | undefined {
  for (let to = from + 1; to <= names.length; to += 1) {
    const found = own(value, names.slice(from, to).join('.'));
    if (found !== undefined) return { value: found, next: to };
  }
  return undefined;
}

interface Output {
  text: string;
  steps: number;
}

function write(parts: readonly Part[], scope: Scope, options: RenderOptions, output: Output): void {
  for (const part of parts) {
    output.steps += 1;
    if (output.steps > MAX_STEPS || output.text.length > MAX_OUTPUT_LENGTH) {
      throw new InvalidError(
        'the template produces too much text: more than 2 MiB, or loops within loops over long lists',
      );
    }
    switch (part.kind) {
      case 'text':
        output.text += part.text;
        break;
      case 'value': {
        const text = textOf(scope.find(part.path), options.timeZone);
        if (text !== '') output.text += part.prefix + options.escape(text) + part.suffix;
        else output.text += part.fallback;
        break;
      }
      case 'if': {
        const chosen = part.branches.find((branch) => holds(branch, scope, options));
        write(chosen?.body ?? part.otherwise, scope, options, output);
        break;
      }
      case 'foreach': {
        const elements = elementsOf(scope.find(part.path));
        for (const [index, element] of elements.entries()) {
          if (index > 0) output.text += part.separator;
          write(part.body, scope.with(part.variable, element, index, elements.length), options, output);
        }
        break;
      }
    }
  }
}

function holds({ path, negated, equals }: Branch, scope: Scope, { timeZone }: RenderOptions): boolean {
  const value = scope.find(path);
  const isTrue = equals === undefined ? isTruthy(value) : textOf(value, timeZone) === equals;
  return isTrue !== negated;
}

function elementsOf(value: TemplateValue): readonly TemplateValue[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null)
    return value === undefined || value === null ? [] : [value];
  return Object.entries(value).map(([key, each]) => ({ key, value: each }));
}
