import { componentPrefix, type Metrics } from '#telemetry/index.ts';
import type { QueueDropReason } from './queue/queue-deps.ts';

/** The standard counters of an output, and what waits in its queues. */
export interface OutputMetrics {
  received(messages: number, bytes: number): void;
  sent(messages: number, bytes: number): void;
  dropped(reason: QueueDropReason, messages: number, bytes: number): void;
  refused(messages: number, bytes: number): void;
  /** An attempt to send failed. */
  failed(): void;
  remove(): void;
}

export interface QueueFigures {
  readonly messages: number;
  readonly bytes: number;
}

export function createOutputMetrics(
  metrics: Metrics,
  { type, id }: { readonly type: string; readonly id: string },
  queued: () => QueueFigures,
): OutputMetrics {
  const component = metrics.component({
    kind: 'output',
    type,
    id,
    dropReasons: ['queue_full', 'too_large', 'disk_failing', 'refused'],
    errorTypes: ['send_failed'],
    stages: ['send'],
  });
  const prefix = componentPrefix({ kind: 'output', type, id });
  const gauge = (name: 'messages' | 'bytes', help: string): void =>
    metrics.gauge(`${prefix}.queue.${name}`, () => queued()[name], {
      help,
      merge: 'sum',
      series: { name: `millrace_output_queue_${name}`, labels: { component_type: type, component_id: id } },
    });
  gauge('messages', 'Messages that wait in the queue of an output');
  gauge('bytes', 'Bytes on disk of the queue of an output');
  return {
    received: (messages, bytes) => component.received(messages, bytes),
    sent: (messages, bytes) => component.sent(messages, bytes),
    dropped: (reason, messages, bytes) => component.dropped(reason, messages, bytes),
    refused: (messages, bytes) => component.dropped('refused', messages, bytes),
    failed: () => component.error('send_failed', 'send'),
    remove: () => component.remove(),
  };
}
