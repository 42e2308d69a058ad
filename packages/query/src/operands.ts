/** One operand of a query: what a term, a phrase, a range or a `field:` in front of them finds. */
import type { QueryNode, TextSpan, ValueMatch, WildcardPart } from './ast.ts';
import { withoutEscapes } from './escapes.ts';
import { MAX_REGEX_SIZE, MAX_SLOP } from './limits.ts';
import { ALL, negated } from './nodes.ts';
import { type Problems, quoted, quotesFor, runAround, without } from './problems.ts';
import { readComparison, readRange } from './ranges.ts';
import { checkRegex } from './regex.ts';
import type { Part } from './tree.ts';

/** `~` and `^` behind an operand. */
export interface Modifiers {
  readonly fuzzy: Part | undefined;
  readonly boost: Part | undefined;
}

export interface Reading {
  readonly problems: Problems;
  /** The `field:` in front of the brackets we are in. */
  readonly field: string | undefined;
  /** How large all regular expressions so far are, with one more of this size. */
  addRegex(size: number): number;
  /** What brackets hold, read for a field. */
  group(part: Part, field: string | undefined): QueryNode | undefined;
}

/** Undefined when a problem has been told. */
export function readOperand(part: Part, modifiers: Modifiers, reading: Reading): QueryNode | undefined {
  const { problems, field } = reading;
  warnOfBoost(modifiers.boost, problems);
  if (part.name !== 'Fielded') return readValue(part, part, field, modifiers, reading);
  const [head, value] = part.children;
  const name = head === undefined ? undefined : fieldName(head, value, problems);
  if (head === undefined || name === undefined) return undefined;
  if (value === undefined && problems.text[head.to] === ':') {
    refuseColon({ from: head.to, to: head.to + 1 }, problems);
    return undefined;
  }
  if (value === undefined) {
    problems.error(head, `The field ${quoted(name.field ?? '*')} has no value.`, {
      suggestion: `Write the value behind the colon, or ${problems.text.slice(head.from, head.to)}* for all messages that have the field.`,
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

/** A colon with no field in front of it: an address, a time, a whole URL that is meant as text. */
export function refuseColon(at: TextSpan, problems: Problems): void {
  if (!problems.wantsError(at)) return;
  const { text } = problems;
  const run = runAround(text, at.from);
  problems.error(at, `The ":" in ${quoted(text.slice(run.from, run.to))} has no field in front of it.`, {
    suggestion: 'Put the text in quotes, or a backslash in front of the colon.',
    edit: quotesFor(text, run),
  });
  problems.done(run);
}

/** `*:` stands for no field. Undefined when there is a problem with the name. */
function fieldName(
  head: Part,
  value: Part | undefined,
  problems: Problems,
): { field: string | undefined } | undefined {
  const name = head.children[0];
  if (name === undefined) return undefined;
  const raw = problems.text.slice(name.from, name.to);
  if (name.name === 'Wildcard') {
    if (raw === '*') return { field: undefined };
    problems.error(
      name,
      `The field name ${quoted(raw)} has a wildcard; fields are searched by their whole name.`,
      {
        suggestion: `Write one name, several with OR, or the value without a field to search them all.`,
      },
    );
    return undefined;
  }
  if (/^\d+$/.test(raw) && value !== undefined && problems.wantsError(head)) {
    const run = runAround(problems.text, head.from);
    problems.warning(name, `${quoted(raw)} in front of the colon is taken as the name of a field.`, {
      suggestion: 'Put the whole text in quotes if it is a time or an address.',
      edit: quotesFor(problems.text, run),
    });
  }
  return { field: withoutEscapes(raw) };
}

function warnOfBoost(boost: Part | undefined, problems: Problems): void {
  if (boost === undefined) return;
  problems.warning(
    boost,
    `${quoted(problems.text.slice(boost.from, boost.to))} does nothing: messages are not ranked.`,
    {
      suggestion: 'Leave it out.',
      edit: without(boost, problems.text),
    },
  );
}

function readValue(
  part: Part,
  clause: Part,
  field: string | undefined,
  modifiers: Modifiers,
  reading: Reading,
): QueryNode | undefined {
  const { problems } = reading;
  if (part.name === 'Group') {
    if (modifiers.fuzzy !== undefined) refuseFuzzy(modifiers.fuzzy, 'brackets', problems);
    return reading.group(part, field);
  }
  if (field === '_exists_' || field === '_missing_') return readExists(part, clause, field, problems);
  const at: TextSpan = { from: clause.from, to: clause.to };
  const match = readMatch(part, field, modifiers.fuzzy, reading);
  if (match === undefined) return undefined;
  if (match !== 'anything') return { type: 'match', field, match, at };
  return field === undefined ? ALL : { type: 'exists', field, at };
}

/** `_exists_:name`; `_missing_:name` is what Graylog 2 had for its opposite. */
function readExists(part: Part, clause: Part, how: string, problems: Problems): QueryNode | undefined {
  const raw = problems.text.slice(part.from, part.to);
  const isName = part.name === 'Term' || part.name === 'SignedTerm' || part.name === 'Phrase';
  const name = withoutEscapes(part.name === 'Phrase' ? raw.slice(1, -1) : raw);
  if (!isName || name === '') {
    problems.error(part, `${quoted(raw)} is no field name.`, { suggestion: `Write ${how}: and one name.` });
    return undefined;
  }
  const exists: QueryNode = { type: 'exists', field: name, at: { from: clause.from, to: clause.to } };
  if (how === '_exists_') return exists;
  problems.warning(clause, '"_missing_" is an old way to write it.', {
    suggestion: `Write NOT _exists_:${raw}.`,
    edit: { from: clause.from, to: clause.to, insert: `(NOT _exists_:${raw})` },
  });
  return negated(exists);
}

/** `anything`: the value only has to be there. */
function readMatch(
  part: Part,
  field: string | undefined,
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
      refuseUnclosedPhrase(part, raw, problems);
      return undefined;
    case 'Wildcard':
      if (fuzzy !== undefined) refuseFuzzy(fuzzy, 'a term with wildcards', problems);
      return readWildcard(raw);
    case 'Regex':
      if (fuzzy !== undefined) refuseFuzzy(fuzzy, 'a regular expression', problems);
      return readRegex(part, raw, reading);
    case 'UnclosedRegex':
      if (!problems.wantsError(part)) return undefined;
      problems.error(part, `The regular expression ${quoted(raw)} has no "/" at its end.`, {
        suggestion: 'Close it with "/", or put the text in quotes if it is a path.',
        edit: quotesFor(problems.text, runAround(problems.text, part.from)),
      });
      problems.done(runAround(problems.text, part.from));
      return undefined;
    default:
      if (fuzzy !== undefined) refuseFuzzy(fuzzy, 'a range', problems);
      return part.name === 'Range' ? readRange(part, field, problems) : readComparison(part, field, problems);
  }
}

/** `status>=400` and `a||b` are one word each, which nobody means. */
const COMPARISON_IN_WORD = /^([\p{L}_][\p{L}\p{N}_.]*)([<>]=?)(-?\d+(?:\.\d+)?)$/u;
const OPERATOR_IN_WORD = /^([^|&\\]+)(\|\||&&)([^|&\\]+)$/;

function readTerm(
  part: Part,
  raw: string,
  field: string | undefined,
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
    problems.warning(part, `${quoted(raw)} is one word: ${operator[2]} joins only with spaces around it.`, {
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
    // Lucene before 4: a likeness between 0 and 1, of which the distance follows with the length of the word.
    const distance = Math.min(2, Math.trunc((1 - number) * [...text].length)) as 0 | 1 | 2;
    problems.warning(fuzzy, `${quoted(raw)} is taken as a distance of ${distance}.`, {
      suggestion: `Write ~${distance}: how many letters may differ.`,
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

function refuseFuzzy(fuzzy: Part, what: string, problems: Problems): void {
  problems.error(fuzzy, `"~" stands behind ${what}; it works with words and phrases only.`, {
    suggestion: 'Leave it out.',
    edit: without(fuzzy, problems.text),
  });
}

function readPhrase(
  part: Part,
  text: string,
  field: string | undefined,
  fuzzy: Part | undefined,
  problems: Problems,
): ValueMatch | undefined {
  if (text.trim() === '' && field === undefined) {
    problems.error(part, 'The quotes are empty.', {
      suggestion:
        'Write the text to look for between them; a field with an empty value is found by field:"".',
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
  problems.error(
    fuzzy,
    `${quoted(raw)} behind a phrase must be a whole number of words, at most ${MAX_SLOP}.`,
    {
      suggestion: 'Write "…"~5: how many words may stand between those of the phrase.',
      edit: { from: fuzzy.from, to: fuzzy.to, insert: `~${Math.min(MAX_SLOP, Math.round(slop))}` },
    },
  );
  return undefined;
}

function refuseUnclosedPhrase(part: Part, raw: string, problems: Problems): void {
  const isFinished = raw.length > 1 && !/\\$/.test(raw.replaceAll(/\\./gs, ''));
  problems.error(part, `The quote before ${quoted(raw.slice(1))} is not closed.`, {
    suggestion: 'Put a " at the end of the phrase; a " that is part of the text is written \\".',
    edit: isFinished ? { from: part.to, to: part.to, insert: '"' } : undefined,
  });
}

function readWildcard(raw: string): ValueMatch | 'anything' {
  const pattern: WildcardPart[] = [];
  for (const [piece] of raw.matchAll(/\*+|\?|(?:[^*?\\]|\\.)+/gsu)) {
    if (piece.startsWith('*')) pattern.push({ type: 'any' });
    else if (piece === '?') pattern.push({ type: 'one' });
    else pattern.push({ type: 'text', text: withoutEscapes(piece) });
  }
  return pattern.every((piece) => piece.type === 'any') ? 'anything' : { type: 'wildcard', pattern };
}

function readRegex(part: Part, raw: string, { problems, addRegex }: Reading): ValueMatch | undefined {
  if (!problems.wantsError(part)) return undefined;
  const source = raw
    .slice(1, -1)
    .replaceAll(/\\(.)/gs, (pair, character) => (character === '/' ? '/' : pair));
  const { problem, size } = checkRegex(source);
  if (problem === undefined && addRegex(size) <= MAX_REGEX_SIZE) return { type: 'regex', source };
  if (problem === undefined) {
    problems.error(
      part,
      `With ${quoted(raw)} the regular expressions of the query are too large: more than ${MAX_REGEX_SIZE} characters and classes when they are repeated.`,
      { suggestion: 'Repeat less in them ({1000} counts a thousand times), or write + or *.' },
    );
    return undefined;
  }
  problems.error(part, `The regular expression ${quoted(raw)} ${problem.message}`, {
    suggestion: problem.suggestion,
    ...(raw.length === 2 ? { edit: quotesFor(problems.text, runAround(problems.text, part.from)) } : {}),
  });
  return undefined;
}
