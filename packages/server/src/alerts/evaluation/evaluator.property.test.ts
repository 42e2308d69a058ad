/**
 * Whatever happens (messages that come late, early or out of order, a storage that lags behind, nodes that die in the
 * middle of an evaluation, leaders that change or are two), the alerts are those of an evaluator that knows everything.
 */
import fc from 'fast-check';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Metadata } from '#metadata/index.ts';
import type { Figures } from '#search/service.ts';
import { createNotifications } from '#system/service.ts';
import { anAlertRule } from '#testing/alert-records.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { openTestMetadata } from '#testing/metadata.ts';
import { createNoticeQueue } from '../notifications/service.ts';
import { completeCondition } from '../rules/stream-conditions.ts';
import { createEvaluator, type Evaluator } from './evaluator.ts';
import { createRuleBook } from './rule-book.ts';
import { scheduleOf } from './schedule.ts';

const CHECK_INTERVAL_MS = 10_000;
const LATENESS_MS = 20_000;
const MINUTE_MS = 60_000;

interface Arrival {
  /** Milliseconds since the message before. */
  readonly pause: number;
  /** Milliseconds until it arrives. */
  readonly lateness: number;
  /** How long it takes to be stored, in percent of the most. */
  readonly storing: number;
}

interface Turn {
  readonly pause: number;
  /** Who evaluates: who did it before, the other one, or both, each of which takes itself for the leader. */
  readonly who: 'same' | 'other' | 'both';
  /** The node dies after so many questions to the storage. */
  readonly dies: number | undefined;
}

interface Message {
  readonly timestamp: number;
  readonly receivedAt: number;
  readonly storedAt: number;
}

/** Without it lists are short, and hardly any message is on its way when a window is evaluated. */
const MANY = { size: 'max' } as const;

const arrivals = fc.array(
  fc.record<Arrival>({
    pause: fc.integer({ min: 0, max: 30_000 }),
    lateness: fc.integer({ min: -5000, max: LATENESS_MS }),
    storing: fc.integer({ min: 0, max: 100 }),
  }),
  { ...MANY, maxLength: 40 },
);
const turns = fc.array(
  fc.record<Turn>({
    pause: fc.integer({ min: 500, max: 25_000 }),
    // A node that led before and leads again knows an old state.
    who: fc.constantFrom('same', 'same', 'same', 'same', 'other', 'both'),
    dies: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined, freq: 3 }),
  }),
  { ...MANY, minLength: 5, maxLength: 40 },
);
const parameters = fc.record({
  time: fc.integer({ min: 1, max: 3 }),
  threshold: fc.integer({ min: 0, max: 3 }),
  threshold_type: fc.constantFrom('MORE', 'LESS'),
  grace: fc.constantFrom(0, 1, 2.5),
});

/** Storage that is always fast shows what becomes of late messages; slow storage hides it, since evaluation waits for it. */
const worlds = fc.record({
  byReceipt: fc.boolean(),
  slowest: fc.constantFrom(0, 2000, 45_000, 90_000),
});

test('alerts equal those of a naive evaluator that knows everything', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, turns, parameters, worlds, async (coming, acting, rule, kind) => {
      const { byReceipt, slowest } = kind;
      const clock = new ManualClock();
      const metadata = await openTestMetadata(clock);
      try {
        const world = createWorld(clock, coming, slowest);
        const basis = byReceipt ? 'receive' : 'message';
        const { id } = await metadata.repositories.alertRules.insert(
          anAlertRule({
            condition: completeCondition({
              type: 'message_count',
              parameters: { ...rule, time_basis: basis, lateness: LATENESS_MS / 1000 },
            }),
          }),
        );
        const createdAt = clock.now();
        const nodes = [newNode(metadata, clock, world), newNode(metadata, clock, world)];
        let leader = 0;
        for (const { pause, who, dies } of acting) {
          clock.advance(pause);
          world.failAfter(dies);
          if (who === 'other') leader = 1 - leader;
          const busy = who === 'both' ? [0, 1] : [leader];
          await Promise.all(busy.map((at) => nodes[at]?.evaluateDue()));
          if (dies !== undefined) nodes[busy[0] ?? 0] = newNode(metadata, clock, world);
        }
        world.failAfter(undefined);
        // Everything is stored, and failed evaluations are tried again.
        for (let turn = 0; turn < 5; turn++) {
          clock.advance(MINUTE_MS);
          await newNode(metadata, clock, world).evaluateDue();
        }
        const [state] = await metadata.repositories.alertRules.states(id);
        const { items } = await metadata.repositories.alerts.page({}, { limit: 10_000, offset: 0 });
        const found = items.map(({ triggeredAt, resolvedAt }) => [triggeredAt, resolvedAt]).reverse();
        expect(state?.failures).toBe(0);
        expect(found).toEqual(
          naiveAlerts(world.messages, { ...rule, byReceipt }, createdAt, state?.evaluatedUntil ?? 0),
        );
      } finally {
        await metadata.close();
      }
    }),
    // Making a failure smaller takes longer than the test may; its seed is enough to see it again.
    { numRuns: 100, endOnFailure: true },
  );
}, 120_000);

function createWorld(clock: ManualClock, coming: readonly Arrival[], slowest: number) {
  let at = clock.now() - 2 * MINUTE_MS;
  const messages: Message[] = coming.map(({ pause, lateness, storing }) => {
    at += pause;
    return {
      timestamp: at,
      receivedAt: at + lateness,
      storedAt: at + lateness + (storing * slowest) / 100,
    };
  });
  let left: number | undefined;
  const figures: Figures = {
    async measure(_caller, { basis }, measurements) {
      if (left !== undefined && left-- <= 0) throw new Error('the node died');
      const stored = messages.filter(({ storedAt }) => storedAt <= clock.now());
      return measurements.map(({ figures: [figure] }) => {
        const time = basis === 'receive' ? 'receivedAt' : 'timestamp';
        const count = stored.filter(
          (message) => message[time] >= (figure?.from ?? 0) && message[time] < (figure?.to ?? 0),
        ).length;
        return { rows: [{ key: [], figures: [count] }], isTruncated: false };
      });
    },
  };
  return {
    messages,
    figures,
    failAfter(questions: number | undefined) {
      left = questions;
    },
    storedUntil(): number {
      const now = clock.now();
      const waiting = messages.filter(({ receivedAt, storedAt }) => receivedAt <= now && storedAt > now);
      return Math.min(now, ...waiting.map(({ receivedAt }) => receivedAt));
    },
  };
}

function newNode(metadata: Metadata, clock: ManualClock, world: ReturnType<typeof createWorld>): Evaluator {
  const logger = pino({ level: 'silent' });
  return createEvaluator({
    metadata,
    book: createRuleBook({ metadata }, { checkIntervalMs: CHECK_INTERVAL_MS }),
    figures: world.figures,
    messages: {
      find: () => {
        throw new Error('no notice has a backlog');
      },
    },
    queue: createNoticeQueue({ metadata }),
    notifications: createNotifications(
      { notifications: metadata.repositories.notifications, logger },
      { nodeId: 'node-1' },
    ),
    storedUntil: world.storedUntil,
    isLeader: () => true,
    evaluated: () => {},
    took: () => {},
    clock,
    logger,
  });
}

interface NaiveRule {
  readonly time: number;
  readonly threshold: number;
  readonly threshold_type: string;
  readonly grace: number;
  readonly byReceipt: boolean;
}

/** Looks at one window after the other, with all messages at hand. */
function naiveAlerts(messages: readonly Message[], rule: NaiveRule, from: number, until: number) {
  const { nextEnd } = scheduleOf({ kind: 'interval', everyMs: null }, CHECK_INTERVAL_MS, '');
  const alerts: [number, number | null][] = [];
  for (let end = nextEnd(from); end <= until; end = nextEnd(end)) {
    const count = messages.filter(({ timestamp, receivedAt }) => {
      const time = rule.byReceipt ? receivedAt : timestamp;
      return time >= end - rule.time * MINUTE_MS && time < end;
    }).length;
    const isTrue = rule.threshold_type === 'MORE' ? count > rule.threshold : count < rule.threshold;
    const last = alerts.at(-1);
    if (last !== undefined && last[1] === null) {
      if (!isTrue) last[1] = end;
    } else if (isTrue && (last === undefined || end - (last[1] ?? 0) >= rule.grace * MINUTE_MS)) {
      alerts.push([end, null]);
    }
  }
  return alerts;
}
