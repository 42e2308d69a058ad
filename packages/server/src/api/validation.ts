import type { z } from 'zod';
import { type ConfigurationProblem, InvalidError } from '#core/index.ts';

/**
 * Checks one part of a request against its schema. Problems tell users what to fix: where it is, what was expected and
 * what was sent.
 */

export type RequestPart = 'path' | 'query' | 'body';

export interface RequestProblem extends ConfigurationProblem {
  readonly part: RequestPart;
}

/** In the message more would hide the first ones. */
const MAX_PROBLEMS_IN_MESSAGE = 20;
const MAX_PROBLEMS = 200;
const MAX_VALUE_LENGTH = 80;
const SECRET_NAME = /pass|secret|token|credential|session|authorization/i;

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

/** The parsed value, or undefined with the problems added to `problems`. */
export function parsePart(
  schema: z.ZodType,
  value: unknown,
  part: RequestPart,
  problems: RequestProblem[],
): unknown {
  const result = schema.safeParse(value, PARSE_OPTIONS);
  if (result.success) return result.data;
  problems.push(...problemsOf(result.error.issues, part));
  return undefined;
}

export function invalidRequest(problems: readonly RequestProblem[]): InvalidError {
  const shown = problems.slice(0, MAX_PROBLEMS_IN_MESSAGE);
  const hidden = problems.length - shown.length;
  const text = shown.map(problemText).join('; ') + (hidden > 0 ? `; and ${hidden} more problems` : '');
  return new InvalidError(text, {
    problems: problems.slice(0, MAX_PROBLEMS).map(({ path, message }) => ({ path, message })),
  });
}

export function problemText({ part, path, message }: RequestProblem): string {
  if (part !== 'body') return `${part} parameter ${path}: ${message}`;
  const separator = path === '' || path.startsWith('[') ? '' : '.';
  return `body${separator}${path}: ${message}`;
}

export function problemsOf(issues: readonly z.core.$ZodIssue[], part: RequestPart): RequestProblem[] {
  return singleIssues(issues).map(({ path, message }) => ({ part, path: pathText(path), message }));
}

/** One thing that does not fit. */
export interface SingleIssue {
  readonly path: readonly PropertyKey[];
  readonly issue: z.core.$ZodIssue;
  readonly message: string;
}

/** The issues with those of unions resolved: of a union only the closest alternative is explained. */
export function singleIssues(
  issues: readonly z.core.$ZodIssue[],
  prefix: readonly PropertyKey[] = [],
): SingleIssue[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    return issue.code === 'invalid_union' && issue.errors.length > 0
      ? issuesOfUnion(issue, path)
      : { path, issue, message: issue.message };
  });
}

function issuesOfUnion(
  union: Extract<z.core.$ZodIssue, { code: 'invalid_union' }>,
  path: readonly PropertyKey[],
): SingleIssue | SingleIssue[] {
  const isOtherType = (issues: readonly z.core.$ZodIssue[]) =>
    issues.some((inner) => inner.code === 'invalid_type' && inner.path.length === 0);
  const sameType = union.errors.filter((issues) => !isOtherType(issues));
  const unknown = unknownValue(sameType, path);
  if (unknown !== undefined) return unknown;
  const nearest = sameType.toSorted((a, b) => a.length - b.length)[0];
  if (nearest !== undefined) return singleIssues(nearest, path);
  const inner = union.errors.flat();
  const types = new Set(
    inner.map((each) => (each.code === 'invalid_type' ? expectedType(each) : 'another value')),
  );
  return { path, issue: inner[0] ?? union, message: `expected ${[...types].join(' or ')}` };
}

/** For a value that no alternative has, such as that of `type`: those of all alternatives. */
function unknownValue(
  alternatives: readonly (readonly z.core.$ZodIssue[])[],
  prefix: readonly PropertyKey[],
): SingleIssue | undefined {
  const wrongValues = alternatives.map((issues) => issues.filter((each) => each.code === 'invalid_value'));
  for (const issue of wrongValues[0] ?? []) {
    const same = wrongValues.flatMap(
      (issues) => issues.find((each) => pathText(each.path) === pathText(issue.path)) ?? [],
    );
    if (same.length < 2 || same.length < alternatives.length) continue;
    const values = new Set(same.flatMap((each) => each.values));
    const path = [...prefix, ...issue.path];
    return { path, issue, message: `expected ${oneOf([...values])}${received(issue.input, path)}` };
  }
  return undefined;
}

/** As clients find it again in what they sent: `rules[0].field`. */
function pathText(path: readonly PropertyKey[]): string {
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else text += text === '' ? String(key) : `.${String(key)}`;
  }
  return text;
}

export const PARSE_OPTIONS = { error: describeIssue, reportInput: true };

/** Messages written in a schema win over these. */
function describeIssue(issue: RawIssue): string {
  const got = received(issue.input, issue.path ?? []);
  switch (issue.code) {
    case 'invalid_type':
      return `${issue.input === undefined ? 'missing, ' : ''}expected ${expectedType(issue)}${got}`;
    case 'invalid_value':
      return `expected ${oneOf(issue.values)}${got}`;
    case 'too_big':
      return `expected ${bound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)}${got}`;
    case 'too_small':
      return `expected ${bound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)}${got}`;
    case 'invalid_format':
      return `expected ${issue.format === 'regex' ? `text that matches ${issue.pattern}` : issue.format}${got}`;
    case 'not_multiple_of':
      return `expected a multiple of ${issue.divisor}${got}`;
    case 'unrecognized_keys':
      knownBesides.set(
        issue.keys,
        Object.keys((issue.inst as z.ZodObject | undefined)?._zod?.def?.shape ?? {}),
      );
      return `unknown ${issue.keys.length > 1 ? 'properties' : 'property'} ${quoted(issue.keys)}; ${knownText(issue.keys)}`;
    case 'invalid_union':
      return discriminatorProblem(issue, got);
    default:
      return `not a valid value${got}`;
  }
}

/** Of whole numbers the parser says so only for a number with decimals: for the text "1.5" it expects any number. */
function expectedType({
  expected,
  inst,
}: Pick<RawIssue & { code: 'invalid_type' }, 'expected' | 'inst'>): string {
  const isWholeNumber =
    expected === 'int' || (expected === 'number' && (inst as z.ZodNumber | undefined)?.isInt);
  return isWholeNumber ? 'a whole number' : expected;
}

function discriminatorProblem(issue: RawIssue & { code: 'invalid_union' }, got: string): string {
  const options: unknown = 'options' in issue ? issue.options : undefined;
  if (!Array.isArray(options)) return `does not match any of the alternatives${got}`;
  // The input is the whole object.
  const name = String(issue.discriminator);
  const value = (issue.input as Readonly<Record<string, unknown>> | undefined)?.[name];
  return `expected ${oneOf(options)}${received(value, [...(issue.path ?? []), name])}`;
}

function bound(origin: string, relation: string, limit: number | bigint): string {
  if (origin === 'string') return `${relation} ${limit} characters`;
  if (origin === 'array' || origin === 'set') return `${relation} ${limit} elements`;
  return `${origin === 'int' ? 'a whole number' : 'a number'} of ${relation} ${limit}`;
}

function oneOf(values: readonly unknown[]): string {
  const texts = values.map((value) => (typeof value === 'string' ? JSON.stringify(value) : String(value)));
  return texts.length === 1 ? String(texts[0]) : `one of ${texts.join(', ')}`;
}

/** By the unknown keys of an issue, which has no reference to its schema any more when the parser returns it. */
const knownBesides = new WeakMap<readonly string[], readonly string[]>();

/** The properties that an object may have, by the unknown ones it had. */
export function knownProperties(unknown: readonly string[]): readonly string[] {
  return knownBesides.get(unknown) ?? [];
}

function knownText(unknown: readonly string[]): string {
  const names = knownProperties(unknown);
  return names.length === 0 ? 'no properties are known here' : `known properties: ${quoted(names)}`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => shortened(JSON.stringify(name))).join(', ');
}

/** The received value, but never a secret: messages end up in logs and screenshots. */
function received(value: unknown, path: readonly PropertyKey[]): string {
  if (value === undefined || path.some((key) => typeof key === 'string' && SECRET_NAME.test(key))) return '';
  if (value === null) return ', got null';
  if (Array.isArray(value)) return ', got an array';
  if (typeof value === 'object') return ', got an object';
  return `, got ${shortened(typeof value === 'string' ? JSON.stringify(value) : String(value))}`;
}

function shortened(text: string): string {
  return text.length <= MAX_VALUE_LENGTH ? text : `${text.slice(0, MAX_VALUE_LENGTH)}…`;
}
