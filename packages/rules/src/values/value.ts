/** What expressions of rules can be. */
import { MAX_TEXT_LENGTH } from '../limits.ts';
import { DateTime, type Duration, type Period } from './dates.ts';
import { WholeDouble } from './numbers.ts';

/** Functions have values of their own, such as addresses; they are instances of this. */
export abstract class OpaqueValue {
  abstract toString(): string;
  /** `value.field` in a rule. */
  member(_name: string): Value {
    return undefined;
  }
}

export type Value =
  | undefined
  | string
  | number
  | bigint
  | boolean
  | WholeDouble
  | DateTime
  | Period
  | Duration
  | OpaqueValue
  | ValueMap
  | readonly Value[];

export type ValueMap = ReadonlyMap<string, Value>;

/**
 * What a pattern found: a map of its groups. `matches` says whether it was found at all.
 *
 * Patterns have few groups, and every match makes one of these. Two lists cost a fraction of what a `Map` does; the
 * names are the same list for all matches of a pattern.
 */
export class MatchResult implements ReadonlyMap<string, Value> {
  readonly matches: boolean;
  readonly #names: readonly string[];
  readonly #values: readonly Value[];

  /** @param names each of them once, with the value at the same position */
  constructor(matches: boolean, names: readonly string[], values: readonly Value[]) {
    this.matches = matches;
    this.#names = names;
    this.#values = values;
  }

  get size(): number {
    return this.#names.length;
  }

  get(name: string): Value {
    const position = this.#names.indexOf(name);
    return position < 0 ? undefined : this.#values[position];
  }

  has(name: string): boolean {
    return this.#names.includes(name);
  }

  forEach(visit: (value: Value, name: string, map: ReadonlyMap<string, Value>) => void): void {
    for (let position = 0; position < this.#names.length; position++) {
      visit(this.#values[position], this.#names[position] ?? '', this);
    }
  }

  keys(): MapIterator<string> {
    return this.#names.values();
  }

  values(): MapIterator<Value> {
    return this.#values.values();
  }

  *entries(): MapIterator<[string, Value]> {
    for (let position = 0; position < this.#names.length; position++) {
      yield [this.#names[position] ?? '', this.#values[position]];
    }
  }

  [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries();
  }
}

export function isMap(value: unknown): value is ValueMap {
  return value instanceof Map || value instanceof MatchResult;
}

export function isList(value: unknown): value is readonly Value[] {
  return Array.isArray(value);
}

/** A text that shows the value. Throws when it would be longer than `MAX_TEXT_LENGTH`. */
export function textOf(value: Value): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  if (isList(value)) return `[${joinedTexts(value, ', ', elementText)}]`;
  if (isMap(value)) return `{${joinedTexts(value, ', ', ([key, each]) => `${key}=${elementText(each)}`)}}`;
  return String(value);
}

/** Smaller ones do not matter: a rule has so many calls and no more. */
const LARGE_LENGTH = 4096;
const LARGE_COUNT = 256;
/** What an element takes beside its own text, in characters. */
const ELEMENT_SIZE = 16;

/** About how many characters of memory a value takes that a function has made; 0: few. */
export function largeSizeOf(value: Value): number {
  if (typeof value === 'string') return value.length > LARGE_LENGTH ? value.length : 0;
  if (typeof value !== 'object') return 0;
  const count = isList(value) ? value.length : value instanceof Map ? value.size : 0;
  return count > LARGE_COUNT ? count * ELEMENT_SIZE : 0;
}

/** Looks at the length on the way: a list may contain the same long list many times. */
export function joinedTexts<T>(
  elements: Iterable<T>,
  delimiter: string,
  text: (element: T) => string,
): string {
  let joined = '';
  let isFirst = true;
  for (const element of elements) {
    joined += isFirst ? text(element) : delimiter + text(element);
    isFirst = false;
    requireTextLength(joined.length);
  }
  return joined;
}

/** Throws for a length that no text of a rule may have. */
export function requireTextLength(length: number): void {
  if (length > MAX_TEXT_LENGTH) {
    throw new Error(`the result would have more than ${MAX_TEXT_LENGTH} characters`);
  }
}

function elementText(value: Value): string {
  return value === undefined ? 'null' : textOf(value);
}

/** As `==` compares. Values of different types differ; dates are equal when they are the same moment. */
export function areEqual(left: Value, right: Value): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object') return false;
  if (left instanceof DateTime) return right instanceof DateTime && left.ms === right.ms;
  if (left instanceof WholeDouble) return right instanceof WholeDouble && left.value === right.value;
  if (isList(left)) {
    return (
      isList(right) &&
      left.length === right.length &&
      left.every((each, index) => areEqual(each, right[index]))
    );
  }
  if (isMap(left)) return isMap(right) && areEqualMaps(left, right);
  return left.constructor === right.constructor && String(left) === String(right);
}

function areEqualMaps(left: ValueMap, right: ValueMap): boolean {
  if (left.size !== right.size) return false;
  for (const [key, value] of left) {
    if (!right.has(key) || !areEqual(value, right.get(key))) return false;
  }
  return true;
}

/** `object.field`: an entry of a map, or a property of a value that has some. */
export function memberOf(object: Value, field: string): Value {
  if (object instanceof MatchResult) {
    if (field === 'matches') return object.matches;
    if (field === 'groups') return object;
    return object.get(field);
  }
  if (isMap(object)) return object.get(field);
  if (object instanceof OpaqueValue) return object.member(field);
  if (object instanceof DateTime) return dateMember(object, field);
  return undefined;
}

function dateMember({ ms, zoned }: DateTime, field: string): Value {
  switch (field) {
    case 'millis':
      return ms;
    case 'year':
    case 'hour':
      return zoned[field];
    case 'monthOfYear':
      return zoned.month;
    case 'dayOfMonth':
      return zoned.day;
    case 'dayOfWeek':
      return zoned.dayOfWeek;
    case 'dayOfYear':
      return zoned.dayOfYear;
    case 'hourOfDay':
      return zoned.hour;
    case 'minuteOfHour':
      return zoned.minute;
    case 'secondOfMinute':
      return zoned.second;
    case 'millisOfSecond':
      return zoned.millisecond;
    case 'weekyear':
      return zoned.yearOfWeek;
    case 'weekOfWeekyear':
      return zoned.weekOfYear;
    default:
      return undefined;
  }
}

/** `object[index]`: an element of a list, or an entry of a map. */
export function elementOf(object: Value, index: Value): Value {
  if (isList(object)) return typeof index === 'number' ? object[index] : undefined;
  if (isMap(object)) return typeof index === 'string' ? object.get(index) : undefined;
  return undefined;
}
