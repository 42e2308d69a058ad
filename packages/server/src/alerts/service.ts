/** Alerts on the main thread: rules, their evaluation, the history, and what the API shows of them. */
import { type AuditLog, type Clock, createPeriodicJob, type Startable } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import type { SearchService } from '#search/service.ts';
import type { Notifications } from '#system/service.ts';
import type { Logger, Metrics } from '#telemetry/index.ts';
import { createEventDefinitions, type EventDefinitions } from './definitions/event-definitions.ts';
import { createStreamChecks, type StreamChecks } from './evaluation/checks.ts';
import { createEvaluator } from './evaluation/evaluator.ts';
import { createPreviews } from './evaluation/preview.ts';
import { createProbes } from './evaluation/probe.ts';
import { createRuleBook } from './evaluation/rule-book.ts';
import { createEventOutbox, type EventStore } from './events/event-outbox.ts';
import { createEvents, type Events } from './events/event-search.ts';
import { type AlertHistory, createAlertHistory } from './history/alert-history.ts';
import type { AlertDeliveries, CopyNotifications, NoticeQueue } from './notifications/service.ts';
import { type AlertsOfStreams, createAlertsOfStreams } from './rules/alerts-of-streams.ts';
import { createStreamConditions, type StreamConditions } from './rules/stream-conditions.ts';

export type {
  Condition,
  ConditionDefinition,
  ConditionParts,
  ConditionType,
  EvaluationWindow,
  Finding,
} from './conditions/condition.ts';
export { defineCondition } from './conditions/condition.ts';
export { CONDITION_TYPES } from './conditions/registry.ts';
export type { EventDefinitions } from './definitions/event-definitions.ts';
export type { StreamChecks } from './evaluation/checks.ts';
export type { EventStore } from './events/event-outbox.ts';
export type { Events } from './events/event-search.ts';
export type { AlertHistory } from './history/alert-history.ts';
export type { StreamConditions } from './rules/stream-conditions.ts';
export { streamAlertSummaries } from './rules/stream-records.ts';

/** Start it after the streams and the storage. It needs no ClickHouse to start: evaluations wait for it. */
export interface AlertsService extends Startable {
  readonly conditions: StreamConditions;
  readonly checks: StreamChecks;
  readonly history: AlertHistory;
  readonly definitions: EventDefinitions;
  readonly events: Events;
  readonly ofStreams: AlertsOfStreams;
  /** Evaluates everything that is due, now. */
  evaluateNow(): Promise<void>;
}

export interface AlertsServiceDeps {
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  readonly search: Pick<SearchService, 'figures' | 'messages'>;
  readonly queue: NoticeQueue;
  readonly deliveries: Pick<AlertDeliveries, 'cancelAll'>;
  readonly copyNotifications: CopyNotifications;
  /** Where events become messages. */
  readonly eventStore: EventStore;
  readonly notifications: Notifications;
  /** Only the leader of a cluster evaluates. */
  readonly isLeader: () => boolean;
  /** Every message received before this time is stored, on all nodes. */
  readonly storedUntil: () => number;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface AlertsServiceSettings {
  readonly nodeId: string;
  /** `alert_check_interval` */
  readonly checkIntervalMs: number;
  /** How often to look for rules that are due. */
  readonly turnIntervalMs?: number;
}

const TURN_INTERVAL_MS = 500;
const CLEAN_UP_INTERVAL_MS = 3_600_000;
/** Resolved alerts are kept this long. */
const KEEP_ALERTS_MS = 366 * 24 * 3_600_000;

export function createAlertsService(deps: AlertsServiceDeps, settings: AlertsServiceSettings): AlertsService {
  const { metadata, audit, search, clock, metrics, isLeader } = deps;
  const logger = deps.logger.child({ component: 'alerts' });
  const context = { metadata, audit, clock, settings, queue: deps.queue };
  const probes = createProbes({ figures: search.figures, clock });
  const evaluated = metrics.counter('org.graylog2.alerts.evaluations', {
    help: 'Evaluations of alert rules',
  });
  const took = metrics.timer('org.graylog2.alerts.evaluation-time', {
    help: 'How long it took to evaluate the alert rules that were due together',
  });
  const evaluator = createEvaluator({
    metadata,
    book: createRuleBook({ metadata }, settings),
    figures: search.figures,
    messages: search.messages,
    queue: deps.queue,
    notifications: deps.notifications,
    storedUntil: deps.storedUntil,
    isLeader,
    evaluated: (rules) => evaluated.increment(rules),
    took: (milliseconds) => took.update(milliseconds * 1000),
    clock,
    logger,
  });
  const outbox = createEventOutbox({ metadata, messages: deps.eventStore }, settings);
  const intervalMs = settings.turnIntervalMs ?? TURN_INTERVAL_MS;
  const evaluating = createPeriodicJob(
    { run: () => evaluator.evaluateDue(), isLeader, logger },
    { name: 'evaluating alert rules', intervalMs },
  );
  const storing = createPeriodicJob(
    { run: () => outbox.flush(), isLeader, logger },
    { name: 'storing events', intervalMs },
  );
  const cleaning = createPeriodicJob(
    {
      async run() {
        await metadata.repositories.alerts.removeTriggeredBefore(clock.now() - KEEP_ALERTS_MS);
      },
      isLeader,
      logger,
    },
    { name: 'removing old alerts', intervalMs: CLEAN_UP_INTERVAL_MS },
  );
  const jobs = [evaluating, storing, cleaning];
  return {
    name: 'alerts',
    conditions: createStreamConditions(context, {
      probes,
      previews: createPreviews({ figures: search.figures }),
    }),
    checks: createStreamChecks(context, probes),
    history: createAlertHistory(context),
    definitions: createEventDefinitions({
      ...context,
      evaluate: evaluator.evaluateRule,
      deliveries: deps.deliveries,
    }),
    ofStreams: createAlertsOfStreams({ ...context, copyNotifications: deps.copyNotifications }),
    events: createEvents({ metadata, messages: search.messages, clock }),
    async evaluateNow() {
      await evaluating.runNow();
      await storing.runNow();
    },
    async start() {
      for (const job of jobs) job.start();
    },
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
    },
  };
}
