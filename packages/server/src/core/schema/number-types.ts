import { InvalidValue, mismatch, type Shape, type ValueType } from './value-type.ts';

interface NumberTypeDefinition {
  readonly name: string;
  readonly expected: string;
  readonly shape: Partial<Shape>;
  /** Of the value, not of its JSON. */
  readonly min: number;
  readonly max: number;
  readonly integer: boolean;
  /** What 1 stands for in JSON; 1 unless given. */
  readonly factor?: number;
  /** NaN for what is not a number of this type. */
  parse(text: string): number;
}

/** A type whose JSON is a number. Forms and scripts may send the text that people write instead. */
function numberType(definition: NumberTypeDefinition): ValueType<number> {
  const { name, expected, min, max, integer, factor = 1 } = definition;
  const bounds = { ...finite('min', min / factor), ...finite('max', max / factor) };
  const fits = (value: number): boolean =>
    value >= min && value <= max && (integer ? Number.isSafeInteger(value) : Number.isFinite(value));
  const parse = (text: string): number | InvalidValue => {
    const value = definition.parse(text);
    return fits(value) ? value : new InvalidValue(expected);
  };
  return {
    name,
    secret: false,
    shape: {
      control: 'number',
      jsonSchema: { type: 'number', ...finite('minimum', min / factor), ...finite('maximum', max / factor) },
      ...(min >= 0 && { attributes: ['only_positive'] }),
      ...bounds,
      ...definition.shape,
    },
    parse,
    read(given, report) {
      const value = typeof given === 'string' ? definition.parse(given.trim()) : scaled(given, factor);
      return fits(value) ? value : report(mismatch(expected, given));
    },
    write: (value) => value / factor,
  };
}

function finite<Name extends string>(name: Name, value: number): { [Key in Name]?: number } {
  return Number.isFinite(value) ? ({ [name]: value } as { [Key in Name]: number }) : {};
}

/** In units of the value; rounded, so that 1.001 seconds are 1001 milliseconds. */
function scaled(given: unknown, factor: number): number {
  if (typeof given !== 'number') return Number.NaN;
  return factor === 1 ? given : Math.round(given * factor);
}

export interface Range {
  readonly min?: number;
  readonly max?: number;
}

export function integer(range: Range = {}): ValueType<number> {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = range;
  return numberType({
    name: 'integer',
    expected: `a whole number${rangeText(min, max)}`,
    shape: {
      jsonSchema: {
        type: 'integer',
        minimum: Math.max(min, Number.MIN_SAFE_INTEGER),
        maximum: Math.min(max, Number.MAX_SAFE_INTEGER),
      },
    },
    min,
    max,
    integer: true,
    parse: parseInteger,
  });
}

function parseInteger(text: string): number {
  return /^[+-]?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
}

function rangeText(min: number, max: number): string {
  if (Number.isFinite(min) && Number.isFinite(max)) return ` from ${min} to ${max}`;
  if (Number.isFinite(min)) return ` of at least ${min}`;
  return Number.isFinite(max) ? ` of at most ${max}` : '';
}

/** Whole or not, such as a threshold. */
export function decimal(range: Range = {}): ValueType<number> {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = range;
  return numberType({
    name: 'number',
    expected: `a number${rangeText(min, max)}`,
    shape: {},
    min,
    max,
    integer: false,
    parse: (text) =>
      /^[+-]?\d{1,16}(?:\.\d{1,16})?(?:e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : Number.NaN,
  });
}

/** A TCP or UDP port; 0 lets the system choose a free one. */
export function port(): ValueType<number> {
  return numberType({
    name: 'port',
    expected: 'a port from 0 (any free one) to 65535',
    shape: {
      attributes: ['is_port_number'],
      jsonSchema: { type: 'integer', minimum: 0, maximum: 65_535 },
    },
    min: 0,
    max: 65_535,
    integer: true,
    parse: parseInteger,
  });
}

const SIZE_UNITS = new Map([
  ['', 1],
  ['b', 1],
  ['kb', 2 ** 10],
  ['mb', 2 ** 20],
  ['gb', 2 ** 30],
  ['tb', 2 ** 40],
]);

/** Bytes. `mb` is 2^20, as it is in Graylog; `MiB` and `M` are understood as the same. */
export function size(range: { readonly min: string; readonly max?: string }): ValueType<number> {
  const limits = range.max === undefined ? `of at least ${range.min}` : `from ${range.min} to ${range.max}`;
  const min = parseSize(range.min);
  const max = range.max === undefined ? Number.MAX_SAFE_INTEGER : parseSize(range.max);
  return numberType({
    name: 'size',
    expected: `a size ${limits} in kb, mb, gb or tb`,
    shape: { unit: 'bytes', jsonSchema: { type: 'integer', minimum: min, maximum: max } },
    min,
    max,
    integer: true,
    parse: parseSize,
  });
}

function parseSize(text: string): number {
  const match = /^(\d{1,15})\s*([a-z]*)$/.exec(text.toLowerCase());
  if (match === null) return Number.NaN;
  const [, digits, unit = ''] = match;
  const factor = SIZE_UNITS.get(unit.replace(/^([kmgt])i?b?$/, '$1b'));
  return factor === undefined ? Number.NaN : Number(digits) * factor;
}

const DURATION_UNITS = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);
const DURATION_WORDS = /^(millisecond|second|minute|hour|day)s?$/;
const UNIT_NAMES = { ms: 'milliseconds', s: 'seconds', m: 'minutes' };

export interface DurationRange {
  readonly min: string;
  readonly max: string;
  /** The unit of a number without one, and of JSON: Graylog has fields in each. JSON is in ms without it. */
  readonly bareUnit?: keyof typeof UNIT_NAMES;
}

/** Milliseconds. */
export function duration(range: DurationRange): ValueType<number> {
  const { min, max, bareUnit } = range;
  const bareHint = bareUnit === undefined ? '' : `; without a unit ${UNIT_NAMES[bareUnit]}`;
  return numberType({
    name: 'duration',
    expected: `a time from ${min} to ${max} in ms, s, m, h or d${bareHint}`,
    shape: { unit: UNIT_NAMES[bareUnit ?? 'ms'] },
    min: parseDuration(min),
    max: parseDuration(max),
    integer: true,
    factor: DURATION_UNITS.get(bareUnit ?? 'ms') ?? 1,
    parse: (text) => parseDuration(text, bareUnit),
  });
}

function parseDuration(text: string, bareUnit?: string): number {
  const match = /^(\d{1,15})\s*([a-z]*)$/.exec(text.toLowerCase());
  if (match === null) return Number.NaN;
  const [, digits, word = ''] = match;
  const long = DURATION_WORDS.exec(word)?.[1];
  const unit = long === undefined ? word || bareUnit : long === 'millisecond' ? 'ms' : long.charAt(0);
  const factor = DURATION_UNITS.get(unit ?? '');
  return factor === undefined ? Number.NaN : Number(digits) * factor;
}

const TRUE_WORDS = ['true', 'yes', 'on', '1'];
const FALSE_WORDS = ['false', 'no', 'off', '0'];

export function boolean(): ValueType<boolean> {
  const parse = (text: string): boolean | InvalidValue => {
    const word = text.toLowerCase();
    if (TRUE_WORDS.includes(word)) return true;
    return FALSE_WORDS.includes(word) ? false : new InvalidValue('true or false');
  };
  return {
    name: 'boolean',
    secret: false,
    shape: { control: 'boolean', jsonSchema: { type: 'boolean' } },
    parse,
    read(given, report) {
      const value = typeof given === 'string' ? parse(given) : given;
      return typeof value === 'boolean' ? value : report(mismatch('true or false', given));
    },
    write: (value) => value,
  };
}
