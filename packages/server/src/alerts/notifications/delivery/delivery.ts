/**
 * Takes notices out of the queue and sends them.
 *
 * Only the node that leads the cluster begins deliveries. Each is claimed in the database before it is sent, and the
 * claim is renewed while it is being sent, so that a delivery is never made twice at the same time, and one whose node
 * died is made again: at most once more for each death, and never not at all. A node that was held up and goes on
 * begins nothing with a claim that has expired, and what it stores about such a claim does not count. Notices of one
 * notification are sent one after the other.
 */
import {
  type Clock,
  type ComponentSecrets,
  createPeriodicJob,
  monotonicClock,
  readAfterChanges,
  type Startable,
  systemTimers,
  type Timers,
} from '#core/index.ts';
import type { DeliveryRecord, Metadata } from '#metadata/index.ts';
import type { Notifications } from '#system/service.ts';
import type { Logger, Metrics } from '#telemetry/index.ts';
import type { NotificationContext } from '../notification-type.ts';
import { createAttempts, pause } from './attempts.ts';
import { tellHeld } from './digest.ts';
import { type DeliveryLimits, exceededLimit } from './limits.ts';
import { createDeliveryProblems, type DeliveryProblems } from './problems.ts';

export interface Delivery extends Startable {
  /** Something was added to the queue: look at once. */
  wake(): void;
  /** Begins everything that is due and resolves when it is sent. For tests, which move time themselves. */
  runNow(): Promise<void>;
}

export interface DeliveryDeps {
  readonly metadata: Metadata;
  readonly context: NotificationContext;
  readonly secrets: ComponentSecrets;
  readonly operators: Pick<Notifications, 'publish' | 'fix'>;
  readonly isLeader: () => boolean;
  readonly clock: Clock;
  /** Measures how long claims are held. */
  readonly monotonic?: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly timers?: Timers;
}

export interface DeliverySettings {
  readonly nodeId: string;
  readonly limits: DeliveryLimits;
  readonly intervalMs?: number;
  /** How long a claim lasts without being renewed: after that, another node may make the delivery. */
  readonly claimMs?: number;
  /** How long attempts are made. */
  readonly maxAgeMs?: number;
  /** How long notices are collected for a digest. */
  readonly digestMs?: number;
  /** How long the history is kept. */
  readonly retentionMs?: number;
}

const MAX_PARALLEL = 8;
const STOP_PATIENCE_MS = 5000;
const HOUR_MS = 3_600_000;
const DEFAULTS = {
  intervalMs: 1000,
  claimMs: 8000,
  maxAgeMs: 24 * HOUR_MS,
  digestMs: HOUR_MS / 4,
  retentionMs: 30 * 24 * HOUR_MS,
};

export function createDelivery(deps: DeliveryDeps, options: DeliverySettings): Delivery {
  const settings = { ...DEFAULTS, ...options };
  const { metadata, isLeader, timers = systemTimers } = deps;
  const logger = deps.logger.child({ component: 'notifications' });
  const { alertDeliveries } = metadata.repositories;
  const problems = createDeliveryProblems(deps.operators);
  const dispatcher = createDispatcher({ ...deps, logger, problems, ended: () => wake() }, settings);
  const hasUnfinished = readAfterChanges(metadata, () => alertDeliveries.hasUnfinished());
  let cleanedAt = Number.NEGATIVE_INFINITY;

  async function turn(): Promise<void> {
    if (!isLeader() || dispatcher.isStopping()) return;
    if (await hasUnfinished()) await makeDue();
    if (deps.clock.now() - cleanedAt < HOUR_MS) return;
    cleanedAt = deps.clock.now();
    await alertDeliveries.removeOlderThan(settings.retentionMs);
  }

  async function makeDue(): Promise<void> {
    const interrupted = await alertDeliveries.releaseClaims();
    if (interrupted > 0) logger.warn({ interrupted }, 'deliveries of a node that is gone are made again');
    await tellHeld({ metadata, problems }, settings.digestMs);
    await dispatcher.beginDue();
  }

  const job = createPeriodicJob(
    { run: turn, logger, timers },
    { name: 'delivery of alerts', intervalMs: settings.intervalMs },
  );
  function wake(): void {
    if (!dispatcher.isStopping()) void job.runNow();
  }

  return {
    name: 'delivery of alerts',
    async start() {
      // Whatever this node was sending when it died.
      const interrupted = await alertDeliveries.releaseClaims(settings.nodeId);
      if (interrupted > 0) logger.warn({ interrupted }, 'deliveries were interrupted and are made again');
      job.start();
      wake();
    },
    wake,
    async runNow() {
      for (;;) {
        await job.runNow();
        if (!(await dispatcher.settled())) return;
      }
    },
    async stop() {
      await job.stop();
      // What ends in time is not sent again by the next start.
      await Promise.race([dispatcher.settled(), pause(timers, STOP_PATIENCE_MS)]);
      dispatcher.stop();
      await Promise.race([dispatcher.settled(), pause(timers, STOP_PATIENCE_MS)]);
    },
  };
}

interface DispatcherDeps extends DeliveryDeps {
  readonly problems: DeliveryProblems;
  /** Called when a delivery has ended, so that there is room for another. */
  readonly ended: () => void;
}

/** Begins deliveries, each notification one at a time, and knows which are being made. */
function createDispatcher(deps: DispatcherDeps, settings: DeliverySettings & typeof DEFAULTS) {
  const { problems, isLeader, monotonic = monotonicClock } = deps;
  const { alertDeliveries } = deps.metadata.repositories;
  const attempts = createAttempts(deps, settings);
  /** By notification. */
  const running = new Map<string, Promise<void>>();
  const stopping = new AbortController();

  async function begin(due: DeliveryRecord): Promise<void> {
    const exceeded = await exceededLimit(alertDeliveries, due, settings.limits);
    if (exceeded !== undefined) {
      await alertDeliveries.end(due.id, 'held', exceeded);
      await problems.heldBack({ id: due.notificationId, title: due.notificationTitle }, exceeded);
      return;
    }
    const requestedAt = monotonic.now();
    const claimed = await alertDeliveries.claim(due.id, settings.nodeId, settings.claimMs);
    if (claimed === undefined) return;
    const sending = attempts.make({ claimed, requestedAt }, stopping.signal).finally(() => {
      running.delete(due.notificationId);
      deps.ended();
    });
    running.set(due.notificationId, sending);
  }

  const hasRoom = (): boolean => running.size < MAX_PARALLEL && isLeader() && !stopping.signal.aborted;

  return {
    /** Begins as many deliveries as there is room for. */
    async beginDue(): Promise<void> {
      while (hasRoom()) {
        const due = await alertDeliveries.listDue(MAX_PARALLEL * 4, [...running.keys()]);
        if (due.length === 0) return;
        for (const each of due) {
          if (!hasRoom()) return;
          if (!running.has(each.notificationId)) await begin(each);
        }
      }
    },
    /** Resolves when everything that is being sent has ended; false if nothing was. */
    async settled(): Promise<boolean> {
      const all = [...running.values()];
      await Promise.all(all);
      return all.length > 0;
    },
    stop: () => stopping.abort(),
    isStopping: () => stopping.signal.aborted,
  };
}
