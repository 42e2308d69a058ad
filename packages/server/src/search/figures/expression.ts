/** A condition on figures: it says which groups are wanted, and whether the figures of no group are. */
export type FigureExpression =
  | { readonly kind: 'number'; readonly value: number }
  /** The place of a figure in its measurement. */
  | { readonly kind: 'figure'; readonly at: number }
  | { readonly kind: 'truth'; readonly value: boolean }
  | { readonly kind: 'not'; readonly of: FigureExpression }
  | { readonly kind: 'and' | 'or'; readonly left: FigureExpression; readonly right: FigureExpression }
  | { readonly kind: Comparison; readonly left: FigureExpression; readonly right: FigureExpression }
  | { readonly kind: 'times'; readonly left: FigureExpression; readonly right: FigureExpression };

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** A figure that could not be computed: of no messages, or not finite. */
export type FigureValue = number | null;

/** A comparison with a missing figure is false. */
export function isTrue(expression: FigureExpression, figures: readonly FigureValue[]): boolean {
  switch (expression.kind) {
    case 'truth':
      return expression.value;
    case 'not':
      return !isTrue(expression.of, figures);
    case 'and':
      return isTrue(expression.left, figures) && isTrue(expression.right, figures);
    case 'or':
      return isTrue(expression.left, figures) || isTrue(expression.right, figures);
    case 'number':
    case 'figure':
    case 'times':
      throw new Error(`${expression.kind} is a number and not a condition`);
    default: {
      const left = numberOf(expression.left, figures);
      const right = numberOf(expression.right, figures);
      return left !== null && right !== null && compare(expression.kind, left, right);
    }
  }
}

function numberOf(expression: FigureExpression, figures: readonly FigureValue[]): FigureValue {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'figure':
      return figures[expression.at] ?? null;
    case 'times': {
      const left = numberOf(expression.left, figures);
      const right = numberOf(expression.right, figures);
      return left === null || right === null ? null : left * right;
    }
    default:
      throw new Error(`${expression.kind} is a condition and not a number`);
  }
}

function compare(comparison: Comparison, left: number, right: number): boolean {
  switch (comparison) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}

/** The same as `isTrue` in SQL; `figures` are the names of the columns. */
export function expressionSql(expression: FigureExpression, figures: readonly string[]): string {
  switch (expression.kind) {
    case 'truth':
      return expression.value ? '1' : '0';
    case 'not':
      return `NOT (${expressionSql(expression.of, figures)})`;
    case 'and':
    case 'or': {
      const left = expressionSql(expression.left, figures);
      return `(${left} ${expression.kind.toUpperCase()} ${expressionSql(expression.right, figures)})`;
    }
    case 'number':
      return `toFloat64(${expression.value})`;
    case 'figure':
      return figures[expression.at] ?? 'NULL';
    case 'times':
      return `(${expressionSql(expression.left, figures)} * ${expressionSql(expression.right, figures)})`;
    default: {
      const left = expressionSql(expression.left, figures);
      const right = expressionSql(expression.right, figures);
      const operator = expression.kind === '==' ? '=' : expression.kind;
      return `ifNull(isFinite(${left}) AND isFinite(${right}) AND ${left} ${operator} ${right}, 0)`;
    }
  }
}
