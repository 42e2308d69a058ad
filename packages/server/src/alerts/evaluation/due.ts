/** Which windows are complete and not evaluated yet. */
import type { AlertRuleState } from '#metadata/index.ts';
import type { EvaluationWindow } from '../conditions/condition.ts';
import type { Rule } from '../rules/rule.ts';

export interface Evaluation {
  readonly rule: Rule;
  readonly state: AlertRuleState;
  readonly window: EvaluationWindow;
}

export interface Moment {
  readonly now: number;
  /** Every message received before is stored, on all nodes. */
  readonly storedUntil: number;
}

/** Windows that ended longer ago are skipped: nobody needs an alert about the day before yesterday. */
export const MAX_CATCH_UP_MS = 24 * 3_600_000;
/** A rule whose evaluation failed is tried again after its interval, or sooner. */
const MAX_RETRY_PAUSE_MS = 15_000;

/**
 * The next window of a rule, if it is complete: late messages had their time to arrive, and no message that could
 * belong to it is still on its way to the storage.
 */
export function dueEvaluation(
  rule: Rule,
  state: AlertRuleState,
  { now, storedUntil }: Moment,
): Evaluation | undefined {
  const pause = Math.min(rule.schedule.intervalMs, MAX_RETRY_PAUSE_MS);
  if (state.failures > 0 && now < state.attemptedAt + pause && now >= state.attemptedAt) return undefined;
  const previousEnd = Math.max(state.evaluatedUntil, now - MAX_CATCH_UP_MS);
  const end = rule.schedule.nextEnd(previousEnd);
  const completeAt = end + rule.latenessMs;
  if (now < completeAt || storedUntil < completeAt) return undefined;
  return { rule, state, window: { end, previousEnd } };
}

/** The clock was set back: the rule would wait until it has caught up. */
export function isAheadOfTime({ schedule }: Rule, { evaluatedUntil }: AlertRuleState, now: number): boolean {
  return evaluatedUntil > now + 2 * schedule.intervalMs;
}

/** The last window that is complete, for rules that are not evaluated while their streams are paused. */
export function lastCompleteEnd({ rule, window }: Evaluation, { now, storedUntil }: Moment): number {
  const latest = Math.min(now, storedUntil) - rule.latenessMs;
  let { end } = window;
  if (latest - end > MAX_CATCH_UP_MS) end = rule.schedule.nextEnd(latest - MAX_CATCH_UP_MS);
  for (let next = rule.schedule.nextEnd(end); next <= latest; next = rule.schedule.nextEnd(end)) end = next;
  return end;
}

/**
 * Evaluations that one statement can answer: windows with the same end and about the same length, over whatever streams.
 * All streams together are something else than some streams that are named.
 */
export function groupsOf(evaluations: readonly Evaluation[]): Evaluation[][] {
  const groups = Map.groupBy(evaluations, (evaluation) => {
    const { rule, window } = evaluation;
    return [
      rule.messages.streams.length === 0,
      rule.messages.basis,
      window.end,
      lengthClass(evaluation),
    ].join();
  });
  return [...groups.values()].flatMap((group) => chunksOf(group));
}

/**
 * Windows of a class are at most four times as long as each other. Otherwise a rule over a week would make the others of its
 * statement read a week.
 */
function lengthClass({ rule, window }: Evaluation): number {
  const { figures } = rule.condition.measurement(window);
  const from = Math.min(...figures.map((figure) => figure.from));
  return Math.ceil(Math.log2(Math.max(1, window.end - from) / 60_000) / 2);
}

/** A statement must not grow without bound. */
const MAX_RULES_IN_GROUP = 50;

function chunksOf(group: readonly Evaluation[]): Evaluation[][] {
  const chunks: Evaluation[][] = [];
  for (let at = 0; at < group.length; at += MAX_RULES_IN_GROUP) {
    chunks.push(group.slice(at, at + MAX_RULES_IN_GROUP));
  }
  return chunks;
}
