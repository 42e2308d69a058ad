/**
 * Evaluates rules. One node does it at a time, the leader; that is for economy. Correctness rests on two facts: a window
 * with a fixed end always gives the same findings, and what follows from them is stored in one transaction with the
 * rule's progress, which fails if somebody else has progressed. So a crash, a change of the leader or two leaders at
 * once neither lose nor repeat an alert.
 */
import { type Clock, errorMessage, UnavailableError } from '#core/index.ts';
import type { AlertRecord, Metadata, MetadataScope, NewAlert } from '#metadata/index.ts';
import type { Figures, Measured, MessageSearch } from '#search/service.ts';
import type { Notifications } from '#system/service.ts';
import type { Logger } from '#telemetry/index.ts';
import type { Finding } from '../conditions/condition.ts';
import type { AlertNotice, BacklogMessage, NoticeQueue } from '../notifications/service.ts';
import { aggregationSource, type EventFields } from '../rules/event-fields.ts';
import type { Rule } from '../rules/rule.ts';
import { backlogOf } from './backlog.ts';
import { channelsOf } from './channels.ts';
import { currentAlerts } from './current-alerts.ts';
import {
  dueEvaluation,
  type Evaluation,
  groupsOf,
  isAheadOfTime,
  lastCompleteEnd,
  type Moment,
} from './due.ts';
import { type Match, matchesOf } from './matches.ts';
import { failureNotice, isTold, newAlert, noticeOf } from './notice-of.ts';
import type { RuleBook } from './rule-book.ts';
import { ALERTS_PRINCIPAL } from './system-principal.ts';
import { isInGrace, type Transition, transitionsOf } from './transitions.ts';

export interface Evaluator {
  /** Evaluates every window that is complete. Rejects only if the metadata database is away. */
  evaluateDue(): Promise<void>;
  /**
   * Evaluates one rule up to this moment, without waiting for late messages. Rejects if it cannot be evaluated. Nothing
   * happens if the rule is unknown or switched off.
   */
  evaluateRule(ruleId: string): Promise<void>;
}

export interface EvaluatorDeps {
  readonly metadata: Metadata;
  readonly book: RuleBook;
  readonly figures: Figures;
  readonly messages: Pick<MessageSearch, 'find'>;
  readonly queue: NoticeQueue;
  readonly notifications: Notifications;
  /** Every message received before this time is stored, on all nodes. */
  readonly storedUntil: () => number;
  readonly isLeader: () => boolean;
  readonly evaluated: (rules: number) => void;
  /** How long it took to evaluate what was due. */
  readonly took: (milliseconds: number) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Statements at the same time. */
const MAX_PARALLEL = 2;
/** Windows of one rule in one turn; a rule that has to catch up goes on in the next one. */
const MAX_ROUNDS = 60;
/** From so many failures in a row on, those who would have been alerted are told. */
const FAILURES_TO_TELL = 3;

export function createEvaluator(deps: EvaluatorDeps): Evaluator {
  const { metadata, book, clock } = deps;
  const committing = createCommit(deps);
  const failing = createFailures(deps);

  async function evaluateGroup(group: readonly Evaluation[]): Promise<void> {
    try {
      await committing.commit(group, await measure(deps, group));
      deps.evaluated(group.length);
    } catch (error) {
      // A node that was held up for so long that another one leads says nothing about the rule.
      if (!deps.isLeader()) return book.forget();
      // One of them may be to blame for the failure of all.
      if (group.length > 1) for (const evaluation of group) await evaluateGroup([evaluation]);
      else for (const evaluation of group) await failing.failed(evaluation, error);
    }
  }

  /** False if nothing was due. */
  async function round(moment: Moment): Promise<boolean> {
    const due: Evaluation[] = [];
    const skipped: Evaluation[] = [];
    for (const rule of book.rules()) {
      const state = book.stateOf(rule.record.id);
      if (state === undefined) continue;
      if (isAheadOfTime(rule, state, moment.now)) {
        await metadata.repositories.alertRules.restart(rule.record.id, moment.now, state.evaluatedUntil);
        continue;
      }
      const evaluation = dueEvaluation(rule, state, moment);
      if (evaluation === undefined) continue;
      (book.isRunning(rule) ? due : skipped).push(evaluation);
    }
    await committing.skip(skipped, moment);
    if (due.length === 0) return false;
    const startedAt = performance.now();
    await inParallel(groupsOf(due), evaluateGroup);
    deps.took(performance.now() - startedAt);
    return true;
  }

  return {
    async evaluateRule(ruleId) {
      book.forget();
      await book.refresh();
      const rule = book.rules().find(({ record }) => record.id === ruleId);
      const state = book.stateOf(ruleId);
      const end = clock.now();
      if (rule === undefined || state === undefined || end <= state.evaluatedUntil) return;
      const evaluation = { rule, state, window: { end, previousEnd: state.evaluatedUntil } };
      await committing.commit([evaluation], await measure(deps, [evaluation]));
      deps.evaluated(1);
    },
    async evaluateDue() {
      for (let rounds = 0; rounds < MAX_ROUNDS && deps.isLeader(); rounds++) {
        await book.refresh();
        await failing.broken();
        if (!(await round({ now: clock.now(), storedUntil: deps.storedUntil() }))) return;
      }
    },
  };
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items];
  await Promise.all(
    Array.from({ length: Math.min(MAX_PARALLEL, queue.length) }, async () => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
    }),
  );
}

/** An evaluation with everything that was found, and what follows from it. */
interface Outcome {
  readonly evaluation: Evaluation;
  readonly steps: readonly Step[];
}

interface Step {
  readonly transition: Transition;
  readonly backlog: readonly BacklogMessage[];
  readonly event: EventFields;
  /** Set for an event that is a message and does not last. */
  readonly match?: Match;
}

/** Reads the alerts and the messages of the rules, and says what follows. Changes nothing. */
async function measure(deps: EvaluatorDeps, group: readonly Evaluation[]): Promise<Outcome[]> {
  const [first] = group;
  if (first === undefined) return [];
  const { end } = first.window;
  const alertsOf = await currentAlerts(
    deps.metadata,
    group.map(({ rule }) => rule),
    end,
  );
  const asked = group
    .map((evaluation) => withAlerts(evaluation, alertsOf.get(evaluation.rule.record.id) ?? []))
    .filter(({ evaluation, alerts }) => !isWhollyInGrace(evaluation.rule, alerts, end));
  const answers = await deps.figures.measure(
    { principal: ALERTS_PRINCIPAL },
    { ...first.rule.messages, streams: [...new Set(group.flatMap(({ rule }) => rule.messages.streams))] },
    asked.map(({ evaluation: { rule, window } }) => ({
      ...rule.condition.measurement(window),
      ...(rule.messages.streams.length > 0 && { streams: rule.messages.streams }),
    })),
  );
  const outcomes = new Map<Evaluation['rule'], Outcome>();
  for (const [at, { evaluation, alerts }] of asked.entries()) {
    const measured = answers[at];
    if (measured === undefined) continue;
    outcomes.set(evaluation.rule, await outcomeOf(deps, evaluation, alerts, measured));
  }
  return group.map((evaluation) => outcomes.get(evaluation.rule) ?? { evaluation, steps: [] });
}

function withAlerts(evaluation: Evaluation, alerts: readonly AlertRecord[]) {
  const open = alerts.filter(({ resolvedAt }) => resolvedAt === null).map(({ triggeredAt }) => triggeredAt);
  const openSince = open.length === 0 ? undefined : Math.min(...open);
  return { evaluation: { ...evaluation, window: { ...evaluation.window, openSince } }, alerts };
}

/** A rule without keys that is in its grace period need not be evaluated. */
function isWhollyInGrace({ condition }: Rule, alerts: readonly AlertRecord[], at: number): boolean {
  const last = alerts.at(-1);
  const isOne = condition.groupBy.length === 0 && condition.eachMessage === undefined;
  return isOne && last !== undefined && isInGrace(condition, last, at);
}

async function outcomeOf(
  deps: EvaluatorDeps,
  evaluation: Evaluation,
  alerts: readonly AlertRecord[],
  measured: Measured,
): Promise<Outcome> {
  const { rule, window } = evaluation;
  const { condition } = rule;
  const findings = condition.judge(measured, window);
  const isMatching = condition.eachMessage !== undefined;
  const judgement = { findings: isMatching ? [] : findings, isTruncated: measured.isTruncated };
  const steps: Step[] = [];
  for (const transition of transitionsOf(condition, judgement, alerts, window.end)) {
    const backlog =
      transition.kind === 'resolved' ? [] : await backlogOf(deps.messages, rule, transition.finding, window);
    const { finding } = transition;
    const source = finding === undefined ? {} : aggregationSource(condition.groupBy, finding);
    steps.push({ transition, backlog, event: rule.eventFieldsOf(source) });
  }
  for (const match of await matchesOf(deps, evaluation, findings)) {
    steps.push({
      transition: { kind: 'triggered', finding: match.finding },
      backlog: condition.backlog > 0 ? [match.message] : [],
      event: match.event,
      match,
    });
  }
  return { evaluation, steps };
}

/** Stores what follows from evaluations. */
function createCommit(deps: EvaluatorDeps) {
  const { metadata, book, clock } = deps;

  async function advance(scope: MetadataScope, { rule, state }: Evaluation, until: number): Promise<boolean> {
    const now = clock.now();
    const { id } = rule.record;
    const isOurs = await scope.repositories.alertRules.advance(id, state.evaluatedUntil, until, now);
    if (!isOurs) return false;
    book.setState({ ...state, evaluatedUntil: until, attemptedAt: now, failures: 0, lastError: null });
    return true;
  }

  async function step(scope: MetadataScope, evaluation: Evaluation, each: Step) {
    const { rule, state, window } = evaluation;
    const { transition } = each;
    const at = window.end;
    const tells = isTold(rule, state, clock.now()) && each.match?.isQuiet !== true;
    const { alerts } = scope.repositories;
    const notice = noticeFor(rule, each, { at, streams: book.streamsOf(rule) });
    switch (transition.kind) {
      case 'triggered':
        if (!(await alerts.insert(alertOf(rule, each, transition.finding, at, tells)))) return;
        break;
      case 'repeated':
        if (tells) await alerts.notified(transition.alert.id, at);
        break;
      case 'resolved':
        if (!(await alerts.resolve(transition.alert.id, at))) return;
        break;
    }
    if (tells) await deps.queue.enqueue(notice, await channelsOf(scope, rule), scope);
  }

  return {
    async commit(group: readonly Evaluation[], outcomes: readonly Outcome[]): Promise<void> {
      let isStale = false;
      await metadata
        .transaction(async (scope) => {
          for (const { evaluation, steps } of outcomes) {
            if (!(await advance(scope, evaluation, evaluation.window.end))) isStale = true;
            else for (const each of steps) await step(scope, evaluation, each);
          }
        })
        .catch((error: unknown) => {
          book.forget();
          throw error;
        });
      if (isStale) book.forget();
      for (const { rule, state } of group) {
        if (state.failures > 0) await deps.notifications.fix('alert_evaluation_failed', rule.record.id);
      }
    },

    async skip(skipped: readonly Evaluation[], moment: Moment): Promise<void> {
      if (skipped.length === 0) return;
      await metadata.transaction(async (scope) => {
        for (const evaluation of skipped) {
          if (!(await advance(scope, evaluation, lastCompleteEnd(evaluation, moment)))) book.forget();
        }
      });
    },
  };
}

function alertOf(
  rule: Rule,
  { event, match }: Step,
  finding: Finding,
  at: number,
  isNotified: boolean,
): NewAlert {
  return newAlert(rule, { finding, event, message: match?.message, at, notifiedAt: isNotified ? at : null });
}

function noticeFor(
  rule: Rule,
  each: Step,
  { at, streams }: Pick<AlertNotice, 'streams'> & { readonly at: number },
): AlertNotice {
  const { transition, backlog } = each;
  const { finding } = transition;
  const alert =
    transition.kind === 'triggered' ? alertOf(rule, each, transition.finding, at, true) : transition.alert;
  return noticeOf(rule, {
    id: transition.kind === 'repeated' ? `${alert.id}:repeated:${at}` : `${alert.id}:${transition.kind}`,
    kind: transition.kind,
    alert,
    streams,
    backlog,
    description: finding?.description ?? alert.description,
    values: finding?.values ?? {},
    window: finding === undefined ? null : { from: finding.from, to: finding.to },
    resolvedAt: transition.kind === 'resolved' ? at : null,
  });
}

/** An evaluation that fails is a state of the rule, a notification for operators, and after some time one for users. */
function createFailures({ metadata, book, queue, notifications, clock, logger }: EvaluatorDeps) {
  async function tell({ rule, window }: Evaluation, reason: string): Promise<void> {
    const description = `The alert rule "${rule.record.title}" could not be evaluated ${FAILURES_TO_TELL} times in a row, so it cannot alert. The reason: ${reason}`;
    const notice = failureNotice(rule, { streams: book.streamsOf(rule), end: window.end, description });
    await queue.enqueue(notice, await channelsOf(metadata, rule));
  }

  function publish(rule: { readonly id: string; readonly title: string }, reason: string, failures: number) {
    return notifications.publish({
      type: 'alert_evaluation_failed',
      key: rule.id,
      severity: failures >= FAILURES_TO_TELL ? 'urgent' : 'normal',
      details: { rule_id: rule.id, title: rule.title, reason, failures },
    });
  }

  return {
    /** Rules that this version of the program cannot read. */
    async broken(): Promise<void> {
      for (const { record, reason } of book.broken()) {
        const state = book.stateOf(record.id);
        if (state === undefined || state.lastError === reason) continue;
        const attemptedAt = clock.now();
        const failures = await metadata.repositories.alertRules.failed(record.id, reason, attemptedAt);
        book.setState({ ...state, failures: failures ?? 0, lastError: reason, attemptedAt });
        await publish(record, reason, failures ?? 0);
      }
    },

    async failed(evaluation: Evaluation, error: unknown): Promise<void> {
      const { rule, state } = evaluation;
      const { id, title } = rule.record;
      const reason = errorMessage(error);
      const attemptedAt = clock.now();
      const failures = await metadata.repositories.alertRules.failed(id, reason, attemptedAt);
      if (failures === undefined) return book.forget();
      book.setState({ ...state, failures, lastError: reason, attemptedAt });
      logger[failures === 1 ? 'warn' : 'debug'](
        { rule: id, title, reason },
        'an alert rule could not be evaluated',
      );
      // The storage may only be starting.
      if (failures > 1 || !(error instanceof UnavailableError)) {
        await publish(rule.record, reason, failures);
      }
      if (failures === FAILURES_TO_TELL && isTold(rule, state, attemptedAt)) await tell(evaluation, reason);
    },
  };
}
