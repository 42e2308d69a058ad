/** JSON as rules see it. Integers keep all digits. */
import {
  isList,
  isMap,
  joinedTexts,
  longOf,
  OpaqueValue,
  type RuleContext,
  type Value,
  WholeDouble,
} from '@millrace/rules';
import { chargeParsing } from './parsing-charge.ts';

/** What `parse_json` returns. */
export class JsonTree extends OpaqueValue {
  readonly value: Value;

  constructor(value: Value) {
    super();
    this.value = value;
  }

  override toString(): string {
    return jsonText(this.value);
  }

  toJSON(): string {
    return this.toString();
  }
}

/**
 * What reads and writes JSON calls itself for each level. How many levels the stack has room for depends on what V8 has
 * compiled by then: 2,000 fit at one time and not at another. These fit always.
 */
const MAX_LEVELS = 500;

/** Undefined: the text is not JSON. Throws when it has too many levels. */
export function parseJson(text: string): { readonly value: Value } | undefined {
  try {
    if (text.length > MAX_LEVELS && hasTooManyLevels(text)) {
      // Without a function for its values this is no recursion. It throws when the text is not JSON.
      JSON.parse(text);
      throw new Error(`the JSON is nested more than ${MAX_LEVELS} levels deep`);
    }
    return { value: valueOfJson(parseWithSource(text, exactNumbers)) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The same for a rule, which may not parse without end. */
export function parsedBy(
  context: Pick<RuleContext, 'made'>,
  text: string,
): { readonly value: Value } | undefined {
  chargeParsing(context, text);
  return parseJson(text);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function hasTooManyLevels(text: string): boolean {
  let levels = 0;
  let isInText = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) isInText = !isInText;
    else if (isInText) {
      if (code === BACKSLASH) index += 1;
    } else if (code === 0x7b || code === 0x5b) {
      levels += 1;
      if (levels > MAX_LEVELS) return true;
    } else if (code === 0x7d || code === 0x5d) levels -= 1;
  }
  return false;
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
/** The types do not know yet that a reviver gets the text of a number. */
const parseWithSource = JSON.parse as (text: string, reviver: Reviver) => unknown;

function exactNumbers(_key: string, value: unknown, { source }: { source?: string }): unknown {
  if (typeof value !== 'number' || source === undefined) return value;
  if (/[.eE]/.test(source)) return Number.isInteger(value) ? new WholeDouble(value) : value;
  return Number.isSafeInteger(value) ? value : integerOf(source, value);
}

function integerOf(source: string, value: number): unknown {
  const integer = BigInt(source);
  return BigInt.asIntN(64, integer) === integer ? longOf(integer) : value;
}

/** JSON that was parsed, as a value. */
export function valueOfJson(json: unknown): Value {
  if (typeof json === 'string') return json;
  if (json === null || json === undefined) return undefined;
  if (Array.isArray(json)) return json.map(valueOfJson);
  if (json instanceof WholeDouble) return json;
  if (typeof json === 'object') {
    return new Map(Object.entries(json).map(([key, value]) => [key, valueOfJson(value)]));
  }
  return typeof json === 'number' || typeof json === 'boolean' || typeof json === 'bigint' ? json : undefined;
}

/** Throws when the text would be too long. */
export function jsonText(value: Value): string {
  if (value === undefined) return 'null';
  if (typeof value === 'bigint') return String(value);
  if (isList(value)) return `[${joinedTexts(value, ',', jsonText)}]`;
  if (isMap(value)) {
    return `{${joinedTexts(value, ',', ([key, each]) => `${JSON.stringify(key)}:${jsonText(each)}`)}}`;
  }
  if (value instanceof WholeDouble) return String(value.value);
  if (value instanceof JsonTree) return jsonText(value.value);
  return typeof value === 'object' ? JSON.stringify(String(value)) : (JSON.stringify(value) ?? 'null');
}
