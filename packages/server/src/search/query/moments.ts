/** Times in queries: ISO dates, Graylog's format, milliseconds since the epoch and date math. */
import { MAX_TIMESTAMP_MS, MIN_TIMESTAMP_MS } from '#core/index.ts';
import { type DateUnit, parseWrittenDate, startOfUnit } from '../time/written-date.ts';

export interface MomentContext {
  /** Milliseconds since the epoch: what `now` means. */
  readonly now: number;
  /** For dates without a zone. */
  readonly timeZone: string;
}

/** Milliseconds, both inclusive: `2026-03-01` is a whole day, `2026-03-01 12:00` a minute. */
export interface Moment {
  readonly from: number;
  readonly to: number;
}

const EPOCH = /^-?\d{5,15}$/;
const OPERATION = /([+-])(\d{1,9})([yMwdhHms])|\/([yMwdhHms])/y;

type Unit = DateUnit | 'week';
const UNIT_OF_LETTER: Readonly<Record<string, Unit>> = {
  y: 'year',
  M: 'month',
  w: 'week',
  d: 'day',
  h: 'hour',
  H: 'hour',
  m: 'minute',
  s: 'second',
};

/** Undefined when the text is not a time. */
export function parseMoment(text: string, context: MomentContext): Moment | undefined {
  try {
    const moment = readMoment(text.trim(), context);
    return moment && { from: storable(moment.from), to: storable(moment.to) };
  } catch (error) {
    // Date math beyond the range of Temporal.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function storable(time: number): number {
  return Math.min(Math.max(time, MIN_TIMESTAMP_MS), MAX_TIMESTAMP_MS);
}

function readMoment(text: string, context: MomentContext): Moment | undefined {
  if (/^now/i.test(text)) return calculate({ from: context.now, to: context.now }, text.slice(3), context);
  const bar = text.indexOf('||');
  if (bar < 0) return readDate(text, context);
  const anchor = readDate(text.slice(0, bar).trim(), context);
  // Date math starts at the beginning of the anchor.
  return anchor && calculate({ from: anchor.from, to: anchor.from }, text.slice(bar + 2), context);
}

function readDate(text: string, { timeZone }: MomentContext): Moment | undefined {
  if (EPOCH.test(text)) return { from: Number(text), to: Number(text) };
  return parseWrittenDate(text, timeZone);
}

/** Applies `-1d/d` and the like. Rounding turns the moment into a span; later operations apply to both its ends. */
function calculate(start: Moment, operations: string, { timeZone }: MomentContext): Moment | undefined {
  let from = Temporal.Instant.fromEpochMilliseconds(start.from).toZonedDateTimeISO(timeZone);
  let to = Temporal.Instant.fromEpochMilliseconds(start.to).toZonedDateTimeISO(timeZone);
  let position = 0;
  while (position < operations.length) {
    OPERATION.lastIndex = position;
    const operation = OPERATION.exec(operations);
    if (operation === null) return undefined;
    position = OPERATION.lastIndex;
    const [, sign, amount, letter, rounding] = operation;
    const unit = UNIT_OF_LETTER[letter ?? rounding ?? ''];
    if (unit === undefined) return undefined;
    if (rounding === undefined) {
      const duration = { [`${unit}s`]: sign === '-' ? -Number(amount) : Number(amount) };
      from = from.add(duration);
      to = to.add(duration);
    } else {
      from = startOfUnit(from, unit);
      to = startOfUnit(to, unit)
        .add({ [`${unit}s`]: 1 })
        .subtract({ milliseconds: 1 });
    }
  }
  return { from: from.epochMilliseconds, to: to.epochMilliseconds };
}
