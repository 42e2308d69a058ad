/** `[a TO b]`, `{a TO b}` and `>=a`. */
import type { FieldTarget, RangeEnd, TextSpan, ValueMatch } from './ast.ts';
import { asPhrase, withoutEscapes } from './escapes.ts';
import { type Problems, quoted, quotesFor, runAround } from './problems.ts';
import type { Part } from './tree.ts';

const FORM = 'Write [a TO b] to include the ends, {a TO b} to exclude them, and * for an open end.';

/** `anything`: both ends are open. */
export function readRange(
  part: Part,
  field: FieldTarget,
  problems: Problems,
): ValueMatch | 'anything' | undefined {
  const raw = problems.text.slice(part.from, part.to);
  const unclosedPhrase = part.children.find((child) => child.name === 'UnclosedPhrase');
  const close = part.children.find((child) => child.name === 'RangeClose');
  if (unclosedPhrase !== undefined) {
    problems.error(unclosedPhrase, `The quote in the range ${quoted(raw)} is not closed.`, {
      suggestion: FORM,
    });
    return undefined;
  }
  if (close === undefined) {
    problems.error(part, `The range ${quoted(raw)} is not closed.`, {
      suggestion: `${FORM} If the bracket is part of the text, put it in quotes or write a backslash before it.`,
      edit: field === undefined ? undefined : unclosedRangeEdit(part, problems.text),
    });
    return undefined;
  }
  if (field === undefined) {
    problems.error(part, `The range ${quoted(raw)} has no field.`, {
      suggestion: 'Write field:[a TO b]. If the brackets are part of the text, put it in quotes.',
      edit: raw.includes('"') ? undefined : { ...span(part), insert: `"${raw.replaceAll('\\', '\\\\')}"` },
    });
    return undefined;
  }
  const [lowerPart, to, upperPart, ...more] = part.children.slice(1, -1);
  if (lowerPart === undefined || to?.name !== 'To' || upperPart === undefined || more.length > 0) {
    reportInvalidRange(part, raw, problems);
    return undefined;
  }
  const lower = readEnd(lowerPart, raw.startsWith('['), problems.text);
  const upper = readEnd(upperPart, raw.endsWith(']'), problems.text);
  if (lower === undefined && upper === undefined) return 'anything';
  if (isBackwards(lower, upper)) {
    const end = (end: Part) => problems.text.slice(end.from, end.to);
    problems.warning(part, `The range ${quoted(raw)} starts after its end and matches nothing.`, {
      suggestion: 'Write the smaller value first.',
      edit: { ...span(part), insert: `${raw[0]}${end(upperPart)} TO ${end(lowerPart)}${raw.at(-1)}` },
    });
  }
  return { type: 'range', lower, upper };
}

function span({ from, to }: TextSpan): TextSpan {
  return { from, to };
}

function readEnd(part: Part, inclusive: boolean, text: string): RangeEnd | undefined {
  const raw = text.slice(part.from, part.to);
  if (raw === '*') return undefined;
  return { text: withoutEscapes(part.name === 'Phrase' ? raw.slice(1, -1) : raw), inclusive };
}

function isBackwards(lower: RangeEnd | undefined, upper: RangeEnd | undefined): boolean {
  if (lower === undefined || upper === undefined || lower.text === '' || upper.text === '') return false;
  return Number(lower.text) > Number(upper.text);
}

/** For `[a TO b` without a bracket: adds it after the upper end. */
function unclosedRangeEdit(part: Part, text: string) {
  const [open, lower, to, upper] = part.children;
  if (open === undefined || lower === undefined || to?.name !== 'To' || upper === undefined) return undefined;
  const close = text[open.from] === '{' ? '}' : ']';
  return { from: upper.to, to: upper.to, insert: close };
}

function reportInvalidRange(part: Part, raw: string, problems: Problems): void {
  const ends = intendedEnds(part.children.slice(1, -1), problems.text);
  problems.error(part, `${quoted(raw)} is not a range.`, {
    suggestion: `${FORM} Put an end with spaces in quotes.`,
    edit: ends === undefined ? undefined : { ...span(part), insert: `${raw[0]}${ends}${raw.at(-1)}` },
  });
}

/** Corrects `[1 5]`, `[1 to 5]` and `[2020-01-01 12:00 TO now]`. */
function intendedEnds(words: readonly Part[], text: string): string | undefined {
  if (words.some((word) => word.name === 'Phrase' || word.name === 'StrayBackslash')) return undefined;
  const textOf = (part: Part) => text.slice(part.from, part.to);
  const side = (parts: readonly Part[]) =>
    parts.length === 1
      ? textOf(parts[0] as Part)
      : asPhrase(parts.map((part) => withoutEscapes(textOf(part))).join(' '));
  const [first, second] = words;
  if (words.length === 2 && first?.name === 'RangeTerm' && second?.name === 'RangeTerm')
    return `${textOf(first)} TO ${textOf(second)}`;
  const isTo = (part: Part) => /^(to|-|\.\.)$/i.test(textOf(part));
  const to = words.findIndex(isTo);
  if (to < 1 || to === words.length - 1 || words.filter(isTo).length > 1) return undefined;
  return `${side(words.slice(0, to))} TO ${side(words.slice(to + 1))}`;
}

export function readComparison(part: Part, field: FieldTarget, problems: Problems): ValueMatch | undefined {
  const [operatorPart, valuePart] = part.children;
  const operator = operatorPart === undefined ? '' : problems.text.slice(operatorPart.from, operatorPart.to);
  const raw = valuePart === undefined ? '' : problems.text.slice(valuePart.from, valuePart.to);
  if (valuePart?.name === 'UnclosedPhrase') {
    problems.error(valuePart, `The quote before ${quoted(raw.slice(1))} is not closed.`, {
      suggestion: 'Put a " at the end of the value.',
    });
    return undefined;
  }
  const text = withoutEscapes(valuePart?.name === 'Phrase' ? raw.slice(1, -1) : raw);
  if (field === undefined) {
    if (!problems.acceptsError(part)) return undefined;
    const run = runAround(problems.text, part.from);
    problems.error(part, `${quoted(operator)} has no field before it to compare.`, {
      suggestion: `Write field:${operator}value, or put the text in quotes.`,
      edit: quotesFor(problems.text, { from: run.from, to: Math.max(run.to, part.to) }),
    });
    problems.ignoreFurther(run);
    return undefined;
  }
  const isOperator = valuePart?.name === 'Bound' && /^(AND|OR|NOT|&&|\|\|)$/.test(raw);
  if (text === '' || isOperator || raw === '*') {
    problems.error(part, `There is no value after ${quoted(operator)}.`, {
      suggestion: `Write a value, for example ${typeof field === 'string' ? field : 'field'}:${operator}5.`,
    });
    return undefined;
  }
  const end: RangeEnd = { text, inclusive: operator.endsWith('=') };
  return operator.startsWith('>')
    ? { type: 'range', lower: end, upper: undefined }
    : { type: 'range', lower: undefined, upper: end };
}
