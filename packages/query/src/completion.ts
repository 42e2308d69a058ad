/** What can be completed at the cursor. The names and values come from elsewhere. */
import type { SyntaxNode } from '@lezer/common';
import type { TextSpan } from './ast.ts';
import { withoutEscapes } from './escapes.ts';
import { parser } from './grammar/parser.ts';
import { MAX_QUERY_LENGTH } from './limits.ts';

export type CompletionPlace =
  /** No completion: in a range, a regular expression, or a phrase without a field. */
  | { readonly kind: 'nothing' }
  /** A new clause: the name of a field, or one of the `operators`. `input`: the part before the cursor. */
  | {
      readonly kind: 'clause';
      readonly input: string;
      /** What to replace. */
      readonly at: TextSpan;
      /** The colon is there already. */
      readonly hasColon: boolean;
      readonly operators: readonly ('AND' | 'OR' | 'NOT')[];
    }
  /** The name of a field as the value of `_exists_`. */
  | { readonly kind: 'field'; readonly input: string; readonly at: TextSpan }
  | { readonly kind: 'value'; readonly field: string; readonly input: string; readonly at: TextSpan };

const NOTHING: CompletionPlace = { kind: 'nothing' };
const WORDS = new Set(['Term', 'Wildcard', 'SignedTerm']);
const CLOSED = new Set(['Regex', 'UnclosedRegex', 'Range', 'Comparison', 'Fuzzy', 'Boost', 'StrayBackslash']);

export function completionAt(text: string, cursor: number): CompletionPlace {
  if (text.length > MAX_QUERY_LENGTH || cursor < 0 || cursor > text.length) return NOTHING;
  const wellFormed = text.toWellFormed();
  const tree = parser.parse(wellFormed);
  const path = pathTo(tree.resolveInner(cursor, -1), cursor);
  if (path.some(({ name }) => CLOSED.has(name))) return NOTHING;
  const field = fieldAt(path, wellFormed);
  const word = path.find(({ name }) => WORDS.has(name));
  const phrase = path.find(({ name }) => name === 'Phrase' || name === 'UnclosedPhrase');
  const at: TextSpan = { from: (word ?? phrase)?.from ?? cursor, to: (word ?? phrase)?.to ?? cursor };
  if (phrase !== undefined) {
    if (field === undefined || (phrase.name === 'Phrase' && cursor === phrase.to)) return NOTHING;
    return valuePlace(field, withoutEscapes(wellFormed.slice(phrase.from + 1, cursor)), at);
  }
  const input = withoutEscapes(wellFormed.slice(at.from, cursor));
  if (field !== undefined) return valuePlace(field, input, at);
  const isName = path.some(({ name }) => name === 'Field');
  const operators = isName || word?.name === 'Wildcard' ? [] : operatorsAt(tree.topNode, at.from, wellFormed);
  return { kind: 'clause', input, at, hasColon: isName, operators };
}

/** The nodes around or directly before the cursor, from the innermost outwards. */
function pathTo(innermost: SyntaxNode, cursor: number): SyntaxNode[] {
  const path: SyntaxNode[] = [];
  for (let node: SyntaxNode | null = innermost; node !== null; node = node.parent) {
    // After a closed bracket, neither the bracket nor its field applies.
    const group = node.name === 'Fielded' ? node.lastChild : node;
    const isOver =
      group?.name === 'Group' && group.to === cursor && group.lastChild?.name === 'ParenthesisClose';
    if (isOver) path.length = 0;
    else path.push(node);
  }
  return path;
}

/** The field whose value is at the cursor: the nearest `field:` around it. */
function fieldAt(path: readonly SyntaxNode[], text: string): string | undefined {
  if (path.some(({ name }) => name === 'Field') && path[0]?.name !== 'Colon') return undefined;
  const fielded = path.find(({ name }) => name === 'Fielded');
  const name = fielded?.firstChild?.firstChild;
  if (name === null || name === undefined || name.name !== 'Term') return undefined;
  return withoutEscapes(text.slice(name.from, name.to));
}

function valuePlace(field: string, input: string, at: TextSpan): CompletionPlace {
  if (field === '_exists_' || field === '_missing_') return { kind: 'field', input, at };
  return { kind: 'value', field, input, at };
}

/** AND and OR need a term before them. */
function operatorsAt(top: SyntaxNode, position: number, text: string): ('AND' | 'OR' | 'NOT')[] {
  const before = text.slice(0, position).trimEnd();
  if (before === '') return ['NOT'];
  const last = top.resolveInner(before.length, -1);
  const isOperator = ['And', 'Or', 'Not', 'Plus', 'Minus'].some(
    (name) => last.name === name || last.parent?.name === name,
  );
  if (isOperator || last.name === 'ParenthesisOpen') return last.name === 'Not' ? [] : ['NOT'];
  return ['AND', 'OR', 'NOT'];
}
