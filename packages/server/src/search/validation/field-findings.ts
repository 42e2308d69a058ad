/** What is odd about the fields of a query, beside those that messages have. */
import { asTerm, fieldReferences, forEachClause, type QueryNode, type TextSpan } from '@millrace/query';
import { closest, distance } from 'fastest-levenshtein';
import type { Finding } from './explanations.ts';

/** More of one kind say nothing new. */
const MAX_FINDINGS = 20;
/** A longer name is no slip of the pen, and comparing it takes long. */
export const MAX_COMPARED_LENGTH = 100;
/** Names that are compared for one query, some microseconds each: every search does so, on the main thread. */
const MAX_COMPARISONS = 10_000;

/** A field nobody has sent is no error: it may come. But it is mostly a slip of the pen for one of the `nameable`. */
export function unknownFieldFindings(
  text: string,
  known: readonly string[],
  nameable: readonly string[] = known,
): Finding[] {
  const isKnown = new Set(known);
  const unknown = new Map<string, TextSpan>();
  for (const { name, at } of fieldReferences(text)) {
    if (!isKnown.has(name) && !unknown.has(name)) unknown.set(name, at);
  }
  const similarTo = createNameComparison(nameable);
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
          ? { suggestion: 'It may come; until then only NOT of it finds anything.' }
          : {
              suggestion: `Did you mean ${similar}?`,
              replacement: text.slice(0, at.from) + asTerm(similar) + text.slice(at.to),
            }),
      },
    };
  });
}

/** Finds the field that was meant, as far as one can tell without looking at too many. */
function createNameComparison(known: readonly string[]): (name: string) => string | undefined {
  let comparisons = 0;
  return (name) => {
    if (name.length > MAX_COMPARED_LENGTH) return undefined;
    const lower = name.toLowerCase();
    const inOtherCase = known.find((field) => field.toLowerCase() === lower);
    if (inOtherCase !== undefined) return inOtherCase;
    const slips = slipsIn(name);
    const candidates = known.filter((field) => Math.abs(field.length - name.length) <= slips);
    comparisons += candidates.length;
    if (candidates.length === 0 || comparisons > MAX_COMPARISONS) return undefined;
    const similar = closest(name, candidates);
    return distance(name, similar) <= slips ? similar : undefined;
  };
}

/** How many letters may differ: two letters that changed places count as two. */
export function slipsIn(name: string): number {
  return name.length < 5 ? 1 : Math.ceil(name.length / 3);
}

/** A word for a field that only ever held numbers. */
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
        message: `The field ${field} holds numbers, and ${JSON.stringify(match.text)} is none.`,
        at,
        suggestion: `Write a number, or a range like ${asTerm(field)}:>=5.`,
      },
    });
  });
  return findings;
}

/** `level=3` is a text to look for, where `level:3` was meant. */
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
        message: `${JSON.stringify(match.text)} is searched as text; the field ${name} is not compared.`,
        at,
        suggestion: `Write ${written} for the field, or put the text in quotes.`,
        replacement: text.slice(0, at.from) + written + text.slice(at.to),
      },
    });
  });
  return findings;
}
