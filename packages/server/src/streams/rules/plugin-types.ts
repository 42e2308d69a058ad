/** Types of stream rules that plugins have added in this thread, by their numbers. */
import { type FieldValue, NameClash } from '#core/index.ts';
import type { RuleTypeDescription } from './rule-type.ts';

/** Undefined: the plugin failed, and the rule does not hold, even inverted. */
export type PluginRuleTest = (value: FieldValue) => boolean | undefined;

export interface PluginRuleType extends RuleTypeDescription {
  /** Throws an `InvalidError` for a value that it cannot use. */
  compile(value: string): PluginRuleTest;
}

/** Numbers below are for us. */
export const PLUGIN_RULE_NUMBERS = { first: 128, last: 239 };

const types = new Map<number, PluginRuleType>();

export function findPluginRuleType(number: number): PluginRuleType | undefined {
  return types.get(number);
}

export function pluginRuleTypes(): PluginRuleType[] {
  return [...types.values()].sort((left, right) => left.id - right.id);
}

/** Throws when its number or its name is taken. Returns what removes it again. */
export function registerRuleType(type: PluginRuleType): () => void {
  const other = pluginRuleTypes().find(({ id, name }) => id === type.id || name === type.name);
  if (other !== undefined) {
    throw new NameClash(`there is a stream rule type ${other.name} with the number ${other.id} already`);
  }
  types.set(type.id, type);
  return () => void types.delete(type.id);
}
