/** A few functions, for the tests of the language alone. */
import type { CompiledArgument, Evaluate, RuleContext, RuleFunction } from './compile.ts';
import type { FunctionParameter, RuleType } from './types.ts';
import { LONG_ARITHMETIC, type Long, truncated } from './values/numbers.ts';
import { textOf, type Value } from './values/value.ts';

export interface TestContext extends RuleContext {
  readonly message: ReadonlyMap<string, Value>;
  readonly notes: string[];
}

type Call = (context: TestContext, ...values: Value[]) => Value;

function parameter(text: string): FunctionParameter {
  const [, name = '', optional, type = ''] = /^(\w+)(\?)?: (\w+)$/.exec(text) ?? [];
  const isOptional = optional !== undefined;
  return {
    name,
    type: type as RuleType,
    isOptional,
    takesNull: isOptional || type === 'Object',
    description: '',
  };
}

function define(
  name: string,
  params: readonly string[],
  returns: RuleType,
  call: Call,
): RuleFunction<TestContext> {
  return {
    name,
    description: '',
    params: params.map(parameter),
    returns,
    isPure: name !== 'note',
    checkConstants: (constants) =>
      constants.get('value') === 'forbidden'
        ? [{ parameter: 'value', message: 'This text is forbidden.' }]
        : [],
    compile(args: readonly (CompiledArgument<TestContext> | undefined)[]): Evaluate<TestContext> {
      return (context) => call(context, ...args.map((argument) => argument?.evaluate(context)));
    },
  };
}

export const TEST_FUNCTIONS: ReadonlyMap<string, RuleFunction<TestContext>> = new Map(
  [
    define('to_string', ['value: Object', 'default?: String'], 'String', (_, value, fallback) =>
      value === undefined ? (fallback ?? '') : textOf(value),
    ),
    define('to_long', ['value: Object'], 'Long', (_, value) =>
      typeof value === 'number' ? truncated(value) : 0,
    ),
    define('upper', ['value: String'], 'String', (_, value) => String(value).toUpperCase()),
    define('add', ['left: Long', 'right: Long'], 'Long', (_, left, right) =>
      LONG_ARITHMETIC['+'](left as Long, right as Long),
    ),
    define('has_field', ['field: String'], 'Boolean', ({ message }, field) => message.has(String(field))),
    define('note', ['value: Object'], 'Void', ({ notes }, value) => void notes.push(textOf(value))),
    define('fail', [], 'Boolean', () => {
      throw new Error('it failed');
    }),
  ].map((fn) => [fn.name, fn]),
);
