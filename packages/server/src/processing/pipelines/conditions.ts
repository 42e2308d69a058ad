/**
 * Conditions of rules, each of them once: rules that ask the same question share the answer. A condition is cut at its
 * outermost `and`s. An answer holds until a message changes.
 */
import {
  type Condition,
  compileCondition,
  type FunctionSignature,
  type RuleHost,
  type Typed,
  type Value,
} from '@millrace/rules';
import type { PipelineContext, PipelineFunction } from '../rules/index.ts';

export interface SharedCondition {
  readonly index: number;
  readonly test: Condition<PipelineContext>;
  /** A question that an index can answer, if it is one. */
  readonly question: Question | undefined;
}

/** Asks for a field: is it there, is it this value, is it this text. */
export type Question =
  | { readonly kind: 'has'; readonly field: string }
  | { readonly kind: 'equals' | 'text'; readonly field: string; readonly value: string | number };

type Node = Typed<PipelineFunction>;

export class ConditionTable {
  readonly #host: RuleHost<PipelineContext>;
  readonly #known = new Map<string, SharedCondition>();
  #count = 0;

  constructor(host: RuleHost<PipelineContext>) {
    this.#host = host;
  }

  get size(): number {
    return this.#count;
  }

  /** The conditions that must all hold. */
  conditionsOf(node: Node, source: string): readonly SharedCondition[] {
    const parts = node.kind === 'and' ? node.operands : [node];
    return parts.map((part) => this.#shared(part, source));
  }

  #shared(node: Node, source: string): SharedCondition {
    // What is not pure, such as now(), is asked anew by every rule.
    const key = isPure(node) ? keyOf(node) : undefined;
    const known = key === undefined ? undefined : this.#known.get(key);
    if (known !== undefined) return known;
    const condition = {
      index: key === undefined ? -1 : this.#count++,
      test: compileCondition(node, this.#host, source),
      question: questionOf(node),
    };
    if (key !== undefined) this.#known.set(key, condition);
    return condition;
  }
}

/** The same text for expressions that mean the same. */
function keyOf(node: Node): string {
  return JSON.stringify(node, (key, value: unknown) => {
    if (key === 'from' || key === 'to') return undefined;
    if (key === 'fn') return (value as FunctionSignature).name;
    // The type stays, for 2 and 2.0 differ. What JSON cannot write is an object, which no constant is.
    if (typeof value === 'bigint') return { bigint: String(value) };
    return typeof value === 'number' && !Number.isFinite(value) ? { number: String(value) } : value;
  });
}

function isPure(node: Node): boolean {
  switch (node.kind) {
    case 'call':
      return node.fn.isPure && node.args.every((argument) => argument === undefined || isPure(argument));
    case 'constant':
    case 'message-field':
    case 'message':
      return true;
    case 'variable':
      return false;
    case 'list':
      return node.elements.every(isPure);
    case 'map':
      return node.entries.every(({ value }) => isPure(value));
    case 'member':
      return isPure(node.object);
    case 'index':
      return isPure(node.object) && isPure(node.index);
    case 'not':
    case 'negate':
      return isPure(node.operand);
    case 'and':
    case 'or':
      return node.operands.every(isPure);
    default:
      return isPure(node.left) && isPure(node.right);
  }
}

function questionOf(node: Node): Question | undefined {
  if (node.kind === 'call' && node.fn.name === 'has_field' && node.args[1] === undefined) {
    const [field] = node.args;
    return field?.kind === 'constant' && typeof field.value === 'string'
      ? { kind: 'has', field: field.value }
      : undefined;
  }
  if (node.kind !== 'equality' || node.isNegated || node.right.kind !== 'constant') return undefined;
  const { left, right } = node;
  if (left.kind === 'message-field' && isIndexable(right.type, right.value)) {
    return { kind: 'equals', field: left.field, value: right.value };
  }
  if (left.kind !== 'call' || left.fn.name !== 'to_string' || left.args[1] !== undefined) return undefined;
  const [inner] = left.args;
  if (inner?.kind !== 'message-field' || typeof right.value !== 'string' || right.value === '')
    return undefined;
  return { kind: 'text', field: inner.field, value: right.value };
}

/** A date, or a double such as 2.0, is equal to more than one value. */
function isIndexable(type: string, value: Value): value is string | number {
  return (type === 'String' && typeof value === 'string') || (type === 'Long' && typeof value === 'number');
}
