import { errorMessage } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import type { Logger, Metrics } from '#telemetry/index.ts';
import type { FaultLedger, StreamFault } from '../index.ts';
import type { SnapshotPublisher } from './snapshot-publisher.ts';

/** What there is to tell operators; the cluster's notifications and system messages are such. */
export interface Operators {
  readonly notifications: {
    publish(notification: {
      readonly type: 'stream_processing_disabled';
      readonly key: string;
      readonly severity: 'urgent';
      readonly details: Readonly<Record<string, unknown>>;
    }): Promise<boolean>;
    fix(type: 'stream_processing_disabled', key: string): Promise<boolean>;
  };
  readonly systemMessages: { publish(caller: string, content: string): Promise<void> };
}

/** Disables streams whose rules exceeded their time limit too often. */
export interface StreamFaults {
  /** A worker has counted a fault. Returns at once; never throws. */
  reported(fault: StreamFault): void;
  /** Disables what has to be, also what could not be when it was reported. Resolves when that is done. */
  disableExceeded(): Promise<void>;
}

export interface StreamFaultDeps extends Operators {
  readonly metadata: Metadata;
  readonly ledger: FaultLedger;
  readonly publisher: SnapshotPublisher;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

export interface StreamFaultConfig {
  readonly streamTimeoutMs: number;
  readonly maxFaults: number;
}

export function createStreamFaults(deps: StreamFaultDeps, config: StreamFaultConfig): StreamFaults {
  const { metadata, ledger, publisher, logger } = deps;
  const faults = deps.metrics.counter('millrace.processing.stream_faults', {
    help: 'Messages on which the rules of a stream exceeded their time limit',
  });
  let working: Promise<void> = Promise.resolve();

  async function disable(streamId: string): Promise<void> {
    const count = ledger.countOf(streamId);
    const stream = await metadata.repositories.streams.find(streamId);
    if (stream === undefined) return;
    const reason =
      `Its rules took longer than ${config.streamTimeoutMs} ms on ${count} messages; ` +
      `more than ${config.maxFaults} such faults disable a stream. Change or delete the slow rules, then resume it.`;
    if (!(await metadata.repositories.streams.setState(streamId, 'disabled', reason, 'running'))) return;
    await deps.notifications.publish({
      type: 'stream_processing_disabled',
      key: streamId,
      severity: 'urgent',
      details: { stream_id: streamId, stream_title: stream.title, fault_count: count },
    });
    await deps.systemMessages.publish(
      'streams',
      `Stream "${stream.title}" (${streamId}) disabled: ${reason}`,
    );
  }

  async function disableExceeded(): Promise<void> {
    const exceeded = (publisher.current()?.streams ?? []).filter(
      ({ id }) => ledger.countOf(id) > config.maxFaults,
    );
    if (exceeded.length === 0) return;
    try {
      for (const { id } of exceeded) await disable(id);
      await publisher.refresh();
    } catch (error) {
      // The workers leave the stream alone all the same; the next look tries again.
      logger.warn({ reason: errorMessage(error) }, 'a stream with too many faults could not be disabled yet');
    }
  }

  function enqueue(): Promise<void> {
    working = working.then(disableExceeded, disableExceeded);
    return working;
  }

  return {
    disableExceeded: enqueue,
    reported({ streamId, count }) {
      faults.increment();
      logger.warn(
        { stream: streamId, faults: count, limitMs: config.streamTimeoutMs },
        'the rules of a stream exceeded their time limit',
      );
      if (count > config.maxFaults) void enqueue();
    },
  };
}
