import { type FieldValue, InvalidError } from '#core/index.ts';
import { findPluginRuleType, type PluginRuleTest, pluginRuleTypes } from './plugin-types.ts';
import { compileRegex, RegexError } from './regex.ts';
import { STEPS_PER_MS } from './regex-cost.ts';
import { type BuiltInRuleType, RULE_TYPE, ruleTypeOf, type StreamRule } from './rule.ts';
import { isBlankText, isTimeField, numberFromText, numberOf, timeText, trimmed } from './values.ts';

/**
 * One compiled rule. Whether it matches a message, before `inverted` is applied:
 *
 * | type     | matches when                                            | field missing                |
 * |----------|---------------------------------------------------------|------------------------------|
 * | exact    | the trimmed text of the field equals the value          | as if it did not match       |
 * | regex    | the expression is found in the text of the field        | as if it did not match       |
 * | greater  | the number in the field is greater than the value       | no match, even inverted      |
 * | smaller  | the number in the field is smaller than the value       | no match, even inverted      |
 * | presence | the field exists and is not a blank text                | as if it did not match       |
 * | contains | the value is a part of the text of the field            | as if it did not match       |
 * | always   | always, even inverted                                   |                              |
 * | input    | the message came through this input; case is ignored    | as if it did not match       |
 * | plugin   | the test of the plugin says so                          | as if it did not match       |
 *
 * Rules that compare text use the text of a number, and rules that compare numbers read numbers from texts. A value that
 * is not a number is neither greater nor smaller, even inverted.
 */

/** The field with the id of the input that received a message. */
export const INPUT_FIELD = 'gl2_source_input';

/** Evaluation order of the types: cheap ones first. */
const COST_RANK: Readonly<Record<BuiltInRuleType, number>> = {
  [RULE_TYPE.always]: 0,
  [RULE_TYPE.presence]: 1,
  [RULE_TYPE.input]: 2,
  [RULE_TYPE.exact]: 3,
  [RULE_TYPE.greater]: 4,
  [RULE_TYPE.smaller]: 5,
  [RULE_TYPE.contains]: 6,
  [RULE_TYPE.regex]: 7,
};

/** A plugin may take any time. */
const PLUGIN_RANK = 8;

const NEVER = /(?!)/;

export class Predicate {
  readonly type: number;
  readonly field: string;
  readonly inverted: boolean;
  /** The value as the type compares it. */
  readonly text: string;
  readonly number: number | bigint;
  readonly regex: RegExp;
  readonly isTime: boolean;
  /** Contained in every text for which the rule holds before `inverted`; empty if there is no such literal. */
  readonly literal: string;
  readonly rank: number;
  /** Of a type that a plugin has added. */
  readonly #pluginTest: PluginRuleTest | undefined;
  readonly #longestText: (steps: number) => number;
  /** Texts up to this length are matched well within the time limit, whatever they contain. */
  safeLength = Number.POSITIVE_INFINITY;

  /** Throws an `InvalidError` when the rule cannot be compiled. */
  constructor(rule: Pick<StreamRule, 'type' | 'field' | 'value' | 'inverted'>) {
    this.type = rule.type;
    this.field = rule.type === RULE_TYPE.input ? INPUT_FIELD : rule.field;
    this.inverted = rule.inverted;
    this.text = rule.type === RULE_TYPE.input ? trimmed(rule.value).toLowerCase() : rule.value;
    this.number =
      rule.type === RULE_TYPE.greater || rule.type === RULE_TYPE.smaller ? thresholdOf(rule.value) : 0;
    const regex = rule.type === RULE_TYPE.regex ? regexOf(rule.value) : undefined;
    this.regex = regex?.regex ?? NEVER;
    this.isTime = isTimeField(this.field);
    this.literal = rule.type === RULE_TYPE.contains ? rule.value : (regex?.literal ?? '');
    this.#pluginTest = pluginTestOf(rule);
    this.rank = COST_RANK[rule.type as BuiltInRuleType] ?? PLUGIN_RANK;
    // Searching for a value may compare all of it at every position.
    this.#longestText = regex?.cost.longestText ?? ((steps) => steps / Math.max(1, rule.value.length));
  }

  /** Predicates with the same key give the same result for every message. */
  get key(): string {
    return JSON.stringify([this.type, this.field, this.inverted, this.#comparedValue()]);
  }

  /** Lowers `safeLength` to texts that certainly take no longer than this. */
  limitTo(milliseconds: number): void {
    if (this.type !== RULE_TYPE.regex && this.type !== RULE_TYPE.contains) return;
    this.safeLength = Math.min(this.safeLength, this.#longestText(milliseconds * STEPS_PER_MS));
  }

  /** Whether a plugin decides. */
  get isOfPlugin(): boolean {
    return this.#pluginTest !== undefined;
  }

  /** Whether there are values that cannot be matched without a time guard. */
  get mayTakeLong(): boolean {
    return this.isOfPlugin || this.type === RULE_TYPE.regex || this.type === RULE_TYPE.contains;
  }

  /** Whether this value can be matched without a time guard. */
  isQuick(value: FieldValue | undefined): boolean {
    if (this.#pluginTest !== undefined) return value === undefined;
    return typeof value !== 'string' || value.length <= this.safeLength;
  }

  /** Undefined when the regular expression needs more memory for its way back than there is. */
  evaluate(value: FieldValue | undefined): boolean | undefined {
    try {
      return this.#evaluate(value);
    } catch (error) {
      // "Maximum call stack size exceeded": alternatives in a repetition, and a text of a megabyte.
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  #evaluate(value: FieldValue | undefined): boolean {
    if (this.type === RULE_TYPE.always) return true;
    if (this.type === RULE_TYPE.greater || this.type === RULE_TYPE.smaller) {
      const number = value === undefined ? undefined : numberOf(value);
      if (number === undefined) return false;
      const holds = this.type === RULE_TYPE.greater ? number > this.number : number < this.number;
      return holds !== this.inverted;
    }
    if (this.#pluginTest !== undefined && value !== undefined) {
      const result = this.#pluginTest(value);
      return result === undefined ? false : result !== this.inverted;
    }
    return (value !== undefined && this.#holds(value)) !== this.inverted;
  }

  #holds(value: FieldValue): boolean {
    switch (this.type) {
      case RULE_TYPE.exact:
        return trimmed(this.#textOf(value)) === this.text;
      case RULE_TYPE.regex:
        return this.regex.test(this.#textOf(value));
      case RULE_TYPE.contains:
        return this.#textOf(value).includes(this.text);
      case RULE_TYPE.presence:
        return typeof value !== 'string' || !isBlankText(value);
      default:
        return trimmed(String(value)).toLowerCase() === this.text;
    }
  }

  #textOf(value: FieldValue): string {
    if (typeof value === 'string') return value;
    return this.isTime && typeof value === 'number' ? timeText(value) : String(value);
  }

  #comparedValue(): string {
    if (this.type === RULE_TYPE.presence || this.type === RULE_TYPE.always) return '';
    const isNumeric = this.type === RULE_TYPE.greater || this.type === RULE_TYPE.smaller;
    return isNumeric ? String(this.number) : this.text;
  }
}

/** Undefined for a rule that cannot be compiled, as one whose plugin is gone. It never holds, not even inverted. */
export function usablePredicate(rule: StreamRule): Predicate | undefined {
  try {
    return new Predicate(rule);
  } catch (error) {
    if (error instanceof InvalidError) return undefined;
    throw error;
  }
}

function regexOf(value: string): ReturnType<typeof compileRegex> {
  try {
    return compileRegex(value);
  } catch (error) {
    if (!(error instanceof RegexError)) throw error;
    const place = error.position === undefined ? '' : ` at position ${error.position}`;
    throw new InvalidError(`${quoted(value)} is not a regular expression: ${error.message}${place}`, {
      cause: error,
      path: 'value',
    });
  }
}

function thresholdOf(value: string): number | bigint {
  const number = numberFromText(value);
  if (number === undefined) {
    throw new InvalidError(`${quoted(value)} is not a number, as this rule needs`, { path: 'value' });
  }
  return number;
}

const MAX_FIELD_LENGTH = 256;
const MAX_VALUE_LENGTH = 10_000;

interface RuleParts {
  readonly type: number;
  readonly field: string;
  readonly value: string;
  readonly inverted: boolean;
}

/** Throws an `InvalidError` that lists what is wrong, with the place in `rules` (`rules[2].value`). */
export function requireValidRules(rules: readonly RuleParts[]): void {
  const problems = rules.flatMap((rule, index) => {
    try {
      requireValidRule(rule);
      return [];
    } catch (error) {
      if (!(error instanceof InvalidError)) throw error;
      return error.problems.map(({ path, message }) => ({ path: `rules[${index}].${path}`, message }));
    }
  });
  const [first] = problems;
  if (first !== undefined) throw new InvalidError(first.message, { problems });
}

/** Throws an `InvalidError` that says what is wrong with a rule, with the name of the property. */
export function requireValidRule(rule: RuleParts): void {
  const description = ruleTypeOf(rule.type);
  if (description === undefined) {
    throw new InvalidError(unknownType(rule.type), { path: 'type' });
  }
  if (description.needsField && rule.field.trim() === '') {
    throw new InvalidError(`A rule of the type ${description.name} needs a field`, { path: 'field' });
  }
  if (description.needsValue && rule.value === '') {
    throw new InvalidError(`A rule of the type ${description.name} needs a value`, { path: 'value' });
  }
  requireLength('field', rule.field, MAX_FIELD_LENGTH);
  requireLength('value', rule.value, MAX_VALUE_LENGTH);
  new Predicate({ ...rule, type: description.id });
}

function unknownType(type: number): string {
  const ofPlugins = pluginRuleTypes().map(({ id }) => id);
  const others = ofPlugins.length === 0 ? '' : `, or that of a plugin: ${ofPlugins.join(', ')}`;
  return `Unknown stream rule type ${type}; expected a number from 1 to 8${others}`;
}

function pluginTestOf({ type, value }: Pick<StreamRule, 'type' | 'value'>): PluginRuleTest | undefined {
  if (type in COST_RANK) return undefined;
  const found = findPluginRuleType(type);
  if (found === undefined) throw new InvalidError(unknownType(type), { path: 'type' });
  return found.compile(value);
}

function requireLength(what: string, text: string, limit: number): void {
  if (text.length <= limit) return;
  throw new InvalidError(
    `The ${what} of a rule has at most ${limit} characters; ${quoted(text)} has ${text.length}`,
    { path: what },
  );
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
