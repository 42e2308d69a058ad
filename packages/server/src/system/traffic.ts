import type { Traffic as TrafficView } from '@millrace/contract';
import { type Clock, createPeriodicJob, type Startable } from '#core/index.ts';
import type { TrafficAmounts, TrafficRepository } from '#metadata/index.ts';
import type { Logger, Metrics } from '#telemetry/index.ts';

/** The counters, in bytes, that inputs, decoding and storage increment. */
export const TRAFFIC_COUNTERS = {
  input: 'org.graylog2.traffic.input',
  decoded: 'org.graylog2.traffic.decoded',
  output: 'org.graylog2.traffic.output',
} as const;

/** Stores how many bytes the cluster receives and stores per hour, so that restarts do not lose them. */
export interface Traffic extends Startable {
  /** The last `days` days, including today. */
  history(days: number, daily: boolean): Promise<TrafficView>;
  /** Stores what was counted since the last flush. */
  flush(): Promise<void>;
}

export interface TrafficDeps {
  readonly traffic: TrafficRepository;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface TrafficSettings {
  readonly nodeId: string;
  readonly flushIntervalMs?: number;
  readonly keepDays?: number;
}

const DEFAULT_FLUSH_INTERVAL_MS = 60_000;
const DEFAULT_KEEP_DAYS = 400;
const DAY_MS = 86_400_000;
const ZERO: TrafficAmounts = { input: 0, decoded: 0, output: 0 };

export function createTraffic(deps: TrafficDeps, settings: TrafficSettings): Traffic {
  const { traffic, metrics, clock } = deps;
  const logger = deps.logger.child({ component: 'traffic' });
  const keepMs = (settings.keepDays ?? DEFAULT_KEEP_DAYS) * DAY_MS;
  for (const [kind, name] of Object.entries(TRAFFIC_COUNTERS)) {
    metrics.counter(name, { help: `Bytes of traffic: ${kind}` });
  }
  let stored = ZERO;
  let isStarted = false;

  /** If it fails, the next flush stores the difference. Two at once would store the same difference twice. */
  async function storeDifference(): Promise<void> {
    const counted = readCounters(metrics);
    const difference: TrafficAmounts = {
      // Never negative: a counter that was removed starts again at zero.
      input: Math.max(0, counted.input - stored.input),
      decoded: Math.max(0, counted.decoded - stored.decoded),
      output: Math.max(0, counted.output - stored.output),
    };
    if (difference.input + difference.decoded + difference.output > 0) {
      await traffic.add(settings.nodeId, clock.now(), difference);
    }
    stored = counted;
    await traffic.removeBefore(clock.now() - keepMs);
  }

  const job = createPeriodicJob(
    { run: storeDifference, logger },
    { name: 'storing traffic', intervalMs: settings.flushIntervalMs ?? DEFAULT_FLUSH_INTERVAL_MS },
  );

  return {
    name: 'traffic',
    async start() {
      isStarted = true;
      job.start();
    },
    async stop() {
      await job.stop();
      if (isStarted) await job.runNow();
      isStarted = false;
    },
    flush: job.runNow,
    async history(days, daily) {
      const to = clock.now();
      const from = startOfDay(to) - (days - 1) * DAY_MS;
      const view = { input: {}, decoded: {}, output: {} } satisfies Partial<TrafficView>;
      for (const hour of await traffic.list(from, to)) {
        const key = new Date(daily ? startOfDay(hour.hour) : hour.hour).toISOString();
        addTo(view.input, key, hour.input);
        addTo(view.decoded, key, hour.decoded);
        addTo(view.output, key, hour.output);
      }
      return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), ...view };
    },
  };
}

function readCounters(metrics: Metrics): TrafficAmounts {
  const read = (name: string): number => {
    const shape = metrics.get(name)?.metric;
    return shape !== undefined && 'count' in shape ? shape.count : 0;
  };
  return {
    input: read(TRAFFIC_COUNTERS.input),
    decoded: read(TRAFFIC_COUNTERS.decoded),
    output: read(TRAFFIC_COUNTERS.output),
  };
}

function startOfDay(time: number): number {
  return time - (time % DAY_MS);
}

function addTo(amounts: Record<string, number>, key: string, amount: number): void {
  amounts[key] = (amounts[key] ?? 0) + amount;
}
