/**
 * When a rule is evaluated. Each evaluation has a window of messages with a fixed end, so that the answer does not
 * depend on when it is computed, on which node, or how often.
 */
import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import type { AlertSchedule } from '#metadata/index.ts';

export interface Schedule {
  /** The first end of a window after a time. */
  nextEnd(after: number): number;
  /** The usual time between two ends. */
  readonly intervalMs: number;
}

const MAX_DEFAULT_LATENESS_MS = 10_000;
const DAY_MS = 86_400_000;

/** Rules are evaluated at so many moments of an interval: they are spread over it, and one statement serves many. */
const MOMENTS = 12;

/** @param spread rules with the same text are evaluated at the same moments, others at any of them */
export function scheduleOf(stored: AlertSchedule, checkIntervalMs: number, spread: string): Schedule {
  if (stored.kind === 'cron') return cronSchedule(stored.expression, stored.timeZone);
  const everyMs = stored.everyMs ?? checkIntervalMs;
  const phase = phaseOf(spread, everyMs);
  return {
    intervalMs: everyMs,
    nextEnd: (after) => (Math.floor((after - phase) / everyMs) + 1) * everyMs + phase,
  };
}

/** Throws if the expression or the time zone is not valid. */
export function parseCron(expression: string, timeZone: string): Cron {
  return new Cron(expression, { timezone: timeZone, paused: true });
}

function cronSchedule(expression: string, timeZone: string): Schedule {
  const cron = parseCron(expression, timeZone);
  const nextEnd = (after: number) =>
    Number.isFinite(after)
      ? (cron.nextRun(new Date(after))?.getTime() ?? Number.POSITIVE_INFINITY)
      : Number.POSITIVE_INFINITY;
  const first = nextEnd(0);
  const second = nextEnd(first);
  // An expression may name a single date, or one that no year has.
  return { intervalMs: Number.isFinite(second) ? Math.max(1000, second - first) : DAY_MS, nextEnd };
}

function phaseOf(spread: string, everyMs: number): number {
  const moment = createHash('sha256').update(spread).digest().readUInt32BE(0) % MOMENTS;
  return Math.floor((moment * everyMs) / MOMENTS);
}

/** How long messages may be late unless the rule says otherwise. */
export function defaultLateness({ intervalMs }: Schedule): number {
  return Math.min(intervalMs / 4, MAX_DEFAULT_LATENESS_MS);
}
