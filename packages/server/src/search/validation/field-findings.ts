/** Warnings about fields in a query, from what is known about the fields of messages. */
import { asTerm, fieldReferences, forEachClause, type QueryNode, type TextSpan } from '@millrace/query';
import { closest, distance } from 'fastest-levenshtein';
import type { Finding } from './explanations.ts';

/** Of one type. */
const MAX_FINDINGS = 20;
/** Longer names are not compared: it is slow. */
export const MAX_COMPARED_LENGTH = 100;
/** Comparisons per query, some microseconds each: every search makes them, on the main thread. */
const MAX_COMPARISONS = 10_000;

/**
 * Warns about fields that no message has. Such messages may still arrive, but usually it is a typing error.
 */
export function unknownFieldFindings(text: string, known: readonly string[]): Finding[] {
  const isKnown = new Set(known);
  const unknown = new Map<string, TextSpan>();
  for (const { name, at } of fieldReferences(text)) {
    if (!isKnown.has(name) && !unknown.has(name)) unknown.set(name, at);
  }
  const similarTo = createSimilarNameFinder(known);
  return [...unknown].slice(0, MAX_FINDINGS).map(([name, at]) => {
    const similar = similarTo(name);
    return {
      type: 'UNKNOWN_FIELD',
      field: name,
      problem: {
        severity: 'warning',
        message: `No message has a field ${JSON.stringify(name)}.`,
        at,
        ...(similar === undefined
          ? { suggestion: 'Until a message with this field arrives, only NOT finds anything.' }
          : {
              suggestion: `Did you mean ${similar}?`,
              replacement: text.slice(0, at.from) + asTerm(similar) + text.slice(at.to),
            }),
      },
    };
  });
}

/** Finds the most similar name, within a bounded number of comparisons. */
function createSimilarNameFinder(known: readonly string[]): (name: string) => string | undefined {
  let comparisons = 0;
  return (name) => {
    if (name.length > MAX_COMPARED_LENGTH) return undefined;
    const lower = name.toLowerCase();
    const inOtherCase = known.find((field) => field.toLowerCase() === lower);
    if (inOtherCase !== undefined) return inOtherCase;
    const typos = allowedTypos(name);
    const candidates = known.filter((field) => Math.abs(field.length - name.length) <= typos);
    comparisons += candidates.length;
    if (candidates.length === 0 || comparisons > MAX_COMPARISONS) return undefined;
    const similar = closest(name, candidates);
    return distance(name, similar) <= typos ? similar : undefined;
  };
}

/** How many letters may differ; two swapped letters count as two. */
export function allowedTypos(name: string): number {
  return name.length < 5 ? 1 : Math.ceil(name.length / 3);
}

/** Warns about a text as the value of a field that has only held numbers. */
export function valueTypeFindings(
  query: QueryNode,
  known: ReadonlyMap<string, readonly string[]>,
): Finding[] {
  const findings: Finding[] = [];
  forEachClause(query, (clause) => {
    if (clause.type !== 'match') return;
    const { field, match, at } = clause;
    if (field === undefined || (match.type !== 'term' && match.type !== 'phrase')) return;
    const types = known.get(field) ?? [];
    const isNumber = match.text.trim() !== '' && Number.isFinite(Number(match.text));
    if (findings.length >= MAX_FINDINGS || isNumber || types.length !== 1 || types[0] !== 'number') return;
    findings.push({
      type: 'INVALID_VALUE_TYPE',
      field,
      problem: {
        severity: 'warning',
        message: `The field ${field} holds numbers, and ${JSON.stringify(match.text)} is not a number.`,
        at,
        suggestion: `Write a number, or a range like ${asTerm(field)}:>=5.`,
      },
    });
  });
  return findings;
}

/** Warns about `level=3`, which is a text, where `level:3` was probably meant. */
export function equalsSignFindings(
  text: string,
  query: QueryNode,
  known: ReadonlyMap<string, readonly string[]>,
): Finding[] {
  const findings: Finding[] = [];
  forEachClause(query, (clause) => {
    if (clause.type !== 'match') return;
    const { field, match, at } = clause;
    if (field !== undefined || match.type !== 'term' || findings.length >= MAX_FINDINGS) return;
    const [name = '', value = ''] = match.text.split(/==?(.*)/s);
    if (value === '' || !known.has(name)) return;
    const written = `${asTerm(name)}:${asTerm(value)}`;
    findings.push({
      type: 'QUERY_WARNING',
      field: name,
      problem: {
        severity: 'warning',
        message: `${JSON.stringify(match.text)} is searched as text, not as a value of the field ${name}.`,
        at,
        suggestion: `Write ${written} to search the field, or put the text in quotes.`,
        replacement: text.slice(0, at.from) + written + text.slice(at.to),
      },
    });
  });
  return findings;
}
