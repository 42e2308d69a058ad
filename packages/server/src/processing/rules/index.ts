/** The functions of the rule language, and what they work with. Runs in the workers; nothing here waits. */
export type { PipelineContext, RuleBatch, RuleEnvironment } from './context.ts';
export { MessageValue } from './context.ts';
export { flexibleDate, isoDate } from './dates/flexible-date.ts';
export { DatePatternError, namesOf, partsOfPattern, wantedZone, zoneOf } from './dates/joda-pattern.ts';
export { parseJodaDate } from './dates/parse-date.ts';
export type { FunctionDefinition, Parameter, Params, PipelineFunction } from './define.ts';
export { defineFunction, nullable, optional, required } from './define.ts';
export { FUNCTIONS, registerFunction } from './functions/index.ts';
export { functionsKnowing } from './functions-knowing.ts';
export { type RuleKnowledge, STOCK_KNOWLEDGE } from './knowledge.ts';
export type { RuleLookups } from './lookups.ts';
export { lookedUpSingle } from './lookups.ts';
export {
  fieldNames,
  isUnchangeable,
  type ReadField,
  readerOf,
  removeField,
  storedValueOf,
  writeField,
} from './message-fields.ts';
export { MAX_FIELDS, MAX_NAME_LENGTH } from './message-limits.ts';
export { type CompiledGrok, compileGrok, grokNamesIn } from './patterns/grok.ts';
export { PatternError } from './patterns/java-regex.ts';
export { quickSearch } from './patterns/quick-search.ts';
export { javaRegex } from './patterns/regex-cache.ts';
export { replaceMatches } from './patterns/replacement.ts';
export { grokPatternsOf, STOCK_GROK_PATTERNS } from './patterns/stock-patterns.ts';
export { doubleOf, longOfValue } from './values/conversions.ts';
export { readCsvLine } from './values/csv-line.ts';
export { parseJson } from './values/json.ts';
export { readKeyValues } from './values/key-values.ts';
export { facilityName, levelName } from './values/syslog.ts';
