import type { RoutedBatch } from '#core/index.ts';
import type { Metrics } from '#telemetry/index.ts';

/** What the writer counts. */
export function createWriterMetrics(metrics: Metrics) {
  const component = metrics.component({
    kind: 'storage',
    type: 'clickhouse',
    id: 'clickhouse',
    dropReasons: ['unstorable'],
    errorTypes: ['retried', 'refused'],
    stages: ['insert'],
  });
  const traffic = metrics.counter('org.graylog2.traffic.output');
  const throughput = metrics.counterWithRate('org.graylog2.throughput.output', {
    help: 'Messages stored',
  });
  const batchTime = metrics.timer('millrace.storage.batch', {
    help: 'Time from the end of a batch to its commit',
  });
  const batchSize = metrics.histogram('millrace.storage.batch_messages', { help: 'Messages in a batch' });

  return {
    received(batch: RoutedBatch): void {
      let bytes = 0;
      for (const message of batch.messages) bytes += message.size;
      component.received(batch.messages.length, bytes);
    },
    stored(messages: number, bytes: number, milliseconds: number): void {
      component.sent(messages, bytes);
      traffic.increment(bytes);
      throughput.increment(messages);
      batchSize.update(messages);
      if (milliseconds > 0) batchTime.update(milliseconds * 1000);
    },
    retried: (): void => component.error('retried', 'insert'),
    refused: (rows: number): void => component.error('refused', 'insert', rows),
    lost: (rows: number): void => component.dropped('unstorable', rows, 0),
  };
}
