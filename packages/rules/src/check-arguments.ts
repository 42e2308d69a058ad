/** Which argument of a call belongs to which parameter. */
import type { Argument, Expression, TextSpan } from './ast.ts';
import type { Problems } from './problems.ts';
import type { FunctionParameter, FunctionSignature } from './types.ts';

export interface ResolvedArgument {
  readonly parameter: FunctionParameter;
  readonly value: Expression;
}

/** In the order of the parameters; undefined when the arguments do not fit. */
export function resolveArguments(
  fn: FunctionSignature,
  args: readonly Argument[],
  at: TextSpan,
  problems: Problems,
): readonly (ResolvedArgument | undefined)[] | undefined {
  const byName = new Map<string, Expression>();
  let isWrong = false;
  const wrong = (...problem: Parameters<Problems['add']>) => {
    problems.add(...problem);
    isWrong = true;
  };
  for (const [index, argument] of args.entries()) {
    const name = argument.name ?? fn.params[index]?.name;
    if (name === undefined) {
      wrong(
        'wrong_number_of_args',
        argument,
        `${fn.name}() takes ${count(fn.params.length)}, not ${args.length}.`,
        {
          hint: signatureText(fn),
        },
      );
      break;
    }
    if (!fn.params.some((parameter) => parameter.name === name)) {
      wrong('unknown_parameter', argument, `${fn.name}() has no parameter ${name}.`, {
        hint: signatureText(fn),
      });
    } else if (byName.has(name)) {
      wrong('duplicate_argument', argument, `The parameter ${name} has two values.`);
    }
    byName.set(name, argument.value);
  }
  const missing = fn.params.filter(({ name, isOptional }) => !isOptional && !byName.has(name));
  if (missing.length > 0 && !isWrong) {
    const names = missing.map(({ name }) => name).join(', ');
    wrong('missing_required_param', at, `${fn.name}() needs a value for ${names}.`, {
      hint: signatureText(fn),
    });
  }
  if (isWrong) return undefined;
  return fn.params.map((parameter) => {
    const value = byName.get(parameter.name);
    return value && { parameter, value };
  });
}

function count(params: number): string {
  return params === 1 ? '1 argument' : `${params} arguments`;
}

/** `substring(value: String, start: Long, [end: Long]) : String` */
export function signatureText({ name, params, returns }: FunctionSignature): string {
  const all = params.map((each) => {
    const text = `${each.name}: ${each.type}`;
    return each.isOptional ? `[${text}]` : text;
  });
  return `${name}(${all.join(', ')}) : ${returns}`;
}
