/** Conditions on figures, as Graylog's clients write them: a tree of `{expr, left, right, …}`. */
import { type ConfigurationProblem, field, InvalidValue, type ValueType } from '#core/index.ts';
import type { FigureExpression } from '#search/service.ts';

/** As it is stored and sent. */
export interface ConditionsTree {
  readonly expression?: ExpressionNode | null | undefined;
}

export interface ExpressionNode {
  readonly expr: string;
  readonly left?: ExpressionNode;
  readonly right?: ExpressionNode;
  readonly child?: ExpressionNode;
  readonly ref?: string;
  readonly value?: unknown;
  readonly [name: string]: unknown;
}

const MAX_NODES = 200;
const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='] as const;
const JOINED: ReadonlyMap<string, string> = new Map([
  ['&&', 'and'],
  ['||', 'or'],
]);

export const conditionsField = field(treeType(), {
  humanName: 'Conditions',
  description: 'When it alerts: a tree of comparisons between functions and numbers.',
  default: {},
  optional: true,
});

function treeType(): ValueType<ConditionsTree> {
  return {
    name: 'conditions',
    secret: false,
    shape: { control: 'object', jsonSchema: { type: 'object' } },
    parse: () => new InvalidValue('a JSON object'),
    read(given, report) {
      if (typeof given !== 'object' || given === null || Array.isArray(given)) {
        return report('must be an object such as {"expression": {"expr": ">", "left": …, "right": …}}');
      }
      return given as ConditionsTree;
    },
    write: (value) => value,
  };
}

/** The condition as the search understands it; undefined without any. Reports what it cannot read. */
export function readExpression(
  { expression }: ConditionsTree,
  seriesIds: readonly string[],
  problems: ConfigurationProblem[],
): FigureExpression | undefined {
  if (expression === undefined || expression === null) return undefined;
  return new ExpressionReader(seriesIds, problems).condition(expression, 'conditions.expression');
}

const NEVER: FigureExpression = { kind: 'truth', value: false };
const ZERO: FigureExpression = { kind: 'number', value: 0 };

class ExpressionReader {
  readonly #seriesIds: readonly string[];
  readonly #problems: ConfigurationProblem[];
  #nodes = 0;

  constructor(seriesIds: readonly string[], problems: ConfigurationProblem[]) {
    this.#seriesIds = seriesIds;
    this.#problems = problems;
  }

  condition(node: unknown, path: string): FigureExpression {
    if (!this.#isNode(node, path)) return NEVER;
    const { expr } = node;
    const comparison = COMPARISONS.find((known) => known === expr);
    if (comparison !== undefined) {
      const left = this.#number(node.left, `${path}.left`);
      return { kind: comparison, left, right: this.#number(node.right, `${path}.right`) };
    }
    switch (expr) {
      case '&&':
      case '||': {
        const left = this.condition(node.left, `${path}.left`);
        const right = this.condition(node.right, `${path}.right`);
        return { kind: expr === '&&' ? 'and' : 'or', left, right };
      }
      case '!':
        return { kind: 'not', of: this.condition(inner(node), `${path}.child`) };
      case 'group':
        return this.condition(inner(node), `${path}.child`);
      case 'true':
        return { kind: 'truth', value: true };
      default:
        return this.#refuse(path, `${JSON.stringify(expr)} is not a condition`, NEVER);
    }
  }

  #number(node: unknown, path: string): FigureExpression {
    if (!this.#isNode(node, path)) return ZERO;
    if (node.expr === 'number') {
      const value = Number(node.value);
      return Number.isFinite(value)
        ? { kind: 'number', value }
        : this.#refuse(path, `${JSON.stringify(node.value)} is not a number`, ZERO);
    }
    if (node.expr !== 'number-ref') {
      return this.#refuse(path, `${JSON.stringify(node.expr)} is neither number nor number-ref`, ZERO);
    }
    const at = this.#seriesIds.indexOf(String(node.ref));
    return at < 0
      ? this.#refuse(path, `there is no function with the id ${JSON.stringify(node.ref)}`, ZERO)
      : { kind: 'figure', at };
  }

  #isNode(node: unknown, path: string): node is ExpressionNode {
    this.#nodes += 1;
    if (this.#nodes > MAX_NODES) this.#refuse(path, `there are more than ${MAX_NODES} parts`, NEVER);
    else if (typeof node === 'object' && node !== null && 'expr' in node) return true;
    else this.#refuse(path, 'a part of the tree is missing', NEVER);
    return false;
  }

  #refuse(path: string, message: string, otherwise: FigureExpression): FigureExpression {
    if (this.#problems.length < 10) this.#problems.push({ path, message });
    return otherwise;
  }
}

/** Graylog's versions disagree about the name. */
function inner(node: ExpressionNode): unknown {
  return node.child ?? node.left;
}

/** For people: `count() > 5 and (avg(took_ms) > 100 or max(took_ms) > 1000)`. */
export function expressionText(node: ExpressionNode | null | undefined): string {
  if (node === undefined || node === null) return 'messages were found';
  switch (node.expr) {
    case 'number':
      return String(node.value);
    case 'number-ref':
      return String(node.ref);
    case 'true':
      return 'true';
    case '!':
      return `not (${expressionText(ungrouped(inner(node) as ExpressionNode))})`;
    case 'group':
      return `(${expressionText(ungrouped(node))})`;
    default: {
      const word = JOINED.get(node.expr) ?? node.expr;
      return `${operandText(node, node.left)} ${word} ${operandText(node, node.right)}`;
    }
  }
}

/** In the tree its place says what an "and" or "or" belongs to; a text needs brackets inside of the other one. */
function operandText({ expr: outer }: ExpressionNode, operand: ExpressionNode | undefined): string {
  const text = expressionText(operand);
  return operand !== undefined && JOINED.has(operand.expr) && operand.expr !== outer ? `(${text})` : text;
}

/** What stands in the brackets around it; several pairs say no more than one. */
function ungrouped(node: ExpressionNode): ExpressionNode {
  let inside = node;
  while (inside?.expr === 'group') inside = inner(inside) as ExpressionNode;
  return inside;
}

/** The number in a tree that is a single comparison, for charts. */
export function thresholdOf({ expression }: ConditionsTree): number | null {
  const value = Number(expression?.right?.value ?? Number.NaN);
  return expression?.right?.expr === 'number' && Number.isFinite(value) ? value : null;
}
