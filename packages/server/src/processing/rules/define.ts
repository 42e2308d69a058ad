/** How functions of the rule language are written. */
import type {
  CompiledArgument,
  ConstantProblem,
  DateTime,
  Duration,
  Evaluate,
  Long,
  MatchResult,
  Period,
  RuleFunction,
  RuleType,
  Value,
  ValueMap,
} from '@millrace/rules';
import type { MessageValue, PipelineContext } from './context.ts';
import type { RuleKnowledge } from './knowledge.ts';
import type { IpAddress } from './values/ip-address.ts';
import type { JsonTree } from './values/json.ts';
import type { UrlValue } from './values/url-value.ts';

interface ValueTypes {
  Object: Value;
  String: string;
  Long: Long;
  Double: number;
  Boolean: boolean;
  DateTime: DateTime;
  Period: Period;
  Duration: Duration;
  IpAddress: IpAddress;
  URL: UrlValue;
  JsonNode: JsonTree;
  Map: ValueMap;
  List: readonly Value[];
  RegexMatchResult: MatchResult;
  GrokMatch: MatchResult;
  Message: MessageValue;
  Void: undefined;
}

export interface Parameter<T extends RuleType, TakesNull extends boolean> {
  readonly name: string;
  readonly type: T;
  readonly isOptional: boolean;
  readonly takesNull: TakesNull;
  readonly description: string;
}

/** A parameter that every call has. If its value is missing, so is the result. */
export function required<T extends RuleType>(
  name: string,
  type: T,
  description: string,
): Parameter<T, false> {
  return { name, type, isOptional: false, takesNull: false, description };
}

/** A parameter that every call has, and that may be missing in the message. */
export function nullable<T extends RuleType>(name: string, type: T, description: string): Parameter<T, true> {
  return { name, type, isOptional: false, takesNull: true, description };
}

export function optional<T extends RuleType>(name: string, type: T, description: string): Parameter<T, true> {
  return { name, type, isOptional: true, takesNull: true, description };
}

export type Params = readonly Parameter<RuleType, boolean>[];
type ValuesOf<P extends Params> = {
  [K in keyof P]: P[K] extends Parameter<infer T, infer TakesNull>
    ? TakesNull extends true
      ? ValueTypes[T] | undefined
      : ValueTypes[T]
    : never;
};

/** The result of a function that returns nothing. */
type NoResult = ReturnType<() => void>;
type ResultOf<R extends RuleType> = R extends 'Void' ? NoResult : ValueTypes[R] | undefined;

export interface FunctionDefinition<P extends Params, R extends RuleType> {
  readonly name: string;
  readonly description: string;
  readonly params: P;
  readonly returns: R;
  /** It changes the message, or depends on more than its arguments and the message. */
  readonly hasEffect?: boolean;
  /** See `RuleFunction`. */
  readonly passesOn?: boolean;
  checkConstants?: CheckConstants;
  call(context: PipelineContext, ...values: ValuesOf<P>): ResultOf<R>;
  /** A faster way to do the same, if these arguments allow it: mostly because some are constant. */
  compile?(
    args: readonly (CompiledArgument<PipelineContext> | undefined)[],
  ): Evaluate<PipelineContext> | undefined;
}

/** @param known as for a database that nobody has changed, if it is left out */
export type CheckConstants = (
  constants: ReadonlyMap<string, unknown>,
  known?: RuleKnowledge,
) => readonly ConstantProblem[];

export interface PipelineFunction extends RuleFunction<PipelineContext> {
  readonly checkConstants?: CheckConstants;
}

type AnyCall = (context: PipelineContext, ...values: Value[]) => Value;

export function defineFunction<const P extends Params, R extends RuleType>(
  definition: FunctionDefinition<P, R>,
): PipelineFunction {
  const { name, description, params, returns, hasEffect = false, passesOn } = definition;
  const call = definition.call as AnyCall;
  return {
    name,
    description,
    params,
    returns,
    isPure: !hasEffect,
    passesOn,
    ...(definition.checkConstants && { checkConstants: definition.checkConstants }),
    compile: (args) =>
      definition.compile?.(args) ??
      callWith(
        call,
        args,
        params.map(({ takesNull }) => !takesNull),
      ),
  };
}

type Argument = CompiledArgument<PipelineContext> | undefined;

/** The usual numbers of arguments have closures without a list of values. */
function callWith(
  call: AnyCall,
  args: readonly Argument[],
  isNeeded: readonly boolean[],
): Evaluate<PipelineContext> {
  const given = args.findLastIndex((argument) => argument !== undefined) + 1;
  const [first, second, third] = args;
  if (given === 1 && first !== undefined) {
    const one = first.evaluate;
    if (isNeeded[0] !== true) return (context) => call(context, one(context));
    return (context) => {
      const value = one(context);
      return value === undefined ? undefined : call(context, value);
    };
  }
  if (given === 2 && first !== undefined && second !== undefined) {
    const [one, two] = [first.evaluate, second.evaluate];
    const [needsOne, needsTwo] = isNeeded;
    return (context) => {
      const left = one(context);
      if (left === undefined && needsOne === true) return undefined;
      const right = two(context);
      if (right === undefined && needsTwo === true) return undefined;
      return call(context, left, right);
    };
  }
  if (given === 3 && first !== undefined && second !== undefined && third !== undefined) {
    const [one, two, three] = [first.evaluate, second.evaluate, third.evaluate];
    const [needsOne, needsTwo, needsThree] = isNeeded;
    return (context) => {
      const left = one(context);
      if (left === undefined && needsOne === true) return undefined;
      const middle = two(context);
      if (middle === undefined && needsTwo === true) return undefined;
      const right = three(context);
      if (right === undefined && needsThree === true) return undefined;
      return call(context, left, middle, right);
    };
  }
  return (context) => {
    const values: Value[] = [];
    for (let index = 0; index < given; index++) {
      const value = args[index]?.evaluate(context);
      if (value === undefined && isNeeded[index] === true) return undefined;
      values.push(value);
    }
    return call(context, ...values);
  };
}
