/**
 * Numbers of the rule language: 64-bit integers and doubles, as in Java.
 *
 * A JavaScript number cannot say whether 2 is an integer or a double. Where the compiler knows the type, both are plain
 * numbers; where it does not (a field, a list, an argument of any type), an integer is a number or, beyond 2^53, a
 * bigint, a double with a fraction is a number, and a double without one is a `WholeDouble`.
 */

export class WholeDouble {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
  toString(): string {
    return doubleText(this.value);
  }
  toJSON(): number {
    return this.value;
  }
}

export type Long = number | bigint;

/** A double where the type is not known. */
export function boxDouble(value: number): number | WholeDouble {
  return Number.isInteger(value) ? new WholeDouble(value) : value;
}

/** Wraps around as Java does. */
export function longOf(value: bigint): Long {
  if (value >= -MAX_SAFE && value <= MAX_SAFE) return Number(value);
  const wrapped = BigInt.asIntN(64, value);
  return wrapped >= -MAX_SAFE && wrapped <= MAX_SAFE ? Number(wrapped) : wrapped;
}

const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const MAX_LONG = 2n ** 63n - 1n;
const MIN_LONG = -(2n ** 63n);

/** The integer part, within 64 bits; 0 for what is not a number. */
export function truncated(value: number): Long {
  const whole = Math.trunc(value);
  if (Number.isSafeInteger(whole)) return whole === 0 ? 0 : whole;
  if (Number.isNaN(whole)) return 0;
  if (whole >= Number(MAX_LONG)) return MAX_LONG;
  if (whole <= Number(MIN_LONG)) return MIN_LONG;
  return longOf(BigInt(whole));
}

/** As Java writes a double. */
export function doubleText(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  if (value !== 0 && (size < 1e-3 || size >= 1e7)) {
    const [digits = '', exponent = ''] = value.toExponential().split('e');
    return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`;
  }
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

export type Arithmetic<T> = (left: T, right: T) => T;

/** Both operands are integers. Division by zero throws, as in Java. */
export const LONG_ARITHMETIC: Readonly<Record<'+' | '-' | '*' | '/' | '%', Arithmetic<Long>>> = {
  '+': (left, right) => {
    if (typeof left === 'number' && typeof right === 'number') {
      const sum = left + right;
      if (Number.isSafeInteger(sum)) return sum;
    }
    return longOf(BigInt(left) + BigInt(right));
  },
  '-': (left, right) => {
    if (typeof left === 'number' && typeof right === 'number') {
      const difference = left - right;
      if (Number.isSafeInteger(difference)) return difference;
    }
    return longOf(BigInt(left) - BigInt(right));
  },
  '*': (left, right) => {
    if (typeof left === 'number' && typeof right === 'number') {
      const product = left * right;
      if (Number.isSafeInteger(product)) return product === 0 ? 0 : product;
    }
    return longOf(BigInt(left) * BigInt(right));
  },
  '/': (left, right) => {
    refuseZero(right);
    if (typeof left === 'number' && typeof right === 'number') return truncated(left / right);
    return longOf(BigInt(left) / BigInt(right));
  },
  '%': (left, right) => {
    refuseZero(right);
    if (typeof left === 'number' && typeof right === 'number') return left % right === 0 ? 0 : left % right;
    return longOf(BigInt(left) % BigInt(right));
  },
};

export const DOUBLE_ARITHMETIC: Readonly<Record<'+' | '-' | '*' | '/' | '%', Arithmetic<number>>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
};

function refuseZero(divisor: Long): void {
  if (divisor === 0) throw new Error('an integer cannot be divided by zero');
}
