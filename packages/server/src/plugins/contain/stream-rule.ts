/** Types of stream rules that plugins add. */
import { errorMessage, type FieldValue, InvalidError } from '#core/index.ts';
import { PLUGIN_RULE_NUMBERS, type PluginRuleTest, type PluginRuleType } from '#streams/index.ts';
import { isMistake, PluginError } from '../fault.ts';
import type { PluginGuard } from '../guard.ts';

export interface StreamRuleDefinition {
  readonly id: string;
  readonly name: string;
  /** What clients send as its type: 128 to 239. No other type may have it, and it must never change. */
  readonly number: number;
  /** Between field and value of a rule: "is in the network". */
  readonly verb: string;
  readonly description: string;
  /** False: its rules have only a field. */
  readonly needsValue?: boolean;
  /**
   * Makes the test of a rule from its value, once for each rule. What it throws says what is wrong with the value, for
   * the person who wrote it. The test is called for each message that has the field; it shares the time limit of the
   * stream's rules.
   */
  compile(value: string): (value: FieldValue) => boolean;
}

export function containStreamRule(definition: StreamRuleDefinition, guard: PluginGuard): PluginRuleType {
  const { id, number, verb, description, needsValue = true } = definition;
  const { first, last } = PLUGIN_RULE_NUMBERS;
  if (!Number.isInteger(number) || number < first || number > last) {
    throw new Error(
      `the stream rule ${id} has the number ${JSON.stringify(number)}; plugins use ${first} to ${last}`,
    );
  }
  if (typeof verb !== 'string' || verb === '') throw new Error(`the stream rule ${id} has no verb`);
  return {
    id: number,
    name: id,
    shortDescription: verb,
    longDescription: String(description ?? verb),
    needsField: true,
    needsValue,
    compile: (value) => containTest(id, compileGuarded(definition, value, guard), guard),
  };
}

/** A value that the type cannot use is no fault of the plugin; a rule that cannot be compiled never holds. */
function compileGuarded(definition: StreamRuleDefinition, value: string, guard: PluginGuard) {
  const what = `compiling a rule of the type ${definition.id}`;
  try {
    return guard.call(
      what,
      () => {
        const test = definition.compile(value);
        if (typeof test !== 'function') throw new TypeError('compile did not return a function');
        return test;
      },
      { evenWhenOff: true, isExpected: (error) => !isMistake(error) },
    );
  } catch (error) {
    throw new InvalidError(
      `A rule of the type ${definition.id} cannot use the value ${JSON.stringify(value.slice(0, 200))}: ${errorMessage(error)}`,
      { path: 'value' },
    );
  }
}

/**
 * In workers the time limit of streams interrupts a test, in a way that the guard would not notice; elsewhere the guard
 * limits it.
 */
function containTest(id: string, test: (value: FieldValue) => boolean, guard: PluginGuard): PluginRuleTest {
  const what = `the stream rule ${id}`;
  return (value) => {
    try {
      return guard.call(what, () => test(value) === true, { isUnwatchedInWorkers: true });
    } catch (error) {
      if (error instanceof PluginError) return undefined;
      throw error;
    }
  };
}
