/** The language of processing pipelines: grammar, types, and rules compiled to functions. */
export type * from './ast.ts';
export { checkRule, type RuleCheck } from './check.ts';
export { signatureText } from './check-arguments.ts';
export {
  type CompiledArgument,
  type CompiledRule,
  type Condition,
  compileCondition,
  compileRule,
  type Evaluate,
  type RuleContext,
  RuleError,
  type RuleFunction,
  type RuleHost,
} from './compile.ts';
export { parser as ruleParser } from './grammar/parser.ts';
export { ruleHighlighting } from './highlighting.ts';
export { MAX_NESTING, MAX_SOURCE_LENGTH, MAX_TEXT_LENGTH } from './limits.ts';
export {
  type ParsedFile,
  type ParsedPipeline,
  type ParsedRule,
  parseFile,
  parsePipeline,
  parseRule,
} from './parse.ts';
export type { Edit, ProblemType, RuleProblem } from './problems.ts';
export type { CheckedRule, Typed, TypedCall, TypedStatement } from './typed.ts';
export type { ConstantProblem, FunctionParameter, FunctionSignature, RuleType } from './types.ts';
export { DateTime, Duration, Period } from './values/dates.ts';
export { boxDouble, doubleText, type Long, longOf, truncated, WholeDouble } from './values/numbers.ts';
export {
  areEqual,
  elementOf,
  isList,
  isMap,
  joinedTexts,
  largeSizeOf,
  MatchResult,
  memberOf,
  OpaqueValue,
  requireTextLength,
  textOf,
  type Value,
  type ValueMap,
} from './values/value.ts';
