import { monitorEventLoopDelay } from 'node:perf_hooks';
import { memoryUsage, uptime } from 'node:process';
import { getHeapStatistics } from 'node:v8';
import type { Metrics } from './metrics.ts';

const NANOSECONDS_PER_MILLISECOND = 1e6;
/** Each look wakes a thread that may have nothing else to do. */
const DELAY_RESOLUTION_MS = 100;

/**
 * Gauges of this process: memory, uptime and event loop delay. The heap also has Graylog's `jvm.` names, because
 * dashboards and scripts read those.
 *
 * In a worker, `worker: true` leaves out the gauges of the whole process. The returned function stops measuring.
 */
export function registerProcessMetrics(metrics: Metrics, options: { worker?: boolean } = {}): () => void {
  const delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delay.enable();
  // The histogram includes the sampling interval in the delay.
  const milliseconds = (nanoseconds: number): number =>
    Math.max(0, nanoseconds / NANOSECONDS_PER_MILLISECOND - DELAY_RESOLUTION_MS);

  metrics.gauge('millrace.process.event-loop-delay.mean', () => milliseconds(delay.mean || 0), {
    help: 'Mean delay of the event loop since start, in milliseconds',
  });
  metrics.gauge('millrace.process.event-loop-delay.p99', () => milliseconds(delay.percentile(99)), {
    help: '99th percentile of the delay of the event loop since start, in milliseconds',
  });
  metrics.gauge('millrace.process.event-loop-delay.max', () => milliseconds(delay.max), {
    help: 'Longest delay of the event loop since start, in milliseconds',
  });
  metrics.gauge('millrace.process.heap.used', () => getHeapStatistics().used_heap_size, {
    help: 'Bytes of JavaScript heap in use',
  });
  if (options.worker !== true) registerWholeProcess(metrics);
  return () => {
    delay.disable();
  };
}

function registerWholeProcess(metrics: Metrics): void {
  metrics.gauge('millrace.process.rss', () => memoryUsage.rss(), {
    help: 'Bytes of resident memory of the process',
  });
  metrics.gauge('millrace.process.external', () => memoryUsage().external, {
    help: 'Bytes of memory outside the JavaScript heap that its objects use',
  });
  metrics.gauge('millrace.process.uptime', () => uptime(), { help: 'Seconds since the process started' });
  metrics.gauge('jvm.memory.heap.used', () => getHeapStatistics().used_heap_size);
  metrics.gauge('jvm.memory.heap.committed', () => getHeapStatistics().total_heap_size);
  metrics.gauge('jvm.memory.heap.max', () => getHeapStatistics().heap_size_limit);
}
