/** Compiles checked rules to closures. No text of a rule is ever run as JavaScript. */
import type { TextSpan } from './ast.ts';
import { compareValues, dynamicArithmetic, negated } from './operators.ts';
import type { CheckedRule, Typed, TypedCall, TypedStatement } from './typed.ts';
import type { FunctionSignature, RuleType } from './types.ts';
import { boxDouble, DOUBLE_ARITHMETIC, LONG_ARITHMETIC, type Long } from './values/numbers.ts';
import { areEqual, elementOf, largeSizeOf, memberOf, type Value } from './values/value.ts';

/** What an evaluation needs at least. The slots of variables are set anew by every rule. */
export interface RuleContext {
  readonly variables: Value[];
  /** A function has made a large value. Throws when all of them together are too large. @param size about how many characters */
  made(size: number): void;
}

export type Evaluate<C extends RuleContext> = (context: C) => Value;
export type Condition<C extends RuleContext> = (context: C) => boolean;

/** An argument of a call. Undefined where an optional one is not given. */
export interface CompiledArgument<C extends RuleContext> {
  readonly evaluate: Evaluate<C>;
  readonly isConstant: boolean;
  /** Only if it is constant. */
  readonly constant: Value;
}

/** A function that rules can call. */
export interface RuleFunction<C extends RuleContext> extends FunctionSignature {
  /** It returns what it is given or what the message has, mostly: then it tells the context itself what it has made. */
  readonly passesOn?: boolean | undefined;
  /** Called once for every call in a rule: the place for work that constant arguments allow to do once. */
  compile(args: readonly (CompiledArgument<C> | undefined)[]): Evaluate<C>;
}

/** How rules see the message. */
export interface RuleHost<C extends RuleContext> {
  fieldReader(field: string): Evaluate<C>;
  /** `$message` itself. */
  readonly message: Evaluate<C>;
}

/** A function failed. Says where in the rule. */
export class RuleError extends Error {
  override readonly name = 'RuleError';
  readonly at: TextSpan;

  constructor(message: string, at: TextSpan, options?: ErrorOptions) {
    super(message, options);
    this.at = at;
  }
}

export interface CompiledRule<C extends RuleContext> {
  readonly name: string;
  readonly condition: Condition<C>;
  /** In order. They throw `RuleError`. */
  readonly actions: readonly ((context: C) => void)[];
}

export function compileRule<C extends RuleContext>(
  rule: CheckedRule<RuleFunction<C>>,
  host: RuleHost<C>,
): CompiledRule<C> {
  const compiler = new Compiler(host, rule.source);
  return {
    name: rule.name,
    condition: compiler.condition(rule.condition),
    actions: rule.statements.map((statement) => compiler.statement(statement)),
  };
}

/** Compiles one condition. */
export function compileCondition<C extends RuleContext>(
  condition: Typed<RuleFunction<C>>,
  host: RuleHost<C>,
  source: string,
): Condition<C> {
  return new Compiler(host, source).condition(condition);
}

type Node<C extends RuleContext> = Typed<RuleFunction<C>>;

class Compiler<C extends RuleContext> {
  readonly #host: RuleHost<C>;
  readonly #source: string;

  constructor(host: RuleHost<C>, source: string) {
    this.#host = host;
    this.#source = source;
  }

  statement(statement: TypedStatement<RuleFunction<C>>): (context: C) => void {
    if (statement.kind === 'call') return this.#call(statement.call);
    const { slot } = statement;
    const value = this.value(statement.value);
    return (context) => {
      context.variables[slot] = value(context);
    };
  }

  condition(node: Node<C>): Condition<C> {
    switch (node.kind) {
      case 'and':
        return allOf(node.operands.map((operand) => this.condition(operand)));
      case 'or':
        return anyOf(node.operands.map((operand) => this.condition(operand)));
      case 'not': {
        const operand = this.condition(node.operand);
        return (context) => !operand(context);
      }
      case 'equality':
        return this.#equality(node);
      case 'comparison':
        return this.#comparison(node);
      default: {
        const value = this.value(node);
        return (context) => value(context) === true;
      }
    }
  }

  value(node: Node<C>): Evaluate<C> {
    switch (node.kind) {
      case 'constant': {
        const { value } = node;
        return () => value;
      }
      case 'message-field':
        return this.#host.fieldReader(node.field);
      case 'message':
        return this.#host.message;
      case 'variable': {
        const { slot } = node;
        return (context) => context.variables[slot];
      }
      case 'list': {
        const elements = node.elements.map((element) => this.#boxed(element));
        return (context) => elements.map((element) => element(context));
      }
      case 'map': {
        const entries = node.entries.map(({ key, value }) => [key, this.#boxed(value)] as const);
        return (context) => new Map(entries.map(([key, value]) => [key, value(context)] as const));
      }
      case 'member': {
        const object = this.value(node.object);
        const { field } = node;
        return (context) => memberOf(object(context), field);
      }
      case 'index': {
        const object = this.value(node.object);
        const index = this.value(node.index);
        return (context) => elementOf(object(context), index(context));
      }
      case 'negate':
        return this.#negation(node.operand, node.type);
      case 'arithmetic':
        return this.#arithmetic(node);
      case 'call':
        return this.#call(node);
      default:
        return this.condition(node);
    }
  }

  /** A value whose type the receiver does not know. */
  #boxed(node: Node<C>): Evaluate<C> {
    const value = this.value(node);
    if (node.type !== 'Double') return value;
    return (context) => {
      const double = value(context);
      return typeof double === 'number' ? boxDouble(double) : double;
    };
  }

  #call({ fn, args, from, to }: TypedCall<RuleFunction<C>>): Evaluate<C> {
    const compiled = args.map((argument, index): CompiledArgument<C> | undefined => {
      if (argument === undefined) return undefined;
      const evaluate = fn.params[index]?.type === 'Object' ? this.#boxed(argument) : this.value(argument);
      const isConstant = argument.kind === 'constant';
      // A constant ignores its context, and there is none yet.
      return { evaluate, isConstant, constant: isConstant ? evaluate(NO_CONTEXT as C) : undefined };
    });
    const call = fn.compile(compiled);
    const { passesOn = false } = fn;
    const place = { from, to };
    const source = this.#source;
    return (context) => {
      try {
        const value = call(context);
        if (passesOn) return value;
        const size = largeSizeOf(value);
        if (size > 0) context.made(size);
        return value;
      } catch (error) {
        throw located(error, fn.name, place, source);
      }
    };
  }

  #negation(operandNode: Node<C>, type: RuleType): Evaluate<C> {
    const operand = this.value(operandNode);
    if (type !== 'Double') return (context) => negated(operand(context));
    return (context) => {
      const value = operand(context);
      return typeof value === 'number' ? -value : undefined;
    };
  }

  #arithmetic(node: Extract<Node<C>, { kind: 'arithmetic' }>): Evaluate<C> {
    const { operator } = node;
    if (node.type === 'Long') {
      const calculate = LONG_ARITHMETIC[operator];
      const [left, right] = [this.value(node.left), this.value(node.right)];
      return this.#located(node, (context) => {
        const first = left(context);
        const second = right(context);
        return first === undefined || second === undefined
          ? undefined
          : calculate(first as Long, second as Long);
      });
    }
    if (node.type === 'Double') {
      const calculate = DOUBLE_ARITHMETIC[operator];
      const [left, right] = [this.value(node.left), this.value(node.right)];
      return (context) => {
        const first = left(context);
        const second = right(context);
        return first === undefined || second === undefined
          ? undefined
          : calculate(Number(first), Number(second));
      };
    }
    const [left, right] = [this.#boxed(node.left), this.#boxed(node.right)];
    return this.#located(node, (context) => {
      const value = dynamicArithmetic(operator, left(context), right(context));
      const size = largeSizeOf(value);
      if (size > 0) context.made(size);
      return value;
    });
  }

  #comparison(node: Extract<Node<C>, { kind: 'comparison' }>): Condition<C> {
    const [left, right] = [this.value(node.left), this.value(node.right)];
    const { operator } = node;
    return this.#located(node, (context) => compareValues(operator, left(context), right(context)));
  }

  #equality(node: Extract<Node<C>, { kind: 'equality' }>): Condition<C> {
    const [left, right] = [this.#boxed(node.left), this.#boxed(node.right)];
    const wanted = !node.isNegated;
    return (context) => {
      const first = left(context);
      // Evaluated in any case: a rule fails the same way whether or not a message has the field on the left.
      const second = right(context);
      // What is not there is neither equal to anything nor different from it.
      return first !== undefined && areEqual(first, second) === wanted;
    };
  }

  #located<T>(place: TextSpan, evaluate: (context: C) => T): (context: C) => T {
    const at = { from: place.from, to: place.to };
    return (context) => {
      try {
        return evaluate(context);
      } catch (error) {
        throw located(error, undefined, at, this.#source);
      }
    };
  }
}

const NO_CONTEXT: RuleContext = { variables: [], made: () => {} };

function located(error: unknown, name: string | undefined, at: TextSpan, source: string): RuleError {
  if (error instanceof RuleError) return error;
  const before = source.slice(0, at.from);
  const line = before.split('\n').length;
  const column = at.from - before.lastIndexOf('\n');
  const reason = error instanceof Error ? error.message : String(error);
  const place = `at ${line}:${column}`;
  const what = name === undefined ? `In the expression ${place}` : `In call to function '${name}' ${place}`;
  return new RuleError(`${what}: ${reason}`, at, { cause: error });
}

function allOf<C extends RuleContext>(conditions: readonly Condition<C>[]): Condition<C> {
  const [first, second] = conditions;
  if (first !== undefined && second !== undefined && conditions.length === 2) {
    return (context) => first(context) && second(context);
  }
  return (context) => {
    for (let index = 0; index < conditions.length; index++) {
      if (conditions[index]?.(context) !== true) return false;
    }
    return true;
  };
}

function anyOf<C extends RuleContext>(conditions: readonly Condition<C>[]): Condition<C> {
  return (context) => {
    for (let index = 0; index < conditions.length; index++) {
      if (conditions[index]?.(context) === true) return true;
    }
    return false;
  };
}
