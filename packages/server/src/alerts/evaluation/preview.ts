/** What a condition would have done over the last hours, before it is switched on. */
import type { ConditionPreview } from '@millrace/contract';
import type { AlertRecord } from '#metadata/index.ts';
import type { Figures, Measured, MeasuredMessages } from '#search/service.ts';
import type { Condition, EvaluationWindow, Finding } from '../conditions/condition.ts';
import { ALERTS_PRINCIPAL } from './system-principal.ts';
import { transitionsOf } from './transitions.ts';

export interface PreviewedRule {
  readonly condition: Condition;
  readonly messages: MeasuredMessages;
  readonly intervalMs: number;
}

export interface PreviewOptions {
  /** Ends the statement that runs. */
  readonly signal?: AbortSignal | undefined;
  /** How much of the time has been looked at. */
  readonly progress?: ((percent: number) => void) | undefined;
}

export interface Previews {
  /** Rejects as a search does. */
  run(
    rule: PreviewedRule,
    span: { readonly from: number; readonly to: number },
    options: PreviewOptions,
  ): Promise<ConditionPreview>;
}

/** A preview of a long time has fewer points than the rule has evaluations. */
const MAX_POINTS = 288;
/** With groups, each point is a statement of its own. */
const MAX_GROUPED_POINTS = 96;
/** Windows that one statement computes. */
const WINDOWS_PER_STATEMENT = 12;

export function createPreviews({ figures }: { readonly figures: Figures }): Previews {
  async function measure(
    { condition, messages }: PreviewedRule,
    windows: readonly EvaluationWindow[],
    { signal, progress }: PreviewOptions,
  ): Promise<Measured[]> {
    const answers: Measured[] = [];
    for (let at = 0; at < windows.length; at += WINDOWS_PER_STATEMENT) {
      const some = windows.slice(at, at + WINDOWS_PER_STATEMENT);
      const caller = { principal: ALERTS_PRINCIPAL, signal };
      const measurements = some.map((window) => condition.measurement(window));
      answers.push(...(await figures.measure(caller, messages, measurements)));
      progress?.(Math.round((answers.length / windows.length) * 100));
    }
    return answers;
  }

  return {
    async run(rule, { from, to }, options) {
      const most = rule.condition.groupBy.length > 0 ? MAX_GROUPED_POINTS : MAX_POINTS;
      const stepMs = Math.max(rule.intervalMs, Math.ceil((to - from) / most));
      const count = Math.max(1, Math.floor((to - from) / stepMs));
      const windows = Array.from({ length: count }, (_, at) => {
        const end = to - (count - 1 - at) * stepMs;
        return { end, previousEnd: end - stepMs };
      });
      return simulate(rule.condition, windows, await measure(rule, windows, options), stepMs);
    },
  };
}

function simulate(
  condition: Condition,
  windows: readonly EvaluationWindow[],
  answers: readonly Measured[],
  stepMs: number,
): ConditionPreview {
  const points: ConditionPreview['points'] = [];
  let alerts: AlertRecord[] = [];
  let notifications = 0;
  for (const [at, window] of windows.entries()) {
    const measured = answers[at];
    if (measured === undefined) continue;
    const findings = condition.judge(measured, window);
    points.push([window.end, pointOf(condition, findings)]);
    if (condition.eachMessage !== undefined) {
      const { events, told } = previewEvents(condition, findings, window.end, alerts);
      alerts.push(...events);
      notifications += told;
      continue;
    }
    const judgement = { findings, isTruncated: measured.isTruncated };
    for (const transition of transitionsOf(condition, judgement, alerts, window.end)) {
      if (transition.kind === 'triggered')
        alerts.push(previewAlert(condition, transition.finding, window.end));
      else {
        const { alert } = transition;
        const changed =
          transition.kind === 'resolved'
            ? { ...alert, resolvedAt: window.end }
            : { ...alert, notifiedAt: window.end };
        alerts = alerts.map((each) => (each === alert ? changed : each));
      }
      if (transition.kind !== 'resolved') notifications += 1;
    }
  }
  return {
    points,
    threshold: condition.threshold,
    periods: alerts.map(({ triggeredAt, resolvedAt, key }) => ({
      from: triggeredAt,
      to: resolvedAt,
      key: key.map(({ value }) => value),
    })),
    notifications,
    step_ms: stepMs,
  };
}

/** Every message is an event; which keys they would have is not known, so they are taken to have the same one. */
function previewEvents(
  condition: Condition,
  [finding]: readonly Finding[],
  at: number,
  before: readonly AlertRecord[],
): { readonly events: readonly AlertRecord[]; readonly told: number } {
  const { eachMessage, graceMs } = condition;
  if (eachMessage === undefined || finding === undefined || !finding.isTriggered) {
    return { events: [], told: 0 };
  }
  const last = before.findLast(({ notifiedAt }) => notifiedAt !== null)?.notifiedAt;
  const isQuiet = typeof last === 'number' && at - last < graceMs;
  const count = Math.min(finding.values['count()'] ?? 0, eachMessage.limit);
  const event = { ...previewAlert(condition, finding, at), resolvedAt: at, notifiedAt: isQuiet ? null : at };
  return { events: [event], told: isQuiet ? 0 : graceMs > 0 ? 1 : count };
}

/** The first figure, or with groups how many of them are true. */
function pointOf({ groupBy }: Condition, findings: readonly Finding[]): number | null {
  if (groupBy.length > 0) return findings.filter(({ isTriggered }) => isTriggered).length;
  return Object.values(findings[0]?.values ?? {})[0] ?? null;
}

function previewAlert({ groupBy }: Condition, finding: Finding, at: number): AlertRecord {
  return {
    id: '',
    ruleId: '',
    keyId: '',
    triggeredAt: at,
    notifiedAt: at,
    resolvedAt: null,
    description: finding.description,
    title: '',
    conditionType: '',
    parameters: {},
    streams: [],
    key: groupBy.map((field, place) => ({ field, value: finding.key[place] ?? '' })),
    windowFrom: finding.from,
    windowTo: finding.to,
    values: finding.values,
    priority: 2,
    isAlert: true,
  };
}
