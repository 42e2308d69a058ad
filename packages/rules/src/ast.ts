/** What rules and pipelines say. Positions are UTF-16 units of the text. */

export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

export type Expression =
  | IntegerLiteral
  | FloatLiteral
  | StringLiteral
  | BooleanLiteral
  | Call
  | Variable
  | ListExpression
  | MapExpression
  | MessageField
  | WholeMessage
  | Member
  | IndexAccess
  | SignExpression
  | NotExpression
  | BinaryExpression
  | LogicExpression;

export interface IntegerLiteral extends TextSpan {
  readonly kind: 'integer';
  /** A 64-bit number: a bigint where a JavaScript number would lose digits. */
  readonly value: number | bigint;
}

export interface FloatLiteral extends TextSpan {
  readonly kind: 'float';
  readonly value: number;
}

/** Characters in single quotes are texts, too. */
export interface StringLiteral extends TextSpan {
  readonly kind: 'string';
  readonly value: string;
}

export interface BooleanLiteral extends TextSpan {
  readonly kind: 'boolean';
  readonly value: boolean;
}

export interface Argument extends TextSpan {
  /** Undefined for an argument that is known by its place. */
  readonly name: string | undefined;
  readonly value: Expression;
}

export interface Call extends TextSpan {
  readonly kind: 'call';
  readonly name: string;
  readonly nameSpan: TextSpan;
  /** All with a name, or all without. */
  readonly args: readonly Argument[];
}

export interface Variable extends TextSpan {
  readonly kind: 'variable';
  readonly name: string;
}

export interface ListExpression extends TextSpan {
  readonly kind: 'list';
  readonly elements: readonly Expression[];
}

export interface MapExpression extends TextSpan {
  readonly kind: 'map';
  readonly entries: readonly { readonly key: string; readonly value: Expression }[];
}

/** `$message.field` */
export interface MessageField extends TextSpan {
  readonly kind: 'message-field';
  readonly field: string;
}

/** `$message`, for functions that work on a message. */
export interface WholeMessage extends TextSpan {
  readonly kind: 'message';
}

/** `a.b` */
export interface Member extends TextSpan {
  readonly kind: 'member';
  readonly object: Expression;
  readonly field: string;
}

/** `a[b]` */
export interface IndexAccess extends TextSpan {
  readonly kind: 'index';
  readonly object: Expression;
  readonly index: Expression;
}

export interface SignExpression extends TextSpan {
  readonly kind: 'sign';
  readonly isNegative: boolean;
  readonly operand: Expression;
}

export interface NotExpression extends TextSpan {
  readonly kind: 'not';
  readonly operand: Expression;
}

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';
export type ComparisonOperator = '<' | '<=' | '>' | '>=';
export type EqualityOperator = '==' | '!=';
export type BinaryOperator = ArithmeticOperator | ComparisonOperator | EqualityOperator;

export interface BinaryExpression extends TextSpan {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** A chain of `and`, or of `or`. */
export interface LogicExpression extends TextSpan {
  readonly kind: 'and' | 'or';
  readonly operands: readonly Expression[];
}

export type Statement =
  | { readonly kind: 'call'; readonly call: Call }
  | {
      readonly kind: 'let';
      readonly name: string;
      readonly nameSpan: TextSpan;
      readonly value: Expression;
    };

export interface Rule extends TextSpan {
  readonly name: string;
  readonly nameSpan: TextSpan;
  readonly condition: Expression;
  readonly statements: readonly Statement[];
}

/** When the next stage of the pipeline runs: all conditions held, at least one did, or always. */
export type StageMatch = 'all' | 'either' | 'pass';

export interface Stage extends TextSpan {
  readonly number: number;
  readonly match: StageMatch;
  readonly rules: readonly (TextSpan & { readonly name: string })[];
}

export interface Pipeline extends TextSpan {
  readonly name: string;
  readonly nameSpan: TextSpan;
  /** By ascending number, each number once. */
  readonly stages: readonly Stage[];
}
