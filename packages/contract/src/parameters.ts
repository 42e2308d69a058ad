import { z } from 'zod';

/**
 * Building blocks for path and query parameters. They arrive as text, so numbers and booleans are read from
 * text here; the OpenAPI document still calls them numbers and booleans.
 */

const INTEGER_TEXT = /^[+-]?\d{1,16}$/;

export interface IntegerLimits {
  readonly min?: number;
  readonly max?: number;
}

/** A whole number in a path or query: `limit: integerParameter({ min: 0, max: 10_000 }).default(150)`. */
export function integerParameter(limits: IntegerLimits = {}) {
  const minimum = limits.min ?? Number.MIN_SAFE_INTEGER;
  const maximum = limits.max ?? Number.MAX_SAFE_INTEGER;
  // The text is replaced before the check, so that a bad one is reported as "expected a number", never as NaN.
  return z
    .preprocess(
      (value) => (typeof value === 'string' && INTEGER_TEXT.test(value.trim()) ? Number(value) : value),
      z.int().min(minimum).max(maximum),
    )
    .meta({
      type: 'integer',
      ...(limits.min === undefined ? {} : { minimum }),
      ...(limits.max === undefined ? {} : { maximum }),
    });
}

const SECONDS_TEXT = /^[+-]?\d{1,16}(?:\.\d{1,9})?$/;

/** A time in a query: seconds since the epoch, with or without decimals, as programs give them. */
export function secondsParameter() {
  return z
    .preprocess(
      (value) => (typeof value === 'string' && SECONDS_TEXT.test(value.trim()) ? Number(value) : value),
      z.number({
        error: 'expected seconds since 1970 in digits, such as 1546300800 or 1546300800.5',
      }),
    )
    .meta({ type: 'number' });
}

/**
 * A length of time in a query: whole seconds. Programs that compute it from two times send decimals, which become one
 * second more, so that nothing is missing at the end and a fraction below 0 does not become 0.
 */
export function wholeSecondsParameter() {
  return z
    .preprocess((value) => {
      if (typeof value !== 'string' || !SECONDS_TEXT.test(value.trim())) return value;
      const seconds = Number(value);
      return Math.sign(seconds) * Math.ceil(Math.abs(seconds));
    }, z.int())
    .meta({ type: 'integer' });
}

/** `true`/`false` in a query; `1`, `0` and the bare name (`?all`) too. */
export function booleanParameter() {
  return z
    .preprocess((value) => {
      if (typeof value !== 'string') return value;
      const text = value.toLowerCase();
      if (text === 'true' || text === '1' || text === '') return true;
      return text === 'false' || text === '0' ? false : value;
    }, z.boolean())
    .meta({ type: 'boolean' });
}

/** A list in a query: `fields=a,b`, `fields=a&fields=b` or both. */
export function listParameter() {
  return z
    .preprocess((value) => {
      if (value === undefined) return value;
      const texts = Array.isArray(value) ? value : [value];
      return texts
        .flatMap((text) => (typeof text === 'string' ? text.split(',').map((part) => part.trim()) : [text]))
        .filter((text) => text !== '');
    }, z.array(z.string()))
    .meta({ type: 'array', items: { type: 'string' } });
}

/** The id of a stored object: 24 hex digits. A malformed one is a 404 of the service, not a 400. */
export const entityIdParameter = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'Object id', example: '5a1b2c3d4e5f60718293a4b5' });
