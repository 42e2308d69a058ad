/** What a template can read: plain data, times, and objects that are written as a text of their own. */
export type TemplateValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | Moment
  | readonly TemplateValue[]
  | TemplateModel;

export interface TemplateModel {
  readonly [name: string]: TemplateValue;
  /** What `${message}` writes for an object that has more than one value. */
  readonly [AS_TEXT]?: string;
}

export const AS_TEXT = Symbol('as text');

/** A point in time. It is written in the reader's time zone. */
export class Moment {
  readonly #milliseconds: number;

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds;
  }

  /** `2026-03-01T13:00:00.000+01:00`, in UTC with `Z`. */
  in(timeZone: string): string {
    return isoInZone(this.#milliseconds, timeZone);
  }
}

/** As the template language has it: a number is always true, also 0. */
export function isTruthy(value: TemplateValue): boolean {
  if (value === undefined || value === null || value === '' || value === false) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && !(value instanceof Moment)) return Object.keys(value).length > 0;
  return true;
}

export function textOf(value: TemplateValue, timeZone: string): string {
  if (value === undefined || value === null) return '';
  if (value instanceof Moment) return value.in(timeZone);
  if (typeof value !== 'object') return String(value);
  if (isList(value)) return `[${value.map((each) => textOf(each, timeZone)).join(', ')}]`;
  const own = value[AS_TEXT];
  if (own !== undefined) return own;
  const entries = Object.entries(value).map(([key, each]) => `${key}=${textOf(each, timeZone)}`);
  return `{${entries.join(', ')}}`;
}

function isList(value: readonly TemplateValue[] | TemplateModel): value is readonly TemplateValue[] {
  return Array.isArray(value);
}

/** Any JSON as template data. */
export function templateValue(json: unknown): TemplateValue {
  switch (typeof json) {
    case 'string':
    case 'number':
    case 'boolean':
      return json;
    case 'object':
      break;
    default:
      return undefined;
  }
  if (json === null) return null;
  if (Array.isArray(json)) return json.map(templateValue);
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, templateValue(value)]));
}

export function isoInZone(milliseconds: number, timeZone: string): string {
  if (timeZone === 'UTC') return new Date(milliseconds).toISOString();
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    timeZoneName: 'longOffset',
  }).formatToParts(milliseconds);
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  // `GMT+01:00`, and `GMT` alone for no offset.
  const offset = part('timeZoneName').replace('GMT', '') || '+00:00';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}.${part('fractionalSecond')}${offset}`;
}
