/** JSON in which whole numbers keep all their digits: those beyond 2^53 are a `bigint`, and are written as numbers again. */

declare global {
  interface JSON {
    /** Browsers of 2025 and newer. */
    readonly rawJSON?: (text: string) => object;
  }
}

interface ReviverContext {
  /** The number as it stands in the text. */
  readonly source?: string;
}

/** Looking at each value takes several times as long as reading them, and hardly any answer has such a number. */
const HAS_LONG_NUMBER = /[:[,]\s*-?\d{16}/;
const WHOLE = /^-?\d+$/;

export function parseJson(text: string): unknown {
  return HAS_LONG_NUMBER.test(text) ? JSON.parse(text, exactNumber) : JSON.parse(text);
}

function exactNumber(_key: string, value: unknown, { source = '' }: ReviverContext = {}): unknown {
  const losesDigits = typeof value === 'number' && WHOLE.test(source) && String(value) !== source;
  return losesDigits ? BigInt(source) : value;
}

/** `JSON.stringify` throws at a `bigint` otherwise, wherever it is called: for a request, a cache key, or to be shown. */
Object.defineProperty(BigInt.prototype, 'toJSON', {
  configurable: true,
  value(this: bigint) {
    return JSON.rawJSON?.(String(this)) ?? String(this);
  },
});
