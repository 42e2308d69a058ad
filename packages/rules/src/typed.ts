/** Expressions whose types are known: what the checker makes of a rule, and the compiler compiles. */
import type { ArithmeticOperator, ComparisonOperator, TextSpan } from './ast.ts';
import type { FunctionSignature, RuleType } from './types.ts';
import type { Value } from './values/value.ts';

interface Node extends TextSpan {
  readonly type: RuleType;
}

export type Typed<F extends FunctionSignature> =
  | (Node & { readonly kind: 'constant'; readonly value: Value })
  | (Node & { readonly kind: 'message-field'; readonly field: string })
  | (Node & { readonly kind: 'message' })
  | (Node & { readonly kind: 'variable'; readonly slot: number })
  | (Node & { readonly kind: 'list'; readonly elements: readonly Typed<F>[] })
  | (Node & {
      readonly kind: 'map';
      readonly entries: readonly { readonly key: string; readonly value: Typed<F> }[];
    })
  | (Node & { readonly kind: 'member'; readonly object: Typed<F>; readonly field: string })
  | (Node & { readonly kind: 'index'; readonly object: Typed<F>; readonly index: Typed<F> })
  | (Node & { readonly kind: 'not' | 'negate'; readonly operand: Typed<F> })
  | (Node & { readonly kind: 'and' | 'or'; readonly operands: readonly Typed<F>[] })
  | (Node & {
      readonly kind: 'arithmetic';
      readonly operator: ArithmeticOperator;
      readonly left: Typed<F>;
      readonly right: Typed<F>;
    })
  | (Node & {
      readonly kind: 'comparison';
      readonly operator: ComparisonOperator;
      readonly left: Typed<F>;
      readonly right: Typed<F>;
    })
  | (Node & {
      readonly kind: 'equality';
      readonly isNegated: boolean;
      readonly left: Typed<F>;
      readonly right: Typed<F>;
    })
  | TypedCall<F>;

export interface TypedCall<F extends FunctionSignature> extends Node {
  readonly kind: 'call';
  readonly fn: F;
  /** In the order of the parameters. */
  readonly args: readonly (Typed<F> | undefined)[];
}

export type TypedStatement<F extends FunctionSignature> =
  | { readonly kind: 'call'; readonly call: TypedCall<F> }
  | { readonly kind: 'let'; readonly slot: number; readonly value: Typed<F> };

export interface CheckedRule<F extends FunctionSignature> {
  readonly name: string;
  readonly condition: Typed<F>;
  readonly statements: readonly TypedStatement<F>[];
  /** How many variables it has. */
  readonly variables: number;
  readonly source: string;
}
