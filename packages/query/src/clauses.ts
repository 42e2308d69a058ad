/** Applies AND, OR, NOT, + and -. The grammar leaves operators and operands as a flat list. */
import type { FieldTarget, QueryNode } from './ast.ts';
import { MAX_CLAUSES } from './limits.ts';
import { ALL, allOf, anyOf, negated } from './nodes.ts';
import { type Modifiers, type Reading, readOperand, reportStrayColon } from './operands.ts';
import { type Problems, quoted, quotesFor, runAround, without } from './problems.ts';
import type { Part } from './tree.ts';

/** How an operand is joined to the one before it. */
type Conjunction = 'beside' | 'and' | 'or';

interface Clause {
  readonly node: QueryNode;
  readonly conjunction: Conjunction;
  readonly isRequired: boolean;
  /** Preceded by NOT, ! or -. */
  readonly isNegated: boolean;
  /** Preceded by `-`: it excludes, whatever operator joins it. */
  readonly isExcluded: boolean;
  readonly part: Part;
}

/** Operands joined by AND. */
interface Unit {
  readonly clauses: Clause[];
  readonly conjunction: Conjunction;
  /** OR follows. */
  isJoinedByOr: boolean;
}

interface State {
  readonly clauses: Clause[];
  conjunction: Conjunction;
  operator: Part | undefined;
  prefixes: Part[];
}

/** Reads one level of a query: `items` are the parts within one pair of brackets. */
export function createClauseReader(problems: Problems) {
  let count = 0;
  const addRegex = createSum();
  let hasUnclosedGroup = false;

  function read(items: readonly Part[], field: FieldTarget, brackets: Part): QueryNode | undefined {
    const state: State = { clauses: [], conjunction: 'beside', operator: undefined, prefixes: [] };
    let position = 0;
    while (position < items.length) position += step(items, position, state, field);
    reportDanglingOperator(state, brackets, problems);
    if (items.length === 0) reportEmptyBrackets(brackets, problems);
    return problems.hasErrors() ? undefined : combine(state.clauses, problems);
  }

  /** Reads the item at a position. Returns the number of items read. */
  function step(items: readonly Part[], position: number, state: State, field: FieldTarget): number {
    const item = items[position] as Part;
    switch (item.name) {
      case 'And':
      case 'Or':
        if (problems.acceptsError(item)) reportLoneOperator(item, items[position + 1], state, problems);
        state.conjunction = item.name === 'And' ? 'and' : 'or';
        state.operator = item;
        state.prefixes = [];
        return 1;
      case 'Not':
      case 'Plus':
      case 'Minus':
        state.prefixes.push(item);
        return 1;
      case 'Fuzzy':
      case 'Boost':
      case 'StrayColon':
      case 'StrayBracket':
      case 'StrayParenthesis':
      case 'StrayBackslash':
      case '⚠':
        reportStray(item, problems);
        return 1;
      default:
        return takeOperand(items, position, state, field);
    }
  }

  function takeOperand(items: readonly Part[], position: number, state: State, field: FieldTarget) {
    const part = items[position] as Part;
    const following = modifiersAfter(items, position);
    const next = items[position + 1];
    if (++count > MAX_CLAUSES) {
      if (count === MAX_CLAUSES + 1) reportTooManyTerms(part, problems);
      // It is not read, but it still stands beside its operators.
      addClause(part, ALL, state);
      return 1 + following.taken;
    }
    reportTextAfterRegex(part, next, problems);
    warnAboutLowerCaseOperator(part, state, next, field, problems);
    const reading: Reading = { problems, field, addRegex, group: readGroup };
    const node = readOperand(part, following.modifiers, reading) ?? ALL;
    warnAboutSpaceAfterSign(state, part, problems);
    addClause(part, node, state);
    return 1 + following.taken;
  }

  function readGroup(part: Part, field: FieldTarget): QueryNode | undefined {
    const isClosed = part.children.at(-1)?.name === 'ParenthesisClose';
    if (!isClosed && !hasUnclosedGroup) {
      hasUnclosedGroup = true;
      reportUnclosedGroup(part, problems);
    }
    return read(part.children.slice(1, isClosed ? -1 : undefined), field, part);
  }

  return { read };
}

function addClause(part: Part, node: QueryNode, state: State): void {
  state.clauses.push({ ...prefixed(node, state.prefixes), conjunction: state.conjunction, part });
  state.conjunction = 'beside';
  state.operator = undefined;
  state.prefixes = [];
}

function createSum(): (more: number) => number {
  let sum = 0;
  return (more) => {
    sum += more;
    return sum;
  };
}

function prefixed(node: QueryNode, prefixes: readonly Part[]) {
  const negations = prefixes.filter((prefix) => prefix.name !== 'Plus').length;
  return {
    node: negations % 2 === 1 ? negated(node) : node,
    isRequired: prefixes.some((prefix) => prefix.name === 'Plus'),
    isNegated: negations % 2 === 1,
    isExcluded: negations % 2 === 1 && prefixes.some((prefix) => prefix.name === 'Minus'),
  };
}

function modifiersAfter(items: readonly Part[], position: number): { modifiers: Modifiers; taken: number } {
  let fuzzy: Part | undefined;
  let boost: Part | undefined;
  let taken = 0;
  for (;;) {
    const item = items[position + 1 + taken];
    if (item?.name === 'Fuzzy' && fuzzy === undefined) fuzzy = item;
    else if (item?.name === 'Boost' && boost === undefined && item.to - item.from > 1) boost = item;
    else return { modifiers: { fuzzy, boost }, taken };
    taken++;
  }
}

function reportTooManyTerms(part: Part, problems: Problems): void {
  problems.error(part, `The query has more than ${MAX_CLAUSES} terms.`, {
    suggestion: 'Search for fewer at once, or use a wildcard or a regular expression.',
  });
}

function reportLoneOperator(item: Part, next: Part | undefined, state: State, problems: Problems): void {
  const word = problems.text.slice(item.from, item.to);
  const last = state.prefixes.at(-1) ?? state.operator;
  if (last !== undefined) {
    const before = problems.text.slice(last.from, last.to);
    problems.error(item, `There is nothing between ${quoted(before)} and ${quoted(word)}.`, {
      suggestion: 'Remove one of them, or write a term between them.',
    });
  } else if (state.clauses.length === 0) {
    problems.error(item, `There is nothing before ${quoted(word)}.`, {
      suggestion: `Write a term on both sides of ${word}, or remove it. To search for the word, put it in quotes.`,
      edit: next === undefined ? undefined : without(item, problems.text),
    });
  }
}

function reportDanglingOperator(state: State, brackets: Part, problems: Problems): void {
  const hasClauses = state.clauses.length > 0;
  // An operator with nothing on either side has already been reported.
  const dangling = [...(state.operator && hasClauses ? [state.operator] : []), ...state.prefixes];
  const first = dangling[0];
  if (first === undefined) return;
  const at = { from: first.from, to: (dangling.at(-1) ?? first).to };
  const word = problems.text.slice(at.from, at.to);
  problems.error(at, `There is nothing after ${quoted(word)}.`, {
    suggestion: 'Write a term after it, or remove it. To search for the text, put it in quotes.',
    edit: hasClauses || brackets.name !== 'Group' ? without(at, problems.text) : undefined,
  });
}

function reportEmptyBrackets(brackets: Part, problems: Problems): void {
  if (brackets.name !== 'Group') return;
  problems.error(brackets, 'There is nothing between the brackets.', {
    suggestion: 'Write a term between them, or remove them.',
  });
}

function reportUnclosedGroup(part: Part, problems: Problems): void {
  let missing = 0;
  const unclosed = (group: Part): void => {
    missing++;
    const last = group.children.at(-1);
    const inner = last?.name === 'Fielded' ? last.children.at(-1) : last;
    if (inner?.name === 'Group' && inner.children.at(-1)?.name !== 'ParenthesisClose') unclosed(inner);
  };
  unclosed(part);
  const end = problems.text.length;
  problems.error({ from: part.from, to: part.from + 1 }, 'The bracket "(" is not closed.', {
    suggestion:
      'Close it with ")". If the bracket is part of the text, put it in quotes or write a backslash before it.',
    edit: { from: end, to: end, insert: ')'.repeat(missing) },
  });
}

/** Reports parts that are always a mistake. */
function reportStray(item: Part, problems: Problems): void {
  if (!problems.acceptsError(item)) return;
  const { text } = problems;
  const raw = text.slice(item.from, item.to);
  const place = { from: item.from, to: item.to };
  switch (item.name) {
    case 'StrayColon':
      reportStrayColon(item, problems);
      return;
    case 'StrayBackslash':
      problems.error(item, 'The query ends with a backslash that escapes nothing.', {
        suggestion: 'Write \\\\ for a backslash.',
        edit: { ...place, insert: '\\\\' },
      });
      return;
    case 'Fuzzy':
    case 'Boost':
      problems.error(item, `${quoted(raw)} needs a term before it, and a number after "^".`, {
        suggestion: `To search for the text, put it in quotes or write a backslash before "${raw.charAt(0)}".`,
        edit: { ...place, insert: `\\${raw}` },
      });
      return;
    default:
      problems.error(item, `The bracket ${quoted(raw)} closes nothing.`, {
        suggestion: 'Remove it, or put the text in quotes to search for it.',
        edit: without(item, text),
      });
  }
}

/** `/var/log` parses as a regular expression followed by a word, and `/x/i` has a flag that does not exist. */
function reportTextAfterRegex(part: Part, next: Part | undefined, problems: Problems): void {
  const { text } = problems;
  const regex = part.name === 'Fielded' ? part.children[1] : part;
  const textParts = ['Term', 'Wildcard', 'Regex', 'UnclosedRegex', 'Fielded', 'StrayColon'];
  if (regex?.name !== 'Regex' || next?.from !== regex.to || !textParts.includes(next.name)) return;
  if (!problems.acceptsError(part)) return;
  const raw = text.slice(regex.from, regex.to);
  const behind = text.slice(next.from, next.to);
  if (behind === 'i') {
    problems.error(next, `The flag "i" after the regular expression ${quoted(raw)} is not supported.`, {
      suggestion: 'Start the expression with (?i) to ignore case.',
      edit: { from: regex.from, to: next.to, insert: `/(?i)${raw.slice(1)}` },
    });
    return;
  }
  const run = runAround(text, regex.from);
  const what = text.slice(run.from, run.to);
  problems.error(part, `${quoted(behind)} follows the regular expression ${quoted(raw)} without a space.`, {
    suggestion: `If ${quoted(what)} is a path or an address, put it in quotes. Otherwise add a space after the expression.`,
    edit: run.to >= next.to ? quotesFor(text, run) : undefined,
  });
  problems.ignoreFurther(run);
}

function warnAboutLowerCaseOperator(
  part: Part,
  state: State,
  next: Part | undefined,
  field: FieldTarget,
  problems: Problems,
): void {
  const word = problems.text.slice(part.from, part.to);
  if (part.name !== 'Term' || next === undefined || !/^(and|or|not)$/i.test(word)) return;
  if (next.name === 'And' || next.name === 'Or' || state.conjunction !== 'beside') return;
  if (state.clauses.length === 0 && word.toLowerCase() !== 'not') return;
  const operator = word.toUpperCase();
  problems.warning(
    part,
    `${quoted(word)} is searched as a word${field === undefined ? '' : ` in ${typeof field === 'string' ? field : 'these fields'}`}.`,
    {
      suggestion: `Write ${operator} for the operator, or "${word}" in quotes for the word.`,
      edit: { from: part.from, to: part.to, insert: operator },
    },
  );
}

/** In `a - b`, the sign applies to `b`, although the space suggests otherwise. */
function warnAboutSpaceAfterSign(state: State, part: Part, problems: Problems): void {
  const sign = state.prefixes.at(-1);
  if (sign === undefined || sign.name === 'Not' || sign.to === part.from || state.clauses.length === 0)
    return;
  const word = problems.text.slice(sign.from, sign.to);
  const operand = quoted(problems.text.slice(part.from, part.to));
  const effect = sign.name === 'Minus' ? `excludes messages with ${operand}` : `requires ${operand}`;
  problems.warning(sign, `${quoted(word)} ${effect}, despite the space between them.`, {
    suggestion: `If that is intended, remove the space. To search for the text, put it in quotes.`,
  });
}

/** AND binds first. Then all required and no excluded units must match, and any of the rest. */
function combine(clauses: readonly Clause[], problems: Problems): QueryNode {
  const units: Unit[] = [];
  for (const clause of clauses) {
    const last = units.at(-1);
    if (clause.conjunction === 'and' && last !== undefined) {
      last.clauses.push(clause);
      continue;
    }
    if (clause.conjunction === 'or' && last !== undefined) last.isJoinedByOr = true;
    units.push({
      clauses: [clause],
      conjunction: clause.conjunction,
      isJoinedByOr: clause.conjunction === 'or',
    });
  }
  const required = units.filter((unit) => unit.clauses.some((clause) => clause.isRequired));
  const others = units.filter((unit) => !required.includes(unit));
  const excluded = others.filter(excludes);
  const optional = others.filter((unit) => !excluded.includes(unit));
  const nodes = (list: readonly Unit[]) =>
    list.map((unit) => allOf(unit.clauses.map((clause) => clause.node)));
  if (required.length > 0) {
    for (const unit of optional) warnAboutOptional(unit, problems);
    return allOf([...nodes(required), ...nodes(excluded)]);
  }
  if (optional.length === 0) return allOf(nodes(excluded));
  return allOf([anyOf(nodes(optional)), ...nodes(excluded)]);
}

/** Whether a unit excludes messages from all others (`a -b`, `a NOT b`) instead of being an alternative (`a OR NOT b`). */
function excludes(unit: Unit): boolean {
  if (unit.clauses.every((clause) => clause.isExcluded)) return true;
  return !unit.isJoinedByOr && unit.clauses.every((clause) => clause.isNegated);
}

function warnAboutOptional(unit: Unit, problems: Problems): void {
  const first = unit.clauses[0]?.part;
  const last = unit.clauses.at(-1)?.part;
  if (first === undefined || last === undefined) return;
  const at = { from: first.from, to: last.to };
  problems.warning(
    at,
    `${quoted(problems.text.slice(at.from, at.to))} has no effect next to a term with "+".`,
    {
      suggestion: 'Write + before it, too, or remove it.',
    },
  );
}
