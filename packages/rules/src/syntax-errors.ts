/** Says what is wrong where the parser found something that does not fit. */
import type { TextSpan } from './ast.ts';
import { type Edit, type ProblemDetails, type Problems, quoted } from './problems.ts';
import type { Part } from './tree.ts';

interface Place {
  readonly error: Part;
  readonly parent: Part;
  /** The parts before the error, in the same parent. */
  readonly before: readonly Part[];
  readonly source: string;
}

/** Reports the first error: what the parser finds after it follows from it more often than not. */
export function reportSyntaxErrors(root: Part, source: string, problems: Problems): void {
  const first = firstError(root, source);
  if (first === undefined) return;
  const { error } = first;
  if (UNCLOSED[error.name] !== undefined) reportUnclosed(error, source, problems);
  else {
    const { message, details } = explain(first);
    problems.add('syntax_error', spanOf(first), message, details);
  }
}

function firstError(root: Part, source: string): Place | undefined {
  let first: Place | undefined;
  const stack: Part[] = [root];
  for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
    for (const [index, error] of part.children.entries()) {
      const isWrong = error.isError || UNCLOSED[error.name] !== undefined;
      if (!isWrong || (first !== undefined && first.error.from <= error.from)) continue;
      first = { error, parent: part, before: part.children.slice(0, index), source };
    }
    // One by one: there may be more than a call has room for.
    for (const child of part.children) stack.push(child);
  }
  return first;
}

const UNCLOSED: Readonly<Record<string, { readonly message: string; readonly insert: string }>> = {
  UnclosedString: { message: 'The text has no closing quote.', insert: '"' },
  UnclosedChar: { message: 'Single quotes hold exactly one character.', insert: '"' },
  UnclosedComment: { message: 'The comment has no end.', insert: '*/' },
};

function reportUnclosed(error: Part, source: string, problems: Problems): void {
  const { message, insert } = UNCLOSED[error.name] ?? { message: '', insert: '' };
  if (error.name === 'UnclosedChar') {
    const text = source
      .slice(error.from + 1, error.to)
      .replace(/'$/, '')
      .replaceAll('"', '\\"');
    problems.add('syntax_error', error, message, {
      hint: 'Write texts in double quotes.',
      fix: { from: error.from, to: error.to, insert: `"${text}"` },
    });
    return;
  }
  const line = source.indexOf('\n', error.from);
  const at = line < 0 || line > error.to ? error.to : line;
  problems.add('syntax_error', { from: error.from, to: at }, message, {
    hint: `Add ${insert} where it ends.`,
    fix: { from: at, to: at, insert },
  });
}

/** An error without text stands for something that is missing: it is shown at the end of what is before it. */
function spanOf({ error, source }: Place): TextSpan {
  if (error.to > error.from) return error;
  const end = source.slice(0, error.from).trimEnd().length;
  return { from: end, to: end };
}

interface Explanation {
  readonly message: string;
  readonly details?: ProblemDetails;
}

const INSIDE_STATEMENTS: ReadonlySet<string> = new Set(['Then', 'CallStatement', 'Call', 'Let']);

function explain(place: Place): Explanation {
  const { error, parent, before, source } = place;
  const found = source.slice(error.from, error.to);
  const isMissing = found.trim() === '';
  const at = spanOf(place);
  const insertion = (insert: string) => ({ from: at.from, to: at.from, insert });
  if (found === '=' || (isMissing && /^\s*=[^=]/.test(source.slice(error.from)))) return singleEquals(place);
  if (isMissing && parent.name === 'CallStatement' && before.length > 0) {
    return {
      message: 'The statement has no semicolon.',
      details: { hint: 'Every statement ends with a semicolon.', fix: insertion(';') },
    };
  }
  if (isMissing && parent.name === 'Let' && before.length > 2) {
    return {
      message: 'The statement has no semicolon.',
      details: { hint: 'Every statement ends with a semicolon.', fix: insertion(';') },
    };
  }
  if (parent.name === 'Parenthesized' && isMissing && before.length > 0) {
    return { message: 'The parenthesis is not closed.', details: { hint: 'Add a ).', fix: insertion(')') } };
  }
  if (parent.name === 'Rule' || parent.name === 'Pipeline' || parent.name === 'Name') {
    const missing = missingIn(place, insertion);
    if (missing !== undefined && (isMissing || /^(?:then|end|stage|when)$/i.test(found))) return missing;
  }
  const details = { hint: HINTS[parent.name] };
  if (isMissing)
    return { message: `Something is missing after ${quoted(wordBefore(source, at.from))}.`, details };
  if (parent.name === 'RuleFile') {
    return {
      message: `A text of rules starts with rule or pipeline, not with ${quoted(found)}.`,
      details: { hint: 'A rule: rule "name" when … then … end' },
    };
  }
  return { message: `${quoted(found)} does not fit here.`, details };
}

function singleEquals({ error, parent, source }: Place): Explanation {
  if (INSIDE_STATEMENTS.has(parent.name)) {
    return { message: 'A variable is set by let.', details: { hint: 'Write let name = value;' } };
  }
  const isThere = source.slice(error.from, error.to) === '=';
  const fix = isThere ? { from: error.from, to: error.to, insert: '==' } : undefined;
  return { message: 'A single = does not compare.', details: { hint: 'Compare with ==', fix } };
}

function missingIn({ before, parent }: Place, insertion: (text: string) => Edit): Explanation | undefined {
  const names = before.map(({ name }) => name);
  const what = parent.name === 'Pipeline' ? 'pipeline' : 'rule';
  const explained = (message: string, details: ProblemDetails) => ({ message, details });
  if (!names.includes('Name')) {
    return explained(`The ${what} has no name.`, { hint: `Write its name in double quotes: ${what} "name"` });
  }
  if (what === 'rule' && !names.includes('When')) {
    return explained('The rule has no condition.', {
      hint: 'Add when and a condition; when true always holds.',
    });
  }
  if (what === 'pipeline' && !names.includes('Stage')) {
    return explained('The pipeline has no stage.', { hint: 'Add one: stage 0 match either' });
  }
  const last = what === 'rule' ? 'statement' : 'stage';
  return explained(`The ${what} has no end.`, {
    hint: `Add end after its last ${last}.`,
    fix: insertion('\nend'),
  });
}

const HINTS: Readonly<Record<string, string>> = {
  Rule: 'A rule: rule "name" when condition then statements end',
  Pipeline: 'A pipeline: pipeline "name" stage 0 match either rule "name" end',
  Stage: 'A stage: stage 0 match either, all or pass, then the rules',
  RuleReference: 'A stage names a rule in double quotes: rule "name"',
  Then: 'After then there are only calls of functions and let name = value; each with a semicolon.',
  Let: 'A variable: let name = value;',
  Call: 'Arguments are separated by commas: either all by place, or all as name: value.',
  Entry: 'An entry: name: value',
  List: 'Elements are separated by commas: [1, 2]',
  Map: 'Entries are separated by commas: {name: value, other: value}',
  MessageField:
    'A field of the message: $message.name, or $message.`name` if it has other characters than letters, digits and _',
  FieldName: 'A name of letters, digits and _, or any other name between backquotes.',
};

function wordBefore(source: string, end: number): string {
  return /\S+$/.exec(source.slice(Math.max(0, end - 60), end))?.[0] ?? '';
}
