import { type AST, RegExpParser } from '@eslint-community/regexpp';

/**
 * An upper bound for the work a backtracking engine may do with a pattern, as a polynomial in the length of the text.
 * It shows that most pairs of pattern and text are quick and need no time limit; the others are matched under
 * `time-guard.ts`. The bound need not be tight.
 *
 * Every part of a pattern has two figures, both for one starting position: `paths`, the number of ways the part can
 * match, which is how often whatever follows may be tried, and `steps`, the work in the part itself. A sequence
 * multiplies paths. An unlimited repetition of something that matches in only one way has as many paths as the text has
 * positions; if it can match in several ways (`(a+)+`, `(a|aa)*`), there is no polynomial bound. A search starts at
 * every position unless the pattern is anchored.
 */

/** Coefficients by power of the text length; undefined: no useful bound. */
type Polynomial = readonly number[] | undefined;

interface Cost {
  readonly paths: Polynomial;
  readonly steps: Polynomial;
}

const ONE: Polynomial = [1];
/** n + 1: positions in a text of n characters. */
const POSITIONS: Polynomial = [1, 1];
const SINGLE: Cost = { paths: ONE, steps: ONE };
const MAX_DEGREE = 6;
/** Up to this number, repetitions of a part with several paths are multiplied out. */
const MAX_MULTIPLIED = 12;

export interface RegexCost {
  /** The longest text for which the work stays within `steps`; -1 when there is none. */
  longestText(steps: number): number;
}

export const UNBOUNDED_COST: RegexCost = { longestText: () => -1 };

/** Steps of matching that are assumed to fit into a millisecond: a fifth of what a slow machine does. */
export const STEPS_PER_MS = 10_000;

/** The longest text on which an expression stays within a time, whatever the text contains; -1 when there is none. */
export function safeTextLength({ source, flags, multiline }: RegExp, limitMs: number): number {
  const parser = new RegExpParser();
  const mode = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
  try {
    const pattern = parser.parsePattern(source, 0, source.length, mode);
    return costOfPattern(pattern, { multiline }).longestText(limitMs * STEPS_PER_MS);
  } catch {
    // V8 understands it and the parser does not yet: nothing is known about it.
    return UNBOUNDED_COST.longestText(0);
  }
}

export function costOfPattern(pattern: AST.Pattern, flags: { readonly multiline: boolean }): RegexCost {
  const { steps } = alternation(pattern.alternatives);
  const isAnchored = !flags.multiline && pattern.alternatives.every(startsAtStart);
  const total = isAnchored ? steps : multiply(POSITIONS, steps);
  return { longestText: (limit) => longestWithin(total, limit) };
}

function startsAtStart({ elements: [first] }: AST.Alternative): boolean {
  return first?.type === 'Assertion' && first.kind === 'start';
}

function alternation(alternatives: readonly AST.Alternative[]): Cost {
  let paths: Polynomial = [0];
  let steps: Polynomial = [1];
  for (const alternative of alternatives) {
    const cost = sequence(alternative.elements);
    paths = add(paths, cost.paths);
    steps = add(steps, cost.steps);
  }
  return { paths, steps };
}

function sequence(elements: readonly AST.Element[]): Cost {
  let paths = ONE;
  let steps: Polynomial = [1];
  for (const element of elements) {
    const cost = costOf(element);
    steps = add(steps, multiply(paths, cost.steps));
    paths = multiply(paths, cost.paths);
  }
  return { paths, steps };
}

function costOf(element: AST.Element): Cost {
  switch (element.type) {
    case 'Character':
    case 'CharacterClass':
    case 'CharacterSet':
      return SINGLE;
    case 'Backreference':
      return { paths: ONE, steps: POSITIONS };
    case 'Group':
    case 'CapturingGroup':
      return alternation(element.alternatives);
    case 'Assertion':
      if (element.kind !== 'lookahead' && element.kind !== 'lookbehind') return SINGLE;
      // The engine does not backtrack into a look-around that has matched.
      return { paths: ONE, steps: alternation(element.alternatives).steps };
    case 'Quantifier':
      return repetition(element);
    default:
      return { paths: undefined, steps: undefined };
  }
}

function repetition({ element, min, max }: AST.Quantifier): Cost {
  const body = costOf(element);
  if (isOne(body.paths)) {
    if (max === Number.POSITIVE_INFINITY) return { paths: POSITIONS, steps: multiply(POSITIONS, body.steps) };
    return { paths: [max - min + 1], steps: multiply([max + 1], body.steps) };
  }
  if (max > MAX_MULTIPLIED) return { paths: undefined, steps: undefined };
  let paths: Polynomial = [0];
  let steps: Polynomial = [1];
  let power: Polynomial = ONE;
  for (let times = 0; times <= max; times++) {
    if (times >= min) paths = add(paths, power);
    steps = add(steps, multiply(power, body.steps));
    power = multiply(power, body.paths);
  }
  return { paths, steps };
}

function isOne(polynomial: Polynomial): boolean {
  return polynomial?.length === 1 && polynomial[0] === 1;
}

function add(left: Polynomial, right: Polynomial): Polynomial {
  if (left === undefined || right === undefined) return undefined;
  const [longer, shorter] = left.length >= right.length ? [left, right] : [right, left];
  return longer.map((coefficient, power) => coefficient + (shorter[power] ?? 0));
}

function multiply(left: Polynomial, right: Polynomial): Polynomial {
  if (left === undefined || right === undefined) return undefined;
  if (left.length + right.length - 2 > MAX_DEGREE) return undefined;
  const product = new Array<number>(left.length + right.length - 1).fill(0);
  for (const [power, coefficient] of left.entries()) {
    for (const [otherPower, other] of right.entries()) {
      product[power + otherPower] = (product[power + otherPower] ?? 0) + coefficient * other;
    }
  }
  return product;
}

function longestWithin(polynomial: Polynomial, limit: number): number {
  if (!polynomial?.every(Number.isFinite) || valueAt(polynomial, 0) > limit) return -1;
  let low = 0;
  let high = 2 ** 30;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (valueAt(polynomial, middle) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

function valueAt(polynomial: readonly number[], length: number): number {
  return polynomial.reduceRight((value, coefficient) => value * length + coefficient, 0);
}
