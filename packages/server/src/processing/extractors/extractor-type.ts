import type { Value } from '@millrace/rules';
import {
  type ComponentDefinition,
  type ComponentType,
  type ConfigurationFields,
  defineComponent,
  type FieldOptions,
  field,
  types,
} from '#core/index.ts';
import { javaRegex, PatternError, type RuleLookups } from '../rules/index.ts';

/** A piece of a text. */
export interface Extracted {
  /** The field it goes to; undefined: the target field of the extractor. */
  readonly field: string | undefined;
  readonly value: Value;
  /** Where it is in the text, for extractors that cut; -1: nowhere in particular. */
  readonly begin: number;
  readonly end: number;
}

/** How an extractor reads a text: its type with its configuration. */
export interface Extraction {
  /** Texts up to this length take no longer than the limit, whatever they contain; longer ones need a time guard. */
  safeLength(limitMs: number): number;
  /** Empty: there is nothing to extract. Undefined: the text does not have the form that the type reads. */
  extract(text: string): readonly Extracted[] | undefined;
}

/** What extractors and their converters know beside the text. */
export interface ExtractorContext {
  readonly grokPatterns: ReadonlyMap<string, string>;
  /** Without it there are no lookup tables. */
  readonly lookups?: RuleLookups | undefined;
}

export const lookupTableField = field(types.text({ minLength: 1, maxLength: 100 }), {
  humanName: 'Lookup table',
  description: 'The name of the table. One that does not exist has no values.',
});

/** Its `wireType` is Graylog's class, which is part of the names of its metrics. */
export type ExtractorType = ComponentType<ExtractorContext, Extraction>;

/** A type of extractor is one of these in a file of its own, and a line in the registry. */
export function defineExtractorType<Fields extends ConfigurationFields>(
  definition: ComponentDefinition<Fields, ExtractorContext, Extraction>,
): ExtractorType {
  return defineComponent(definition);
}

/** For types whose work grows with the text and nothing else. */
export const ALWAYS_SAFE = () => Number.POSITIVE_INFINITY;

export const MAX_PATTERN_LENGTH = 10_000;

/** A regular expression as Java writes it. */
export function regexField(options: FieldOptions) {
  return field(types.text({ maxLength: MAX_PATTERN_LENGTH, check: regexProblem }), options);
}

/** Undefined: the expression is valid. */
export function regexProblem(expression: string): string | undefined {
  try {
    javaRegex(expression);
    return undefined;
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return `a valid regular expression (at character ${error.position}: ${error.message})`;
  }
}

/** As Graylog's extractors compile them: a dot matches line breaks, too. */
export function extractorRegex(expression: string) {
  return javaRegex(`(?s)${expression}`);
}
