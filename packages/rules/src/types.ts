/** The types of expressions, by the names that Graylog shows. */

export type RuleType =
  | 'Object'
  | 'String'
  | 'Long'
  | 'Double'
  | 'Boolean'
  | 'DateTime'
  | 'Period'
  | 'Duration'
  | 'IpAddress'
  | 'URL'
  | 'JsonNode'
  | 'Map'
  | 'List'
  | 'RegexMatchResult'
  | 'GrokMatch'
  | 'Message'
  | 'Void';

/** Types whose values are maps, too. */
const MAPS: ReadonlySet<RuleType> = new Set(['Map', 'RegexMatchResult', 'GrokMatch']);

export function isMapType(type: RuleType): boolean {
  return MAPS.has(type);
}

export function isNumberType(type: RuleType): boolean {
  return type === 'Long' || type === 'Double';
}

/** Whether an expression of type `given` may be an argument of type `wanted`. */
export function isAssignable(given: RuleType, wanted: RuleType): boolean {
  if (wanted === 'Object') return given !== 'Void';
  return given === wanted || (wanted === 'Map' && isMapType(given));
}

/** The function that makes this type of anything. */
export const CONVERSIONS: Readonly<Partial<Record<RuleType, string>>> = {
  String: 'to_string',
  Long: 'to_long',
  Double: 'to_double',
  Boolean: 'to_bool',
  IpAddress: 'to_ip',
  URL: 'to_url',
  DateTime: 'to_date',
  Map: 'to_map',
};

export interface FunctionParameter {
  readonly name: string;
  readonly type: RuleType;
  readonly isOptional: boolean;
  /** The function looks at a missing value itself. Otherwise its result is missing, too. */
  readonly takesNull: boolean;
  readonly description: string;
}

/** What the checker and the editor know of a function. */
export interface FunctionSignature {
  readonly name: string;
  readonly description: string;
  readonly params: readonly FunctionParameter[];
  readonly returns: RuleType;
  /** Its result depends on the arguments and the message alone, and it changes neither. */
  readonly isPure: boolean;
  /** What is wrong with constant arguments, such as a regular expression that is not one; by parameter. */
  checkConstants?(constants: ReadonlyMap<string, unknown>): readonly ConstantProblem[];
}

export interface ConstantProblem {
  readonly parameter: string;
  /** A sentence. */
  readonly message: string;
  readonly hint?: string;
}
