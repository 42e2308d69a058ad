import type { StreamFault } from '#streams/index.ts';
import type { Meter, Metrics } from '#telemetry/index.ts';

/** The metrics of a stream start with this name and its id. */
export const STREAM_METRICS = 'org.graylog2.plugin.streams.Stream';

/** Counts the messages and faults of streams, in Graylog's metrics. One for the life of a worker. */
export interface StreamMeters {
  mark(streamId: string, messages: number): void;
  faulted(fault: StreamFault, maxFaults: number): void;
  /** Forgets the streams that no longer exist. */
  keepOnly(streamIds: ReadonlySet<string>): void;
}

export function createStreamMeters(metrics: Metrics): StreamMeters {
  const meters = new Map<string, Meter>();
  const faulty = new Set<string>();
  return {
    mark(streamId, messages) {
      let meter = meters.get(streamId);
      if (meter === undefined) {
        meter = metrics.meterWithRate(`${STREAM_METRICS}.${streamId}.incomingMessages`);
        meters.set(streamId, meter);
      }
      meter.mark(messages);
    },
    faulted({ streamId, count }, maxFaults) {
      metrics.meter(`${STREAM_METRICS}.${streamId}.ruleTimeouts`).mark();
      if (count > maxFaults) metrics.meter(`${STREAM_METRICS}.${streamId}.faultsExceeded`).mark();
      faulty.add(streamId);
    },
    keepOnly(streamIds) {
      for (const id of [...meters.keys(), ...faulty]) {
        if (streamIds.has(id)) continue;
        meters.delete(id);
        faulty.delete(id);
        metrics.remove(`${STREAM_METRICS}.${id}`);
      }
    },
  };
}
