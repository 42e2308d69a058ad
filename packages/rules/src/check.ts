/** Checks the types of a rule. */
import { closest } from 'fastest-levenshtein';
import type { BinaryExpression, Call, Expression, Rule, TextSpan } from './ast.ts';
import { resolveArguments } from './check-arguments.ts';
import { createProblems, type ProblemDetails, type Problems, type RuleProblem } from './problems.ts';
import type { CheckedRule, Typed, TypedCall, TypedStatement } from './typed.ts';
import {
  CONVERSIONS,
  type FunctionSignature,
  isAssignable,
  isMapType,
  isNumberType,
  type RuleType,
} from './types.ts';
import type { Value } from './values/value.ts';

export interface RuleCheck<F extends FunctionSignature> {
  /** Undefined when there are problems. */
  readonly rule: CheckedRule<F> | undefined;
  readonly problems: readonly RuleProblem[];
}

/** Checks a rule that was parsed from `source`, with these functions and no others. */
export function checkRule<F extends FunctionSignature>(
  rule: Rule,
  source: string,
  functions: ReadonlyMap<string, F>,
): RuleCheck<F> {
  const problems = createProblems(source);
  const checker = new Checker(source, functions, problems);
  const condition = checker.logical(rule.condition);
  const statements = rule.statements.map((statement): TypedStatement<F> | undefined => {
    if (statement.kind === 'call') {
      const call = checker.call(statement.call);
      return call && { kind: 'call', call };
    }
    const value = checker.variableValue(statement.value);
    const slot = checker.declare(statement.name, value?.type ?? 'Object');
    return value && { kind: 'let', slot, value };
  });
  if (!problems.isEmpty || condition === undefined) return { rule: undefined, problems: problems.list() };
  return {
    rule: {
      name: rule.name,
      condition,
      statements: statements.filter((statement) => statement !== undefined),
      variables: checker.variables,
      source,
    },
    problems: [],
  };
}

class Checker<F extends FunctionSignature> {
  readonly #source: string;
  readonly #functions: ReadonlyMap<string, F>;
  readonly #problems: Problems;
  readonly #declared = new Map<string, { readonly slot: number; readonly type: RuleType }>();
  variables = 0;

  constructor(source: string, functions: ReadonlyMap<string, F>, problems: Problems) {
    this.#source = source;
    this.#functions = functions;
    this.#problems = problems;
  }

  /** A variable that is declared again is another one from there on. */
  declare(name: string, type: RuleType): number {
    const slot = this.variables++;
    this.#declared.set(name, { slot, type });
    return slot;
  }

  /** An expression that is true or false. */
  logical(expression: Expression): Typed<F> | undefined {
    const typed = this.value(expression);
    if (typed === undefined || typed.type === 'Boolean' || typed.type === 'Object') return typed;
    this.#problems.add(
      'incompatible_type',
      expression,
      `A condition is true or false; this is of type ${typed.type}.`,
      { hint: 'Compare it with something, or convert it with to_bool().' },
    );
    return undefined;
  }

  /** An expression that has a value. */
  value(expression: Expression): Typed<F> | undefined {
    const typed = this.#expression(expression);
    if (typed?.type !== 'Void') return typed;
    this.#problems.add('incompatible_type', expression, 'The function has no result.', {
      hint: 'Call it as a statement of its own.',
    });
    return undefined;
  }

  /** As `value`; a function without a result gives a variable without a value, as in Graylog. */
  variableValue(expression: Expression): Typed<F> | undefined {
    const typed = this.#expression(expression);
    return typed?.type === 'Void' ? { ...typed, type: 'Object' } : typed;
  }

  call({ name, nameSpan, args, from, to }: Call): TypedCall<F> | undefined {
    const fn = this.#functions.get(name);
    if (fn === undefined) {
      for (const { value } of args) this.value(value);
      this.#undeclared('undeclared_function', nameSpan, `There is no function ${name}.`, name, [
        ...this.#functions.keys(),
      ]);
      return undefined;
    }
    const resolved = resolveArguments(fn, args, nameSpan, this.#problems);
    const typed = resolved?.map((argument) => argument && this.#argument(fn, argument));
    if (resolved === undefined || typed === undefined) return undefined;
    if (resolved.some((argument, index) => argument !== undefined && typed[index] === undefined))
      return undefined;
    this.#checkConstants(fn, typed);
    return { kind: 'call', type: fn.returns, fn, args: typed, from, to };
  }

  #argument(
    fn: F,
    { parameter, value }: { readonly parameter: F['params'][number]; readonly value: Expression },
  ): Typed<F> | undefined {
    const typed = this.value(value);
    if (typed === undefined || isAssignable(typed.type, parameter.type)) return typed;
    const message = `${fn.name}() wants ${parameter.type} for ${parameter.name}; this is of type ${typed.type}.`;
    this.#problems.add('incompatible_argument_type', value, message, this.#conversion(value, parameter.type));
    return undefined;
  }

  #conversion(value: TextSpan, type: RuleType): ProblemDetails {
    const convert = CONVERSIONS[type];
    if (convert === undefined || !this.#functions.has(convert)) return {};
    const text = this.#source.slice(value.from, value.to);
    return {
      hint: `Convert it with ${convert}().`,
      fix: { from: value.from, to: value.to, insert: `${convert}(${text})` },
    };
  }

  #checkConstants(fn: F, args: readonly (Typed<F> | undefined)[]): void {
    if (fn.checkConstants === undefined) return;
    const constants = new Map<string, Value>();
    for (const [index, argument] of args.entries()) {
      const name = fn.params[index]?.name;
      const value = argument && constantOf(argument);
      if (value !== undefined && name !== undefined) constants.set(name, value);
    }
    for (const { parameter, message, hint } of fn.checkConstants(constants)) {
      const place = args[fn.params.findIndex(({ name }) => name === parameter)];
      if (place !== undefined) this.#problems.add('invalid_argument', place, message, { hint });
    }
  }

  #expression(expression: Expression): Typed<F> | undefined {
    const { from, to } = expression;
    switch (expression.kind) {
      case 'integer':
        return { kind: 'constant', type: 'Long', value: expression.value, from, to };
      case 'float':
        return { kind: 'constant', type: 'Double', value: expression.value, from, to };
      case 'string':
        return { kind: 'constant', type: 'String', value: expression.value, from, to };
      case 'boolean':
        return { kind: 'constant', type: 'Boolean', value: expression.value, from, to };
      case 'message-field':
        return { kind: 'message-field', type: 'Object', field: expression.field, from, to };
      case 'message':
        return { kind: 'message', type: 'Message', from, to };
      case 'call':
        return this.call(expression);
      case 'variable':
        return this.#variable(expression.name, expression);
      case 'list': {
        const elements = this.#all(expression.elements);
        return elements && { kind: 'list', type: 'List', elements, from, to };
      }
      case 'map': {
        const values = this.#all(expression.entries.map(({ value }) => value));
        const entries = values?.map((value, index) => ({ key: expression.entries[index]?.key ?? '', value }));
        return entries && { kind: 'map', type: 'Map', entries, from, to };
      }
      case 'member': {
        const object = this.value(expression.object);
        return object && this.#member(object, expression.field, expression);
      }
      case 'index':
        return this.#index(expression.object, expression.index, expression);
      case 'sign':
        return this.#sign(expression.isNegative, expression.operand, expression);
      case 'not': {
        const operand = this.logical(expression.operand);
        return operand && { kind: 'not', type: 'Boolean', operand, from, to };
      }
      case 'and':
      case 'or': {
        const operands = expression.operands.map((operand) => this.logical(operand));
        if (!operands.every((operand) => operand !== undefined)) return undefined;
        return { kind: expression.kind, type: 'Boolean', operands, from, to };
      }
      case 'binary':
        return this.#binary(expression);
    }
  }

  #all(expressions: readonly Expression[]): Typed<F>[] | undefined {
    const typed = expressions.map((expression) => this.value(expression));
    return typed.every((each) => each !== undefined) ? typed : undefined;
  }

  #variable(name: string, at: TextSpan): Typed<F> | undefined {
    const known = this.#declared.get(name);
    if (known !== undefined) return { kind: 'variable', ...known, from: at.from, to: at.to };
    this.#undeclared('undeclared_variable', at, `There is no variable ${name}.`, name, [
      ...this.#declared.keys(),
    ]);
    return undefined;
  }

  #undeclared(
    type: 'undeclared_function' | 'undeclared_variable',
    at: TextSpan,
    message: string,
    name: string,
    known: readonly string[],
  ): void {
    // All names are compared to find a similar one.
    if (this.#problems.isFull) return;
    const similar = known.length === 0 ? undefined : closest(name.slice(0, 100), known);
    if (similar === undefined || !isSimilar(name, similar)) {
      const hint =
        type === 'undeclared_variable'
          ? `Declare it before: let ${name} = …; A text has double quotes.`
          : undefined;
      this.#problems.add(type, at, message, { hint });
      return;
    }
    this.#problems.add(type, at, message, {
      hint: `Did you mean ${similar}?`,
      fix: { from: at.from, to: at.to, insert: similar },
    });
  }

  #member(object: Typed<F>, field: string, { from, to }: TextSpan): Typed<F> | undefined {
    const isMatch = object.type === 'RegexMatchResult' || object.type === 'GrokMatch';
    const type = !isMatch
      ? 'Object'
      : field === 'matches'
        ? 'Boolean'
        : field === 'groups'
          ? 'Map'
          : 'Object';
    return { kind: 'member', type, object, field, from, to };
  }

  #index(objectPart: Expression, indexPart: Expression, { from, to }: TextSpan): Typed<F> | undefined {
    const object = this.value(objectPart);
    const index = this.value(indexPart);
    if (object === undefined || index === undefined) return undefined;
    const isMap = isMapType(object.type);
    if (!isMap && object.type !== 'List' && object.type !== 'Object') {
      this.#problems.add(
        'non_indexable_type',
        objectPart,
        `A value of type ${object.type} has no elements.`,
        {
          hint: 'Lists and maps have elements.',
        },
      );
      return undefined;
    }
    const wanted: RuleType | undefined = object.type === 'Object' ? undefined : isMap ? 'String' : 'Long';
    if (wanted !== undefined && index.type !== wanted && index.type !== 'Object') {
      this.#problems.add(
        'incompatible_index_type',
        indexPart,
        `Elements of a ${isMap ? 'map are found by a text' : 'list are found by a number'}; this is of type ${index.type}.`,
        this.#conversion(indexPart, wanted),
      );
      return undefined;
    }
    return { kind: 'index', type: 'Object', object, index, from, to };
  }

  #sign(isNegative: boolean, part: Expression, { from, to }: TextSpan): Typed<F> | undefined {
    const operand = this.value(part);
    if (operand === undefined) return undefined;
    if (!isNumberType(operand.type) && operand.type !== 'Object') {
      this.#problems.add(
        'incompatible_type',
        part,
        `Only numbers have a sign; this is of type ${operand.type}.`,
      );
      return undefined;
    }
    if (!isNegative) return operand;
    if (operand.kind === 'constant' && operand.type === 'Double' && typeof operand.value === 'number') {
      return { ...operand, value: -operand.value, from, to };
    }
    return { kind: 'negate', type: operand.type, operand, from, to };
  }

  #binary(expression: BinaryExpression): Typed<F> | undefined {
    const left = this.value(expression.left);
    const right = this.value(expression.right);
    if (left === undefined || right === undefined) return undefined;
    const { operator, from, to } = expression;
    switch (operator) {
      case '==':
      case '!=':
        return { kind: 'equality', type: 'Boolean', isNegated: operator === '!=', left, right, from, to };
      case '<':
      case '<=':
      case '>':
      case '>=':
        if (isComparable(left.type, right.type)) {
          return { kind: 'comparison', type: 'Boolean', operator, left, right, from, to };
        }
        return this.#incompatible(expression, left, right);
      default: {
        const type = arithmeticType(operator, left.type, right.type);
        if (type === undefined) return this.#incompatible(expression, left, right);
        return { kind: 'arithmetic', type, operator, left, right, from, to };
      }
    }
  }

  #incompatible({ operator, from, to }: BinaryExpression, left: Typed<F>, right: Typed<F>): undefined {
    const areTexts = operator === '+' && (left.type === 'String' || right.type === 'String');
    this.#problems.add(
      'incompatible_types',
      { from, to },
      `${operator} does not work with ${left.type} and ${right.type}.`,
      {
        hint: areTexts
          ? 'Join texts with concat(first, second), or convert the other one with to_string().'
          : 'Convert one of them, for example with to_long().',
      },
    );
    return undefined;
  }
}

/** What is known of an argument before the rule runs; undefined: nothing. */
function constantOf<F extends FunctionSignature>(argument: Typed<F>): Value {
  if (argument.kind === 'constant') return argument.value;
  if (argument.kind !== 'list') return undefined;
  const elements = argument.elements.map((element) => constantOf(element));
  return elements.includes(undefined) ? undefined : elements;
}

const TIMES: ReadonlySet<RuleType> = new Set(['DateTime', 'Duration']);

function isComparable(left: RuleType, right: RuleType): boolean {
  const fits = (type: RuleType) => type === 'Object' || isNumberType(type) || TIMES.has(type);
  if (!fits(left) || !fits(right)) return false;
  return (
    left === 'Object' || right === 'Object' || left === right || (isNumberType(left) && isNumberType(right))
  );
}

/** Undefined: the operator does not work with these types. */
function arithmeticType(operator: string, left: RuleType, right: RuleType): RuleType | undefined {
  if (isNumberType(left) && isNumberType(right))
    return left === 'Long' && right === 'Long' ? 'Long' : 'Double';
  const isSum = operator === '+' || operator === '-';
  if (left === 'Object' || right === 'Object') {
    const other = left === 'Object' ? right : left;
    const fits =
      isNumberType(other) || other === 'Object' || (isSum && (other === 'DateTime' || other === 'Period'));
    return fits ? 'Object' : undefined;
  }
  if (!isSum) return undefined;
  if (left === 'String' && right === 'String') return operator === '+' ? 'String' : undefined;
  if (left === 'DateTime' && right === 'Period') return 'DateTime';
  if (left === 'DateTime' && right === 'DateTime' && operator === '-') return 'Duration';
  if (left === 'Period' && right === 'Period') return 'Period';
  if (left === 'Period' && right === 'DateTime' && operator === '+') return 'DateTime';
  return undefined;
}

/** A typo changes few letters of a name. */
function isSimilar(name: string, other: string): boolean {
  if (other.startsWith(name) || name.startsWith(other)) return true;
  let same = 0;
  for (const letter of new Set(name)) if (other.includes(letter)) same += 1;
  return Math.abs(name.length - other.length) <= 2 && same >= new Set(other).size * 0.6;
}
