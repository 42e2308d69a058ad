/** Which operand belongs to which operator. The grammar leaves them in a row; here AND, OR, NOT, + and - are applied. */
import type { QueryNode } from './ast.ts';
import { MAX_CLAUSES } from './limits.ts';
import { allOf, anyOf, negated } from './nodes.ts';
import { type Modifiers, type Reading, readOperand, refuseColon } from './operands.ts';
import { type Problems, quoted, quotesFor, runAround, without } from './problems.ts';
import type { Part } from './tree.ts';

/** How an operand is joined to the one before it. */
type Joint = 'beside' | 'and' | 'or';

interface Clause {
  readonly node: QueryNode;
  readonly joint: Joint;
  readonly isRequired: boolean;
  /** NOT, ! or - in front. */
  readonly isNegated: boolean;
  /** `-` in front: it excludes, whatever it is joined by. */
  readonly isExcluded: boolean;
  readonly part: Part;
}

/** Operands joined by AND. */
interface Unit {
  readonly clauses: Clause[];
  readonly joint: Joint;
  /** OR follows. */
  isJoinedByOr: boolean;
}

interface State {
  readonly clauses: Clause[];
  joint: Joint;
  operator: Part | undefined;
  prefixes: Part[];
}

/** Reads one level of a query: `items` are the parts inside of one pair of brackets. */
export function createClauseReader(problems: Problems) {
  let count = 0;
  const addRegex = createSum();
  let hasUnclosedGroup = false;

  function read(items: readonly Part[], field: string | undefined, brackets: Part): QueryNode | undefined {
    const state: State = { clauses: [], joint: 'beside', operator: undefined, prefixes: [] };
    let position = 0;
    while (position < items.length) position += step(items, position, state, field);
    refuseDangling(state, brackets, problems);
    if (items.length === 0) refuseEmptyBrackets(brackets, problems);
    return problems.hasErrors() ? undefined : combine(state.clauses, problems);
  }

  /** Takes the item at a position and says how many were taken. */
  function step(items: readonly Part[], position: number, state: State, field: string | undefined): number {
    const item = items[position] as Part;
    switch (item.name) {
      case 'And':
      case 'Or':
        if (problems.wantsError(item)) refuseLoneOperator(item, items[position + 1], state, problems);
        state.joint = item.name === 'And' ? 'and' : 'or';
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
        refuseStray(item, problems);
        return 1;
      default:
        return takeOperand(items, position, state, field);
    }
  }

  function takeOperand(items: readonly Part[], position: number, state: State, field: string | undefined) {
    const part = items[position] as Part;
    const following = modifiersBehind(items, position);
    const next = items[position + 1];
    if (++count === MAX_CLAUSES + 1) {
      problems.error(part, `The query has more than ${MAX_CLAUSES} terms.`, {
        suggestion: 'Search for fewer at once, or use a wildcard or a regular expression.',
      });
    }
    if (count > MAX_CLAUSES) return 1 + following.taken;
    refuseTextBehindRegex(part, next, problems);
    warnOfLowerCase(part, state, next, field, problems);
    const reading: Reading = { problems, field, addRegex, group: readGroup };
    const node = readOperand(part, following.modifiers, reading);
    warnOfLonePrefix(state, part, problems);
    state.clauses.push({ ...prefixed(node ?? { type: 'all' }, state.prefixes), joint: state.joint, part });
    state.joint = 'beside';
    state.operator = undefined;
    state.prefixes = [];
    return 1 + following.taken;
  }

  function readGroup(part: Part, field: string | undefined): QueryNode | undefined {
    const isClosed = part.children.at(-1)?.name === 'ParenthesisClose';
    if (!isClosed && !hasUnclosedGroup) {
      hasUnclosedGroup = true;
      refuseUnclosedGroup(part, problems);
    }
    return read(part.children.slice(1, isClosed ? -1 : undefined), field, part);
  }

  return { read };
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

function modifiersBehind(items: readonly Part[], position: number): { modifiers: Modifiers; taken: number } {
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

function refuseLoneOperator(item: Part, next: Part | undefined, state: State, problems: Problems): void {
  const word = problems.text.slice(item.from, item.to);
  const last = state.prefixes.at(-1) ?? state.operator;
  if (last !== undefined) {
    const before = problems.text.slice(last.from, last.to);
    problems.error(item, `${quoted(word)} follows ${quoted(before)}, with nothing between them.`, {
      suggestion: 'Leave one of them out, or write what they join.',
    });
  } else if (state.clauses.length === 0) {
    problems.error(item, `There is nothing in front of ${quoted(word)}.`, {
      suggestion: `Write what ${word} joins on both sides, or leave it out; put it in quotes to search for the word.`,
      edit: next === undefined ? undefined : without(item, problems.text),
    });
  }
}

function refuseDangling(state: State, brackets: Part, problems: Problems): void {
  const hasClauses = state.clauses.length > 0;
  // An operator with nothing on either side has been told already.
  const dangling = [...(state.operator && hasClauses ? [state.operator] : []), ...state.prefixes];
  const first = dangling[0];
  if (first === undefined) return;
  const at = { from: first.from, to: (dangling.at(-1) ?? first).to };
  const word = problems.text.slice(at.from, at.to);
  problems.error(at, `There is nothing behind ${quoted(word)}.`, {
    suggestion: 'Write what it is for, or leave it out; put it in quotes to search for it.',
    edit: hasClauses || brackets.name !== 'Group' ? without(at, problems.text) : undefined,
  });
}

function refuseEmptyBrackets(brackets: Part, problems: Problems): void {
  if (brackets.name !== 'Group') return;
  problems.error(brackets, 'There is nothing between the brackets.', {
    suggestion: 'Write what to look for between them, or leave them out.',
  });
}

function refuseUnclosedGroup(part: Part, problems: Problems): void {
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
      'Put a ")" where it ends; a bracket that is part of the text is put in quotes or behind a backslash.',
    edit: { from: end, to: end, insert: ')'.repeat(missing) },
  });
}

/** What the grammar knows only as a mistake. */
function refuseStray(item: Part, problems: Problems): void {
  if (!problems.wantsError(item)) return;
  const { text } = problems;
  const raw = text.slice(item.from, item.to);
  const place = { from: item.from, to: item.to };
  switch (item.name) {
    case 'StrayColon':
      refuseColon(item, problems);
      return;
    case 'StrayBackslash':
      problems.error(item, 'The query ends with a backslash, which has nothing to escape.', {
        suggestion: 'Write \\\\ for a backslash.',
        edit: { ...place, insert: '\\\\' },
      });
      return;
    case 'Fuzzy':
    case 'Boost':
      problems.error(item, `${quoted(raw)} has no term in front of it, or no number behind it.`, {
        suggestion: `Put the text in quotes, or a backslash in front of "${raw.charAt(0)}", to search for it.`,
        edit: { ...place, insert: `\\${raw}` },
      });
      return;
    default:
      problems.error(item, `The bracket ${quoted(raw)} closes nothing.`, {
        suggestion: 'Leave it out, or put the text in quotes to search for it.',
        edit: without(item, text),
      });
  }
}

/** `/var/log` reads as a regular expression with a word behind it, and `/x/i` as a flag that does not exist. */
function refuseTextBehindRegex(part: Part, next: Part | undefined, problems: Problems): void {
  const { text } = problems;
  const regex = part.name === 'Fielded' ? part.children[1] : part;
  const isMeantAsText = ['Term', 'Wildcard', 'Regex', 'UnclosedRegex', 'Fielded', 'StrayColon'];
  if (regex?.name !== 'Regex' || next?.from !== regex.to || !isMeantAsText.includes(next.name)) return;
  if (!problems.wantsError(part)) return;
  const raw = text.slice(regex.from, regex.to);
  const behind = text.slice(next.from, next.to);
  if (behind === 'i') {
    problems.error(next, `"i" behind the regular expression ${quoted(raw)} is no flag here.`, {
      suggestion: 'Write (?i) at its beginning to ignore the case.',
      edit: { from: regex.from, to: next.to, insert: `/(?i)${raw.slice(1)}` },
    });
    return;
  }
  const run = runAround(text, regex.from);
  const what = text.slice(run.from, run.to);
  problems.error(part, `${quoted(behind)} follows the regular expression ${quoted(raw)} without a space.`, {
    suggestion: `Put ${quoted(what)} in quotes if it is a path or an address, or a space behind the expression.`,
    edit: run.to >= next.to ? quotesFor(text, run) : undefined,
  });
  problems.done(run);
}

function warnOfLowerCase(
  part: Part,
  state: State,
  next: Part | undefined,
  field: string | undefined,
  problems: Problems,
): void {
  const word = problems.text.slice(part.from, part.to);
  if (part.name !== 'Term' || next === undefined || !/^(and|or|not)$/i.test(word)) return;
  if (next.name === 'And' || next.name === 'Or' || state.joint !== 'beside') return;
  if (state.clauses.length === 0 && word.toLowerCase() !== 'not') return;
  const operator = word.toUpperCase();
  problems.warning(
    part,
    `${quoted(word)} is searched as a word${field === undefined ? '' : ` in ${field}`}.`,
    {
      suggestion: `Write ${operator} to join, or "${word}" in quotes if the word is meant.`,
      edit: { from: part.from, to: part.to, insert: operator },
    },
  );
}

/** `a - b`: the sign belongs to what follows, which the space hides. */
function warnOfLonePrefix(state: State, part: Part, problems: Problems): void {
  const sign = state.prefixes.at(-1);
  if (sign === undefined || sign.name === 'Not' || sign.to === part.from || state.clauses.length === 0)
    return;
  const word = problems.text.slice(sign.from, sign.to);
  const operand = quoted(problems.text.slice(part.from, part.to));
  const effect = sign.name === 'Minus' ? `leaves out messages with ${operand}` : `asks for ${operand}`;
  problems.warning(sign, `${quoted(word)} ${effect}, although a space stands between them.`, {
    suggestion: `Leave out the space if that is meant; to search for the text, put it in quotes.`,
  });
}

/** AND first; then what is required, what is excluded, and of the rest any. */
function combine(clauses: readonly Clause[], problems: Problems): QueryNode {
  const units: Unit[] = [];
  for (const clause of clauses) {
    const last = units.at(-1);
    if (clause.joint === 'and' && last !== undefined) {
      last.clauses.push(clause);
      continue;
    }
    if (clause.joint === 'or' && last !== undefined) last.isJoinedByOr = true;
    units.push({ clauses: [clause], joint: clause.joint, isJoinedByOr: clause.joint === 'or' });
  }
  const required = units.filter((unit) => unit.clauses.some((clause) => clause.isRequired));
  const others = units.filter((unit) => !required.includes(unit));
  const excluded = others.filter(excludes);
  const optional = others.filter((unit) => !excluded.includes(unit));
  const nodes = (list: readonly Unit[]) =>
    list.map((unit) => allOf(unit.clauses.map((clause) => clause.node)));
  if (required.length > 0) {
    for (const unit of optional) warnOfOptional(unit, problems);
    return allOf([...nodes(required), ...nodes(excluded)]);
  }
  if (optional.length === 0) return allOf(nodes(excluded));
  return allOf([anyOf(nodes(optional)), ...nodes(excluded)]);
}

/** Whether a unit narrows all the others (`a -b`, `a NOT b`) instead of being one of them (`a OR NOT b`). */
function excludes(unit: Unit): boolean {
  if (unit.clauses.every((clause) => clause.isExcluded)) return true;
  return !unit.isJoinedByOr && unit.clauses.every((clause) => clause.isNegated);
}

function warnOfOptional(unit: Unit, problems: Problems): void {
  const first = unit.clauses[0]?.part;
  const last = unit.clauses.at(-1)?.part;
  if (first === undefined || last === undefined) return;
  const at = { from: first.from, to: last.to };
  problems.warning(
    at,
    `${quoted(problems.text.slice(at.from, at.to))} changes nothing beside a term with "+".`,
    {
      suggestion: 'Write + in front of it too, or leave it out.',
    },
  );
}
