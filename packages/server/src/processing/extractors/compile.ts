import {
  type ConfigurationProblem,
  InvalidConfiguration,
  isFieldName,
  isProtectedFieldName,
} from '#core/index.ts';
import { type SnapshotExtractor, safeTextLength } from '#streams/index.ts';
import { isUnchangeable, PatternError, quickSearch } from '../rules/index.ts';
import type { Conversion } from './converter.ts';
import { CONVERTERS } from './converters/registry.ts';
import {
  ALWAYS_SAFE,
  type Extraction,
  type ExtractorContext,
  extractorRegex,
  MAX_PATTERN_LENGTH,
  regexProblem,
} from './extractor-type.ts';
import { EXTRACTOR_TYPES } from './types/registry.ts';

export type ExtractorDefinition = Omit<SnapshotExtractor, 'id' | 'inputId' | 'faultSlot'>;

/** Whether an extractor looks at a text. */
export interface Condition {
  safeLength(limitMs: number): number;
  holds(text: string): boolean;
}

export interface CompiledExtractor {
  readonly title: string;
  readonly sourceField: string;
  readonly targetField: string;
  /** Whether what is extracted is removed from the source. */
  readonly isCutting: boolean;
  /** Undefined: it looks at all texts. */
  readonly condition: Condition | undefined;
  readonly extraction: Extraction;
  readonly conversions: readonly NamedConversion[];
}

export interface NamedConversion {
  readonly name: string;
  readonly conversion: Conversion;
}

/** Types whose pieces name their own fields. */
export const WITHOUT_TARGET: ReadonlySet<string> = new Set(['grok', 'json']);

/** Everything that is wrong with an extractor, by the names in the API, instead of the extractor. */
export function compileExtractor(
  definition: ExtractorDefinition,
  context: ExtractorContext,
): CompiledExtractor | InvalidConfiguration {
  const problems: ConfigurationProblem[] = [];
  const report = (path: string, message: string) => {
    problems.push({ path, message });
  };
  checkFields(definition, report);
  const extraction = extractionOf(definition, context, report);
  const condition = conditionOf(definition, report);
  const conversions = definition.converters.flatMap(({ type, config }): NamedConversion[] => {
    const path = `converters.${type}`;
    const conversion = CONVERTERS.find(type)?.create(context, config);
    if (conversion === undefined) {
      report(path, `is not a converter; use ${namesOf(CONVERTERS.types)}`);
      return [];
    }
    if (!(conversion instanceof InvalidConfiguration)) return [{ name: type, conversion }];
    for (const problem of conversion.problems) report(`${path}.${problem.path}`, problem.message);
    return [];
  });
  if (extraction === undefined || problems.length > 0) return new InvalidConfiguration(problems);
  const { title, sourceField, targetField, cursorStrategy } = definition;
  const isCutting =
    cursorStrategy === 'cut' && targetField !== sourceField && !isProtectedFieldName(sourceField);
  return { title, sourceField, targetField, isCutting, condition, extraction, conversions };
}

type Report = (path: string, message: string) => void;

function checkFields({ type, sourceField, targetField }: ExtractorDefinition, report: Report): void {
  if (!isFieldName(sourceField)) report('source_field', notAName(sourceField));
  if (targetField === '' && WITHOUT_TARGET.has(type)) return;
  if (!isFieldName(targetField)) report('target_field', notAName(targetField));
  else if (isUnchangeable(targetField)) {
    report('target_field', `"${targetField}" is a field that Millrace sets itself; choose another name`);
  }
}

function notAName(name: string): string {
  return name === ''
    ? 'is missing'
    : `"${name}" is not a field name; letters, digits, underscores, dots and dashes are allowed`;
}

function extractionOf(
  { type, configuration }: ExtractorDefinition,
  context: ExtractorContext,
  report: Report,
): Extraction | undefined {
  const found = EXTRACTOR_TYPES.find(type);
  if (found === undefined) {
    report('extractor_type', `"${type}" is not a type of extractor; use ${namesOf(EXTRACTOR_TYPES.types)}`);
    return undefined;
  }
  try {
    const extraction = found.create(context, configuration);
    if (!(extraction instanceof InvalidConfiguration)) return extraction;
    for (const { path, message } of extraction.problems) report(`extractor_config.${path}`, message);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    report('extractor_config.grok_pattern', error.message);
  }
  return undefined;
}

function conditionOf(
  { conditionType, conditionValue }: ExtractorDefinition,
  report: Report,
): Condition | undefined {
  if (conditionType === 'none') return undefined;
  if (conditionType === 'string') {
    return { safeLength: ALWAYS_SAFE, holds: (text) => text.includes(conditionValue) };
  }
  const problem =
    conditionValue.length > MAX_PATTERN_LENGTH
      ? `a text of at most ${MAX_PATTERN_LENGTH} characters`
      : regexProblem(conditionValue);
  if (problem !== undefined) {
    report('condition_value', `must be ${problem}`);
    return undefined;
  }
  const regex = quickSearch(extractorRegex(conditionValue).regex);
  return {
    safeLength: (limitMs) => safeTextLength(regex, limitMs),
    holds: (text) => regex.test(text),
  };
}

function namesOf(types: readonly { readonly id: string }[]): string {
  return types.map(({ id }) => id).join(', ');
}
