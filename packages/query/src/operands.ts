/** Reads one operand of a query: a term, a phrase or a range, with or without a `field:` before it. */
import type { FieldTarget, QueryNode, TextSpan, ValueMatch, WildcardPart } from './ast.ts';
import { withoutEscapes } from './escapes.ts';
import { MAX_REGEX_SIZE, MAX_SLOP } from './limits.ts';
import { ALL, negated } from './nodes.ts';
import { type Problems, quoted, quotesFor, runAround, without } from './problems.ts';
import { readComparison, readRange } from './ranges.ts';
import { checkRegex } from './regex.ts';
import type { Part } from './tree.ts';

/** `~` and `^` after an operand. */
export interface Modifiers {
  readonly fuzzy: Part | undefined;
  readonly boost: Part | undefined;
}

export interface Reading {
  readonly problems: Problems;
  /** The `field:` before the enclosing brackets. */
  readonly field: FieldTarget;
  /** Adds the size of a regular expression. Returns the total size so far. */
  addRegex(size: number): number;
  /** Reads the contents of brackets for a field. */
  group(part: Part, field: FieldTarget): QueryNode | undefined;
}

/** Undefined after an error. */
export function readOperand(part: Part, modifiers: Modifiers, reading: Reading): QueryNode | undefined {
  const { problems, field } = reading;
  warnAboutBoost(modifiers.boost, problems);
  if (part.name !== 'Fielded') return readValue(part, part, field, modifiers, reading);
  const [head, value] = part.children;
  const name = head === undefined ? undefined : fieldName(head, value, problems);
  if (head === undefined || name === undefined) return undefined;
  if (value === undefined && problems.text[head.to] === ':') {
    reportStrayColon({ from: head.to, to: head.to + 1 }, problems);
    return undefined;
  }
  if (value === undefined) {
    problems.error(head, `The field ${quoted(name.raw)} has no value.`, {
      suggestion: `Write the value after the colon, or ${problems.text.slice(head.from, head.to)}* for all messages that have the field.`,
      edit: {
        from: head.to,
        to: head.to,
        insert: /^[\s)]|^$/.test(problems.text.slice(head.to, head.to + 1)) ? '*' : '* ',
      },
    });
    return undefined;
  }
  return readValue(value, part, name.field, modifiers, reading);
}

/** A colon without a field: usually part of an address, a time or a URL. */
export function reportStrayColon(at: TextSpan, problems: Problems): void {
  if (!problems.acceptsError(at)) return;
  const { text } = problems;
  const run = runAround(text, at.from);
  problems.error(at, `The ":" in ${quoted(text.slice(run.from, run.to))} has no field before it.`, {
    suggestion: 'Put the text in quotes, or write a backslash before the colon.',
    edit: quotesFor(text, run),
  });
  problems.ignoreFurther(run);
}

/** `*:` means no field. Undefined after an error. */
function fieldName(
  head: Part,
  value: Part | undefined,
  problems: Problems,
): { field: FieldTarget; raw: string } | undefined {
  const name = head.children[0];
  if (name === undefined) return undefined;
  const raw = problems.text.slice(name.from, name.to);
  if (name.name === 'Wildcard') return { field: isAnything(raw) ? undefined : wildcardParts(raw), raw };
  if (/^\d+$/.test(raw) && value !== undefined && problems.acceptsError(head)) {
    const run = runAround(problems.text, head.from);
    problems.warning(name, `${quoted(raw)} before the colon is interpreted as the name of a field.`, {
      suggestion: 'If it is a time or an address, put the whole text in quotes.',
      edit: quotesFor(problems.text, run),
    });
  }
  const field = withoutEscapes(raw);
  return { field, raw: field };
}

function warnAboutBoost(boost: Part | undefined, problems: Problems): void {
  if (boost === undefined) return;
  problems.warning(
    boost,
    `${quoted(problems.text.slice(boost.from, boost.to))} has no effect, because messages are not ranked.`,
    {
      suggestion: 'Remove it.',
      edit: without(boost, problems.text),
    },
  );
}

function readValue(
  part: Part,
  clause: Part,
  field: FieldTarget,
  modifiers: Modifiers,
  reading: Reading,
): QueryNode | undefined {
  const { problems } = reading;
  if (part.name === 'Group') {
    if (modifiers.fuzzy !== undefined) reportUnsupportedFuzzy(modifiers.fuzzy, 'brackets', problems);
    return reading.group(part, field);
  }
  if (field === '_exists_' || field === '_missing_') return readExists(part, clause, field, problems);
  const at: TextSpan = { from: clause.from, to: clause.to };
  const match = readMatch(part, field, modifiers.fuzzy, reading);
  if (match === undefined) return undefined;
  if (typeof field === 'object') {
    return { type: 'some-field', pattern: field, match: match === 'anything' ? undefined : match, at };
  }
  if (match !== 'anything') return { type: 'match', field, match, at };
  return field === undefined ? ALL : { type: 'exists', field, at };
}

/** `_exists_:name`, and its opposite `_missing_:name` from Graylog 2. */
function readExists(part: Part, clause: Part, how: string, problems: Problems): QueryNode | undefined {
  const raw = problems.text.slice(part.from, part.to);
  const isName = part.name === 'Term' || part.name === 'SignedTerm' || part.name === 'Phrase';
  const name = withoutEscapes(part.name === 'Phrase' ? raw.slice(1, -1) : raw);
  if (part.name === 'Wildcard' && isAnything(raw)) return how === '_exists_' ? ALL : negated(ALL);
  const isPattern = part.name === 'Wildcard';
  if ((!isName && !isPattern) || name === '') {
    problems.error(part, `${quoted(raw)} is not a field name.`, {
      suggestion: `Write ${how}: followed by a name, which may contain * and ?.`,
    });
    return undefined;
  }
  const at: TextSpan = { from: clause.from, to: clause.to };
  const exists: QueryNode = isPattern
    ? { type: 'some-field', pattern: wildcardParts(raw), match: undefined, at }
    : { type: 'exists', field: name, at };
  if (how === '_exists_') return exists;
  problems.warning(clause, '"_missing_" is deprecated.', {
    suggestion: `Write NOT _exists_:${raw}.`,
    edit: { from: clause.from, to: clause.to, insert: `(NOT _exists_:${raw})` },
  });
  return negated(exists);
}

/** `anything`: any value matches. */
function readMatch(
  part: Part,
  field: FieldTarget,
  fuzzy: Part | undefined,
  reading: Reading,
): ValueMatch | 'anything' | undefined {
  const { problems } = reading;
  const raw = problems.text.slice(part.from, part.to);
  switch (part.name) {
    case 'Term':
    case 'SignedTerm':
      return readTerm(part, raw, field, fuzzy, problems);
    case 'Phrase':
      return readPhrase(part, withoutEscapes(raw.slice(1, -1)), field, fuzzy, problems);
    case 'UnclosedPhrase':
      reportUnclosedPhrase(part, raw, problems);
      return undefined;
    case 'Wildcard':
      if (fuzzy !== undefined) reportUnsupportedFuzzy(fuzzy, 'a term with wildcards', problems);
      return readWildcard(raw);
    case 'Regex':
      if (fuzzy !== undefined) reportUnsupportedFuzzy(fuzzy, 'a regular expression', problems);
      return readRegex(part, raw, reading);
    case 'UnclosedRegex':
      if (!problems.acceptsError(part)) return undefined;
      problems.error(part, `The regular expression ${quoted(raw)} has no "/" at its end.`, {
        suggestion: 'Close it with "/". If it is a path, put the text in quotes.',
        edit: quotesFor(problems.text, runAround(problems.text, part.from)),
      });
      problems.ignoreFurther(runAround(problems.text, part.from));
      return undefined;
    default:
      if (fuzzy !== undefined) reportUnsupportedFuzzy(fuzzy, 'a range', problems);
      return part.name === 'Range' ? readRange(part, field, problems) : readComparison(part, field, problems);
  }
}

/** `status>=400` and `a||b` are single words, which is rarely intended. */
const COMPARISON_IN_WORD = /^([\p{L}_][\p{L}\p{N}_.]*)([<>]=?)(-?\d+(?:\.\d+)?)$/u;
const OPERATOR_IN_WORD = /^([^|&\\]+)(\|\||&&)([^|&\\]+)$/;

function readTerm(
  part: Part,
  raw: string,
  field: FieldTarget,
  fuzzy: Part | undefined,
  problems: Problems,
): ValueMatch | undefined {
  const text = withoutEscapes(raw);
  const comparison = COMPARISON_IN_WORD.exec(raw);
  const operator = OPERATOR_IN_WORD.exec(raw);
  if (comparison !== null && field === undefined) {
    const insert = `${comparison[1]}:${comparison[2]}${comparison[3]}`;
    problems.warning(part, `${quoted(raw)} is searched as text, not compared.`, {
      suggestion: `Write ${insert} to compare the field, or put the text in quotes.`,
      edit: { from: part.from, to: part.to, insert },
    });
  } else if (operator !== null) {
    const insert = `${operator[1]} ${operator[2]} ${operator[3]}`;
    problems.warning(part, `${quoted(raw)} is a single word: ${operator[2]} needs spaces around it.`, {
      suggestion: `Write ${insert}, or put the text in quotes.`,
      edit: { from: part.from, to: part.to, insert: field === undefined ? insert : `(${insert})` },
    });
  }
  if (fuzzy === undefined) return { type: 'term', text };
  const distance = fuzzyDistance(fuzzy, text, problems);
  return distance === undefined ? undefined : { type: 'fuzzy', text, distance };
}

function fuzzyDistance(fuzzy: Part, text: string, problems: Problems): 0 | 1 | 2 | undefined {
  const raw = problems.text.slice(fuzzy.from, fuzzy.to);
  if (raw === '~') return 2;
  const number = Number(raw.slice(1));
  if (number === 0 || number === 1 || number === 2) return number;
  if (number < 1) {
    // Lucene before 4 used a similarity from 0 to 1; the distance depends on the length of the word.
    const distance = Math.min(2, Math.trunc((1 - number) * [...text].length)) as 0 | 1 | 2;
    problems.warning(fuzzy, `${quoted(raw)} is interpreted as a distance of ${distance}.`, {
      suggestion: `Write ~${distance}, the number of letters that may differ.`,
      edit: { from: fuzzy.from, to: fuzzy.to, insert: `~${distance}` },
    });
    return distance;
  }
  problems.error(fuzzy, `${quoted(raw)}: a fuzzy term may differ by 0, 1 or 2 letters.`, {
    suggestion: 'Write ~1 or ~2.',
    edit: { from: fuzzy.from, to: fuzzy.to, insert: number < 2 ? '~1' : '~2' },
  });
  return undefined;
}

function reportUnsupportedFuzzy(fuzzy: Part, what: string, problems: Problems): void {
  problems.error(fuzzy, `"~" after ${what} is not supported; it works only with words and phrases.`, {
    suggestion: 'Remove it.',
    edit: without(fuzzy, problems.text),
  });
}

function readPhrase(
  part: Part,
  text: string,
  field: FieldTarget,
  fuzzy: Part | undefined,
  problems: Problems,
): ValueMatch | undefined {
  if (text.trim() === '' && field === undefined) {
    problems.error(part, 'The quotes are empty.', {
      suggestion: 'Write the text between them. To find a field with an empty value, write field:"".',
    });
    return undefined;
  }
  const slop = fuzzy === undefined ? 0 : phraseSlop(fuzzy, problems);
  return slop === undefined ? undefined : { type: 'phrase', text, slop };
}

function phraseSlop(fuzzy: Part, problems: Problems): number | undefined {
  const raw = problems.text.slice(fuzzy.from, fuzzy.to);
  const slop = raw === '~' ? 2 : Number(raw.slice(1));
  if (Number.isInteger(slop) && slop <= MAX_SLOP) return slop;
  problems.error(fuzzy, `${quoted(raw)} after a phrase must be a whole number, at most ${MAX_SLOP}.`, {
    suggestion: 'Write "…"~5 to allow 5 words between those of the phrase.',
    edit: { from: fuzzy.from, to: fuzzy.to, insert: `~${Math.min(MAX_SLOP, Math.round(slop))}` },
  });
  return undefined;
}

function reportUnclosedPhrase(part: Part, raw: string, problems: Problems): void {
  const isFinished = raw.length > 1 && !/\\$/.test(raw.replaceAll(/\\./gs, ''));
  problems.error(part, `The quote before ${quoted(raw.slice(1))} is not closed.`, {
    suggestion: 'Put a " at the end of the phrase. Write \\" for a quote in the text.',
    edit: isFinished ? { from: part.to, to: part.to, insert: '"' } : undefined,
  });
}

function readWildcard(raw: string): ValueMatch | 'anything' {
  return isAnything(raw) ? 'anything' : { type: 'wildcard', pattern: wildcardParts(raw) };
}

function isAnything(raw: string): boolean {
  return /^\*+$/.test(raw);
}

function wildcardParts(raw: string): WildcardPart[] {
  const parts: WildcardPart[] = [];
  for (const [piece] of raw.matchAll(/\*+|\?|(?:[^*?\\]|\\.)+/gsu)) {
    if (piece.startsWith('*')) parts.push({ type: 'any' });
    else if (piece === '?') parts.push({ type: 'one' });
    else parts.push({ type: 'text', text: withoutEscapes(piece) });
  }
  return parts;
}

function readRegex(part: Part, raw: string, { problems, addRegex }: Reading): ValueMatch | undefined {
  if (!problems.acceptsError(part)) return undefined;
  const source = raw
    .slice(1, -1)
    .replaceAll(/\\(.)/gs, (pair, character) => (character === '/' ? '/' : pair));
  const { problem, size } = checkRegex(source);
  if (problem === undefined && addRegex(size) <= MAX_REGEX_SIZE) return { type: 'regex', source };
  if (problem === undefined) {
    problems.error(
      part,
      `With ${quoted(raw)} the regular expressions of the query are too large: more than ${MAX_REGEX_SIZE} characters and classes, counting repetitions.`,
      { suggestion: 'Use fewer repetitions ({1000} counts a thousand times), or write + or *.' },
    );
    return undefined;
  }
  problems.error(part, `The regular expression ${quoted(raw)} ${problem.message}`, {
    suggestion: problem.suggestion,
    ...(raw.length === 2 ? { edit: quotesFor(problems.text, runAround(problems.text, part.from)) } : {}),
  });
  return undefined;
}
