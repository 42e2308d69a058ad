/**
 * Grok: `%{NAME:field:type}` stands for a named pattern, and everything together becomes one regular expression. Each
 * field is a group of it.
 */
import { boxDouble, longOf, MatchResult, truncated, type Value } from '@millrace/rules';
import { BoundedMap } from '#core/index.ts';
import { parseJodaDate } from '../dates/parse-date.ts';
import { MAX_REMEMBERED_LENGTH } from '../message-limits.ts';
import { unquoted } from '../values/unquoted.ts';
import { compileJavaRegex, PatternError } from './java-regex.ts';
import { quickSearch } from './quick-search.ts';

export interface CompiledGrok {
  /** What the pattern stands for. */
  readonly regex: RegExp;
  /** Undefined: the pattern was not found in the text. */
  match(text: string, onlyNamed: boolean): MatchResult | undefined;
}

interface Capture {
  readonly field: string;
  readonly group: number;
  /** The pattern's own name is the field. */
  readonly isUnnamed: boolean;
  readonly convert: (text: string) => Value;
}

const REFERENCE = /%\{([A-Za-z0-9_]+)(?::([^:;{}]+)(?:[:;]([^{}]*))?)?\}/;
const REFERENCES = new RegExp(REFERENCE, 'g');
/** A group with a name, or a reference to one. What is escaped is neither. */
const INLINE_NAME = /(\(\?|\\k)<([a-zA-Z_@][a-zA-Z0-9_@.-]*)>|\\./gs;
const MAX_DEPTH = 50;
/** Ten times as long as the longest stock pattern. Compiling takes a third of a second then. */
const MAX_LENGTH = 32_768;

/** The named patterns that a pattern refers to. */
export function grokNamesIn(pattern: string): readonly string[] {
  return [...pattern.matchAll(REFERENCES)].map(([, name = '']) => name);
}

/** Throws `PatternError`. */
export function compileGrok(pattern: string, patterns: ReadonlyMap<string, string>): CompiledGrok {
  const fields: { field: string; isUnnamed: boolean; convert: (text: string) => Value }[] = [];
  const group = (field: string, isUnnamed: boolean, type: string) => {
    fields.push({ field, isUnnamed, convert: converterOf(type) });
    return `(?<g${fields.length - 1}>`;
  };

  function expand(text: string, depth: number): string {
    if (depth > MAX_DEPTH) throw new PatternError('patterns contain each other without end', 1);
    let out = '';
    let rest = text;
    for (let found = REFERENCE.exec(rest); found !== null; found = REFERENCE.exec(rest)) {
      const [whole, name = '', field, type = ''] = found;
      const definition = patterns.get(name);
      if (definition === undefined) throw new PatternError(`there is no grok pattern ${name}`, 1);
      out += inline(rest.slice(0, found.index));
      out += `${group(field ?? name, field === undefined, type)}${expand(definition, depth + 1)})`;
      if (out.length > MAX_LENGTH)
        throw new PatternError(`the pattern has more than ${MAX_LENGTH} characters`, 1);
      rest = rest.slice(found.index + whole.length);
    }
    return out + inline(rest);
  }

  const inline = (text: string) =>
    text.replaceAll(INLINE_NAME, (whole: string, kind: string | undefined, name: string) => {
      if (kind === undefined) return whole;
      if (kind === '(?') return group(name, false, '');
      const referred = fields.findLastIndex(({ field, isUnnamed }) => field === name && !isUnnamed);
      return referred < 0 ? whole : `\\k<g${referred}>`;
    });
  const { regex: whole, names } = compileJavaRegex(expand(pattern, 0));
  const regex = quickSearch(whole);
  const captures = fields.map((each, index): Capture => ({ ...each, group: names.get(`g${index}`) ?? 0 }));
  return { regex, match: (text, onlyNamed) => matchWith(regex, captures, text, onlyNamed) };
}

function matchWith(regex: RegExp, captures: readonly Capture[], text: string, onlyNamed: boolean) {
  const found = regex.exec(text);
  if (found === null) return undefined;
  const names: string[] = [];
  const values: Value[] = [];
  for (const { field, group, isUnnamed, convert } of captures) {
    if (onlyNamed && isUnnamed) continue;
    const value = found[group];
    // The first of several groups with the same name wins.
    if (value === undefined || names.includes(field)) continue;
    names.push(field);
    values.push(convert(unquoted(value)));
  }
  return new MatchResult(true, names, values);
}

function converterOf(type: string): (text: string) => Value {
  const [kind = '', ...rest] = type.split(';');
  const pattern = rest.join(';');
  switch (kind.trim().toLowerCase()) {
    case '':
    case 'string':
    case 'text':
      return (text) => text;
    case 'byte':
    case 'short':
    case 'int':
    case 'integer':
    case 'long':
      return (text) =>
        /^[+-]?\d{1,19}$/.test(text) ? longOf(BigInt(text.replace('+', ''))) : integerOf(text);
    case 'float':
    case 'double':
      return (text) => (text.trim() === '' || Number.isNaN(Number(text)) ? text : boxDouble(Number(text)));
    case 'boolean':
      return (text) => text.toLowerCase() === 'true';
    case 'date':
    case 'datetime':
      return (text) =>
        parseJodaDate(text, pattern === '' ? "yyyy-MM-dd'T'HH:mm:ss.SSSZZ" : pattern, {}) ?? text;
    default:
      throw new PatternError(
        `there is no grok type ${kind}; use int, long, float, double, boolean or date`,
        1,
      );
  }
}

function integerOf(text: string): Value {
  const number = Number(text);
  return text.trim() === '' || Number.isNaN(number) ? text : truncated(number);
}

/** Compiled patterns, for as long as the named patterns stay the same. */
export function createGrokCache(patterns: ReadonlyMap<string, string>): (pattern: string) => CompiledGrok {
  const cache = new BoundedMap<string, CompiledGrok>({ maxEntries: 1000 });
  return (pattern) => {
    let compiled = cache.get(pattern);
    if (compiled === undefined) {
      compiled = compileGrok(pattern, patterns);
      if (pattern.length <= MAX_REMEMBERED_LENGTH) cache.set(pattern, compiled);
    }
    return compiled;
  };
}
