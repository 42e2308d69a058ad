import type { Meter, Metrics } from '#telemetry/index.ts';
import type { Step } from '../framework/index.ts';
import type { StreamRouter } from '../streams/index.ts';

/** Metrics of a stream are below this name and its id. */
export const STREAM_METRICS = 'org.graylog2.plugin.streams.Stream';

/** Counts the messages of streams, in Graylog's metrics. One for the life of a thread. */
export interface StreamMeters {
  mark(streamId: string, messages: number): void;
  /** Forgets the streams that are no more. */
  keepOnly(streamIds: ReadonlySet<string>): void;
}

export function createStreamMeters(metrics: Metrics): StreamMeters {
  const meters = new Map<string, Meter>();
  return {
    mark(streamId, messages) {
      let meter = meters.get(streamId);
      if (meter === undefined) {
        meter = metrics.meter(`${STREAM_METRICS}.${streamId}.incomingMessages`);
        meters.set(streamId, meter);
      }
      meter.mark(messages);
    },
    keepOnly(streamIds) {
      for (const id of meters.keys()) {
        if (streamIds.has(id)) continue;
        meters.delete(id);
        metrics.remove(`${STREAM_METRICS}.${id}`);
      }
    },
  };
}

/** Finds the streams of every message that has no target yet. */
export function createRouteStep(router: StreamRouter, meters: StreamMeters): Step {
  return function route({ messages, targets }) {
    router.route(messages, targets);
    router.takeCounts((streamId, count) => meters.mark(streamId, count));
  };
}
