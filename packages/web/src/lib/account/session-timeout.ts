/** How long a session lasts without any use, as people write it: "8 hours". The API counts milliseconds. */
export interface SessionTimeout {
  /** As it was typed; empty while nothing is, and for `never`. */
  readonly amount: number | string;
  readonly unit: TimeoutUnit;
}

export type TimeoutUnit = keyof typeof UNIT_MS | 'never';

const MINUTE_MS = 60_000;
const UNIT_MS = { days: 86_400_000, hours: 3_600_000, minutes: MINUTE_MS } as const;
/** The longest that the API takes (`MAX_SESSION_TIMEOUT_MS` of the contract); clients use it for "never". */
const NEVER_MS = 100 * 365 * UNIT_MS.days;

export function sessionTimeoutOf(ms: number): SessionTimeout {
  if (ms >= NEVER_MS) return { amount: '', unit: 'never' };
  const unit = (['days', 'hours'] as const).find((name) => ms % UNIT_MS[name] === 0) ?? 'minutes';
  return { amount: ms / UNIT_MS[unit], unit };
}

/** Undefined if there is no number. */
export function timeoutMs({ amount, unit }: SessionTimeout): number | undefined {
  if (unit === 'never') return NEVER_MS;
  if (amount === '' || !Number.isFinite(Number(amount))) return undefined;
  return Math.round(Number(amount) * UNIT_MS[unit]);
}

/** Why it cannot be saved. Less than a minute would end the session before it could be set right. */
export function timeoutProblem(timeout: SessionTimeout): string | undefined {
  const ms = timeoutMs(timeout);
  if (ms === undefined) return 'This is needed.';
  if (ms < MINUTE_MS) return 'At least a minute.';
  return ms >= NEVER_MS && timeout.unit !== 'never' ? 'Less than a hundred years, or never.' : undefined;
}
