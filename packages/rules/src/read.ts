/** From the parser's tree to rules and pipelines. Called only for trees without syntax errors. */
import type {
  Argument,
  BinaryOperator,
  Call,
  Expression,
  Pipeline,
  Rule,
  Stage,
  StageMatch,
  Statement,
} from './ast.ts';
import { readFloat, readInteger, readText } from './literals.ts';
import type { Problems } from './problems.ts';
import type { Part } from './tree.ts';

export interface Reader {
  rule(part: Part): Rule;
  pipeline(part: Part): Pipeline;
}

const OPERATORS: ReadonlySet<string> = new Set([
  'Plus',
  'Minus',
  'Times',
  'Divide',
  'Modulo',
  'CompareOperator',
  'EqualOperator',
]);
const TOKENS: ReadonlySet<string> = new Set([...OPERATORS, 'Keyword', 'LogicKeyword', 'MessageReference']);
const MIN_LONG = -(2n ** 63n);

export function createReader(source: string, problems: Problems): Reader {
  return new TreeReader(source, problems);
}

class TreeReader implements Reader {
  readonly #source: string;
  readonly #problems: Problems;

  constructor(source: string, problems: Problems) {
    this.#source = source;
    this.#problems = problems;
  }

  rule(part: Part): Rule {
    const name = child(part, 'Name');
    const then = part.children.find((each) => each.name === 'Then');
    const statements = (then?.children ?? []).flatMap((statement) => this.#statement(statement));
    return { ...this.#name(name), condition: this.#inside(child(part, 'When')), statements, ...spanOf(part) };
  }

  pipeline(part: Part): Pipeline {
    const stages = part.children.filter(({ name }) => name === 'Stage').map((stage) => this.#stage(stage));
    const seen = new Set<number>();
    for (const { number, from, to } of stages) {
      if (seen.has(number)) {
        this.#problems.add('duplicate_stage', { from, to }, `The pipeline has two stages ${number}.`, {
          hint: 'Put their rules into one stage, or give one of them another number.',
        });
      }
      seen.add(number);
    }
    const sorted = stages.toSorted((one, other) => one.number - other.number);
    return { ...this.#name(child(part, 'Name')), stages: sorted, ...spanOf(part) };
  }

  #name(part: Part) {
    const [text] = part.children;
    const name = text === undefined ? '' : readText(text, this.#source, this.#problems);
    if (name.trim() === '') {
      this.#problems.add('invalid_literal', part, 'The name is empty.', {
        hint: 'Others refer to it by its name.',
      });
    }
    return { name, nameSpan: spanOf(part) };
  }

  /** Its name, or a text with it. */
  #messageField(part: Part): string {
    const text = part.children.find(({ name }) => name === 'String');
    if (text !== undefined) return readText(text, this.#source, this.#problems);
    return this.#identifier(child(part, 'FieldName'));
  }

  #stage(part: Part): Stage {
    const number = readInteger(child(part, 'Integer'), this.#source, this.#problems);
    const match = this.#text(child(part, 'Matching')).toLowerCase() as StageMatch;
    const rules = part.children
      .filter(({ name }) => name === 'RuleReference')
      .map((reference) => {
        const { name, nameSpan } = this.#name(child(reference, 'Name'));
        return { name, ...nameSpan };
      });
    return { number: Number(number), match, rules, ...spanOf(part) };
  }

  #statement(part: Part): Statement[] {
    if (part.name === 'CallStatement') return [{ kind: 'call', call: this.#call(child(part, 'Call')) }];
    if (part.name !== 'Let') return [];
    const identifier = child(part, 'Identifier');
    return [
      {
        kind: 'let',
        name: this.#identifier(identifier),
        nameSpan: spanOf(identifier),
        value: this.#inside(part),
      },
    ];
  }

  /** The only expression in a part. */
  #inside(part: Part): Expression {
    const [inner] = this.#operands(part);
    if (inner === undefined) throw new Error(`${part.name} has no expression`);
    return inner;
  }

  #operands(part: Part): Expression[] {
    return part.children
      .filter(
        ({ name }) => !TOKENS.has(name) && name !== 'Identifier' && name !== 'FieldName' && name !== 'Key',
      )
      .map((each) => this.#expression(each));
  }

  #expression(part: Part): Expression {
    const span = spanOf(part);
    switch (part.name) {
      case 'Parenthesized':
        return this.#inside(part);
      case 'Integer':
        return this.#integer(part);
      case 'Float':
        return { kind: 'float', value: readFloat(part, this.#source), ...span };
      case 'String':
      case 'Char':
        return { kind: 'string', value: readText(part, this.#source, this.#problems), ...span };
      case 'Boolean':
        return { kind: 'boolean', value: this.#text(part) === 'true', ...span };
      case 'Call':
        return this.#call(part);
      case 'Variable':
        return { kind: 'variable', name: this.#identifier(part), ...span };
      case 'List':
        return { kind: 'list', elements: this.#operands(part), ...span };
      case 'Map':
        return { kind: 'map', entries: this.#entries(part), ...span };
      case 'MessageField':
        return { kind: 'message-field', field: this.#messageField(part), ...span };
      case 'WholeMessage':
        return { kind: 'message', ...span };
      case 'Member':
        return {
          kind: 'member',
          object: this.#inside(part),
          field: this.#identifier(child(part, 'FieldName')),
          ...span,
        };
      case 'Index': {
        const [object, index] = this.#pair(part);
        return { kind: 'index', object, index, ...span };
      }
      case 'Sign':
        return this.#sign(part);
      case 'Not':
        return { kind: 'not', operand: this.#inside(part), ...span };
      case 'And':
      case 'Or':
        return { kind: part.name === 'And' ? 'and' : 'or', operands: this.#operands(part), ...span };
      default:
        if (!isBinary(part)) throw new Error(`${part.name} is no expression`);
        return this.#binary(part);
    }
  }

  #integer(part: Part): Expression {
    const value = readInteger(part, this.#source, this.#problems);
    if (value === -MIN_LONG) {
      this.#problems.add('invalid_literal', part, 'The number does not fit into 64 bits.', {
        hint: `The largest integer is ${-MIN_LONG - 1n}.`,
      });
    }
    return { kind: 'integer', value, ...spanOf(part) };
  }

  /** A sign before a number is part of it, so that the smallest of all numbers can be written. */
  #sign(part: Part): Expression {
    const isNegative = part.children[0]?.name === 'Minus';
    const operand = part.children[1];
    if (isNegative && operand?.name === 'Integer') {
      const value = readInteger(operand, this.#source, this.#problems);
      return { kind: 'integer', value: value === 0 ? 0 : -value, ...spanOf(part) };
    }
    return { kind: 'sign', isNegative, operand: this.#inside(part), ...spanOf(part) };
  }

  /** The operands in order, each but the first with the operator before it. */
  #binary(part: Part): Expression {
    const [first, ...others] = part.children;
    if (first === undefined) throw new Error(`${part.name} is empty`);
    let expression = this.#expression(first);
    for (let index = 0; index + 1 < others.length; index += 2) {
      const [operator, operand] = [others[index], others[index + 1]];
      if (operator === undefined || operand === undefined) throw new Error(`${part.name} has no two sides`);
      const right = this.#expression(operand);
      const kind = 'binary';
      const text = this.#text(operator) as BinaryOperator;
      expression = { kind, operator: text, left: expression, right, from: part.from, to: operand.to };
    }
    return expression;
  }

  #sides(part: Part): readonly [Part, Part] {
    const [left, right] = part.children.filter(({ name }) => !TOKENS.has(name));
    if (left === undefined || right === undefined) throw new Error(`${part.name} has no two sides`);
    return [left, right];
  }

  #pair(part: Part): readonly [Expression, Expression] {
    const [left, right] = this.#sides(part);
    return [this.#expression(left), this.#expression(right)];
  }

  #call(part: Part): Call {
    const nameSpan = spanOf(child(part, 'FunctionName'));
    const args = part.children
      .filter(({ name }) => name !== 'FunctionName')
      .map((argument): Argument => {
        if (argument.name !== 'Entry') {
          return { name: undefined, value: this.#expression(argument), ...spanOf(argument) };
        }
        const name = this.#identifier(child(argument, 'Key'));
        return { name, value: this.#inside(argument), ...spanOf(argument) };
      });
    return { kind: 'call', name: this.#identifier(nameSpan), nameSpan, args, ...spanOf(part) };
  }

  #entries(part: Part) {
    return part.children.map((entry) => ({
      key: this.#identifier(child(entry, 'Key')),
      value: this.#inside(entry),
    }));
  }

  #identifier(part: { readonly from: number; readonly to: number }): string {
    const text = this.#text(part);
    return text.startsWith('`') ? text.slice(1, -1) : text;
  }

  #text({ from, to }: { readonly from: number; readonly to: number }): string {
    return this.#source.slice(from, to);
  }
}

function isBinary({ name }: Part): boolean {
  return name === 'Multiplication' || name === 'Addition' || name === 'Comparison' || name === 'Equality';
}

function child(part: Part, name: string): Part {
  const found = part.children.find((each) => each.name === name);
  if (found === undefined) throw new Error(`${part.name} has no ${name}`);
  return found;
}

function spanOf({ from, to }: { readonly from: number; readonly to: number }) {
  return { from, to };
}
