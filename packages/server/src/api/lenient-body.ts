/**
 * Accepts the bodies that clients of Graylog send. Its JSON library ignores properties that it does not know, converts
 * scalars between types, and takes an empty text and null as "not set"; clients rely on it without knowing: they send whole
 * records back, or numbers in quotes.
 *
 * A body that fits its schema is taken as it is. Only one that does not is looked at again: values that can be converted
 * without loss are converted, unknown properties are left out. A property that looks like a misspelt one is still
 * refused, because it would be lost without a word.
 */
import { closest, distance } from 'fastest-levenshtein';
import type { z } from 'zod';
import {
  knownProperties,
  PARSE_OPTIONS,
  problemsOf,
  type RequestProblem,
  singleIssues,
} from './validation.ts';

type Parent = Record<PropertyKey, unknown>;

/** A conversion can uncover a problem below it: of a union, or of an object in an entity. */
const MAX_ROUNDS = 3;
const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;
/** A typing error: letters swapped, missing or doubled. */
const MAX_TYPING_ERRORS = 2;
/** Nobody misspells this many, and comparing each with every known name takes time. */
const MAX_COMPARED = 50;

/**
 * The parsed body, or undefined with the problems added to `problems`. What does not fit is mended in `sent` itself: a
 * copy of a large body would take seconds.
 */
export function parseLenientBody(schema: z.ZodType, sent: unknown, problems: RequestProblem[]): unknown {
  const body = entityOf(sent);
  const first = schema.safeParse(body, PARSE_OPTIONS);
  if (first.success) return first.data;

  let { issues } = first.error;
  for (let round = 0; round < MAX_ROUNDS && mend(body, issues); round++) {
    const again = schema.safeParse(body, PARSE_OPTIONS);
    if (again.success) return again.data;
    issues = again.error.issues;
  }
  const left = problemsOf(issues, 'body');
  const leftPaths = new Set(left.map(({ path }) => path));
  const asSent = problemsOf(first.error.issues, 'body').filter(({ path }) => leftPaths.has(path));
  problems.push(...(asSent.length > 0 ? asSent : left));
  return undefined;
}

/** Newer clients send `{entity, share_request}` where older ones send the entity itself. */
function entityOf(body: unknown): unknown {
  if (!isObject(body) || !isObject(body.entity)) return body;
  const isWrapped = Object.keys(body).every((key) => key === 'entity' || key === 'share_request');
  return isWrapped ? body.entity : body;
}

/** Changes what can be changed in place; false if nothing was. */
function mend(body: unknown, issues: readonly z.core.$ZodIssue[]): boolean {
  let isChanged = false;
  for (const { path, issue } of singleIssues(issues)) {
    if (issue.code === 'unrecognized_keys') {
      const owner = valueAt(body, path);
      const known = issue.keys.length > MAX_COMPARED ? [] : knownProperties(issue.keys);
      for (const key of issue.keys) {
        if (!isObject(owner) || isMisspelt(key, known)) continue;
        delete owner[key];
        isChanged = true;
      }
      continue;
    }
    const name = path.at(-1);
    const parent = valueAt(body, path.slice(0, -1));
    if (name === undefined || name === '__proto__' || !isContainer(parent)) continue;
    isChanged = mendValue(parent, name, issue) || isChanged;
  }
  return isChanged;
}

function mendValue(parent: Parent, name: PropertyKey, issue: z.core.$ZodIssue): boolean {
  if (!Object.hasOwn(parent, name)) return false;
  const value = parent[name];
  if ((value === '' || value === null) && !Array.isArray(parent)) {
    delete parent[name];
    return true;
  }
  if (issue.code !== 'invalid_type') return false;
  const converted = convert(value, issue.expected);
  if (converted === undefined) return false;
  parent[name] = converted;
  return true;
}

/** Python writes them with a capital. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map(
  ['true', 'True', 'TRUE', 'false', 'False', 'FALSE'].map((text) => [text, text.toLowerCase() === 'true']),
);

function convert(value: unknown, expected: string): unknown {
  if (expected === 'string' && (isExact(value) || typeof value === 'boolean')) return String(value);
  if (typeof value !== 'string') return undefined;
  if (expected === 'boolean') return BOOLEANS.get(value);
  if ((expected === 'number' || expected === 'int') && NUMBER.test(value)) return Number(value);
  return undefined;
}

/** Of a larger number the digits that were sent are lost, and 1e999 is read as infinite. */
function isExact(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

function isMisspelt(key: string, known: readonly string[]): boolean {
  if (known.length === 0 || key.length > 100) return false;
  const nearest = closest(key, known);
  // Of a short name two letters are most of it.
  return distance(key, nearest) <= Math.min(MAX_TYPING_ERRORS, Math.floor(nearest.length / 4));
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  let value = body;
  for (const key of path) {
    if (!isContainer(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

function isContainer(value: unknown): value is Parent {
  return typeof value === 'object' && value !== null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return isContainer(value) && !Array.isArray(value);
}
