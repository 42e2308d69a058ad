import { describe, expect, test } from 'vitest';
import { assertComponentTelemetry } from '#testing/component-telemetry.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { registerProcessMetrics } from './process-metrics.ts';

/** Copies data the way posting it from a worker does. */
function transfer(from: Metrics) {
  return structuredClone(from.exportData());
}

describe('registry', () => {
  test("shows every type in Graylog's shape", () => {
    const clock = new ManualClock();
    const metrics = createMetrics({ clock });
    metrics.counter('org.graylog2.throughput.input').increment(3);
    metrics.gauge('org.graylog2.journal.size', () => 42);
    const meter = metrics.meter('org.graylog2.reads');
    const timer = metrics.timer('org.graylog2.executionTime');
    metrics.histogram('org.graylog2.batch').update(100);
    meter.mark();
    meter.mark(9);
    timer.update(250);
    clock.advance(5000);

    const rate = { total: 10, mean: 2, one_minute: 2, five_minute: 2, fifteen_minute: 2 };
    expect(metrics.get('org.graylog2.throughput.input')).toEqual({
      full_name: 'org.graylog2.throughput.input',
      name: 'input',
      type: 'counter',
      metric: { count: 3 },
    });
    expect(metrics.get('org.graylog2.journal.size')?.metric).toEqual({ value: 42 });
    expect(metrics.get('org.graylog2.reads')?.metric).toEqual({ rate, rate_unit: 'events/second' });
    expect(metrics.get('org.graylog2.executionTime')?.metric).toEqual({
      rate: { total: 1, mean: 0.2, one_minute: 0.2, five_minute: 0.2, fifteen_minute: 0.2 },
      rate_unit: 'events/second',
      time: {
        min: 250,
        max: 250,
        mean: 250,
        std_dev: 0,
        '95th_percentile': 250,
        '98th_percentile': 250,
        '99th_percentile': 250,
      },
      duration_unit: 'microseconds',
    });
    expect(metrics.get('org.graylog2.batch')?.metric).toMatchObject({ count: 1, time: { max: 100 } });
    expect(metrics.get('org.graylog2.nothing')).toBeUndefined();
  });

  test('the snapshot groups by type, timers in seconds', () => {
    const metrics = createMetrics({ clock: new ManualClock() });
    metrics.counter('c').increment();
    metrics.gauge('g', () => 'text');
    metrics.meter('m').mark();
    metrics.histogram('h').update(5);
    metrics.timer('t').update(2_000_000);
    const snapshot = metrics.snapshot();
    expect(snapshot).toMatchObject({
      version: '4.0.0',
      counters: { c: { count: 1 } },
      gauges: { g: { value: 'text' } },
      meters: { m: { count: 1, units: 'events/second' } },
      histograms: { h: { count: 1, max: 5, p50: 5 } },
      timers: { t: { count: 1, max: 2, p999: 2, duration_units: 'seconds', rate_units: 'calls/second' } },
    });
  });

  test('names are sorted; a prefix matches whole segments only', () => {
    const metrics = createMetrics();
    for (const name of ['b.y', 'b.x', 'bee', 'b', 'a.b.x']) metrics.counter(name);
    expect(metrics.names()).toEqual(['a.b.x', 'b', 'b.x', 'b.y', 'bee']);
    expect(metrics.byPrefix('b').map((record) => record.full_name)).toEqual(['b', 'b.x', 'b.y']);
    expect(metrics.byPrefix('b.').map((record) => record.full_name)).toEqual(['b.x', 'b.y']);
    metrics.remove('b');
    expect(metrics.names()).toEqual(['a.b.x', 'bee']);
  });

  test('the same name gives the same metric, and another type throws', () => {
    const metrics = createMetrics();
    metrics.counter('x').increment();
    metrics.counter('x').increment(2);
    expect(metrics.get('x')?.metric).toEqual({ count: 3 });
    expect(() => metrics.meter('x')).toThrow('The metric x is a counter, so it cannot also be a meter.');
    metrics.gauge('g', () => 1);
    metrics.gauge('g', () => 2);
    expect(metrics.get('g')?.metric).toEqual({ value: 2 });
  });

  test('a counter with its rate of the last second', () => {
    const clock = new ManualClock();
    const metrics = createMetrics({ clock });
    metrics.counterWithRate('org.graylog2.throughput.input').increment(5);
    metrics.counterWithRate('org.graylog2.throughput.input').increment(2);
    clock.advance(1000);
    expect(metrics.get('org.graylog2.throughput.input')?.metric).toEqual({ count: 7 });
    expect(metrics.get('org.graylog2.throughput.input.1-sec-rate')?.metric).toEqual({ value: 7 });
  });

  test('a meter with its rate of the last second', () => {
    const clock = new ManualClock();
    const metrics = createMetrics({ clock });
    metrics.meterWithRate('m').mark(5);
    metrics.meterWithRate('m').mark();
    clock.advance(1000);
    expect(metrics.get('m')?.metric).toMatchObject({ rate: { total: 6 } });
    expect(metrics.get('m.1-sec-rate')?.metric).toEqual({ value: 6 });
  });

  test('a gauge that throws reads as null and breaks nothing else', async () => {
    const metrics = createMetrics();
    metrics.gauge('broken', () => {
      throw new Error('no');
    });
    metrics.counter('fine').increment();
    expect(metrics.get('broken')?.metric).toEqual({ value: null });
    expect(await metrics.prometheus()).toContain('millrace_fine_total 1');
  });

  test('a counter that was counted down below zero is a gauge for Prometheus', async () => {
    const metrics = createMetrics();
    metrics.counter('down').increment(-1);
    expect(await metrics.prometheus()).toMatch(/# TYPE millrace_down_total gauge\nmillrace_down_total -1/);
  });
});

describe('component events', () => {
  const input = { kind: 'input', type: 'gelf-tcp', id: '5f0000000000000000000001' } as const;
  const describedInput = {
    ...input,
    dropReasons: ['journal_full', 'too_large'],
    errorTypes: ['connection_reset'],
    stages: ['receiving', 'framing'],
  } as const;

  test('are counted in events and bytes', async () => {
    const metrics = createMetrics();
    const component = metrics.component(describedInput);
    component.received(10, 1000);
    component.received(1, 50);
    component.sent(8, 900);
    component.dropped('too_large', 3, 150);
    component.error('connection_reset', 'receiving');
    assertComponentTelemetry(metrics, input, {
      received: { events: 11, bytes: 1050 },
      sent: { events: 8 },
      dropped: { too_large: { events: 3, bytes: 150 } },
      errors: { 'connection_reset.receiving': 1 },
    });

    const labels = 'component_kind="input",component_type="gelf-tcp",component_id="5f0000000000000000000001"';
    const text = await metrics.prometheus();
    expect(text).toContain(`millrace_component_received_events_total{${labels}} 11`);
    expect(text).toContain(`millrace_component_dropped_bytes_total{${labels},reason="too_large"} 150`);
    expect(text).toContain(`millrace_component_dropped_events_total{${labels},reason="journal_full"} 0`);
    expect(text).toContain(
      `millrace_component_errors_total{${labels},error_type="connection_reset",stage="receiving"} 1`,
    );

    component.remove();
    expect(metrics.names()).toEqual([]);
  });

  test('the test harness detects missing, extra and undeclared counters', () => {
    const metrics = createMetrics();
    expect(() => assertComponentTelemetry(metrics, input, {})).toThrow('does not count received.events');
    const component = metrics.component(describedInput);
    assertComponentTelemetry(metrics, input, {});
    component.received(1, 10);
    const counted = { received: { events: 1, bytes: 10 } };
    assertComponentTelemetry(metrics, input, counted);
    expect(() => assertComponentTelemetry(metrics, input, {})).toThrow('counted something else');
    expect(() => assertComponentTelemetry(metrics, input, { received: { events: 1, bytes: 9 } })).toThrow();
    expect(() => assertComponentTelemetry(metrics, input, { ...counted, sent: { events: 1 } })).toThrow();
    component.dropped('journal_full', 1, 1);
    expect(() => assertComponentTelemetry(metrics, input, counted)).toThrow();
  });

  test('undeclared reasons, error types and stages are refused', () => {
    const component = createMetrics().component({
      ...describedInput,
      dropReasons: ['journal_full'] as string[],
      stages: ['receiving'] as string[],
      errorTypes: ['reset'] as string[],
    });
    expect(() => component.dropped('bad luck', 1, 1)).toThrow('did not declare the drop reason "bad luck"');
    expect(() => component.error('new', 'receiving')).toThrow('did not declare the error type "new"');
    expect(() => component.error('reset', 'elsewhere')).toThrow('did not declare the stage "elsewhere"');
  });
});

describe('workers', () => {
  test('counts, rates and distributions are added; gauges are merged or kept apart as configured', () => {
    const clock = new ManualClock();
    const main = createMetrics({ clock });
    main.counter('messages').increment(1);
    const workers = [createMetrics({ clock }), createMetrics({ clock })];
    workers.forEach((worker, index) => {
      worker.counter('messages').increment(10);
      worker.meter('reads').mark(5);
      worker.timer('time').update(10 ** (index + 1));
      worker.gauge('heap', () => 100 + index);
      worker.gauge('usage', () => 3, { merge: 'sum' });
      worker.gauge('oldest', () => index, { merge: 'max' });
    });
    clock.advance(5000);
    workers.forEach((worker, index) => {
      main.importData(`worker-${index}`, transfer(worker));
    });

    expect(main.get('messages')?.metric).toEqual({ count: 21 });
    expect(main.get('reads')?.metric).toMatchObject({ rate: { total: 10, one_minute: 2 } });
    expect(main.get('time')?.metric).toMatchObject({ rate: { total: 2 }, time: { min: 10, max: 100 } });
    expect(main.get('heap')).toBeUndefined();
    expect(main.get('heap.worker-1')?.metric).toEqual({ value: 101 });
    expect(main.get('usage')?.metric).toEqual({ value: 6 });
    expect(main.get('oldest')?.metric).toEqual({ value: 1 });
    expect(main.byPrefix('heap').map((record) => record.full_name)).toEqual([
      'heap.worker-0',
      'heap.worker-1',
    ]);
  });

  test('a new report replaces the previous one; a restarted worker adds to its earlier totals', () => {
    const main = createMetrics();
    const worker = createMetrics();
    worker.counter('messages').increment(10);
    main.importData('w', transfer(worker));
    worker.counter('messages').increment(5);
    main.importData('w', transfer(worker));
    expect(main.get('messages')?.metric).toEqual({ count: 15 });

    const restarted = createMetrics();
    restarted.counter('messages').increment(1);
    main.importData('w', transfer(restarted));
    main.importData('w', transfer(restarted));
    expect(main.get('messages')?.metric).toEqual({ count: 16 });
  });

  test('of a worker that has ended, totals remain but gauges and rates do not', () => {
    const clock = new ManualClock();
    const main = createMetrics({ clock });
    const worker = createMetrics({ clock });
    worker.counter('messages').increment(10);
    worker.meter('reads').mark(50);
    worker.histogram('sizes').update(7);
    worker.timer('time').update(7);
    worker.gauge('usage', () => 3, { merge: 'sum' });
    clock.advance(5000);
    main.importData('w', transfer(worker));
    main.retireSource('w');
    main.retireSource('never there');
    expect(main.names()).toEqual(['messages', 'reads', 'sizes', 'time']);
    expect(main.get('messages')?.metric).toEqual({ count: 10 });
    expect(main.get('reads')?.metric).toMatchObject({ rate: { total: 50, mean: 0, one_minute: 0 } });
    expect(main.get('sizes')?.metric).toMatchObject({ count: 1, time: { max: 0 } });
    main.remove('messages');
    expect(main.get('messages')).toBeUndefined();
  });

  test('a worker that uses a name for another type does not break reading', () => {
    const main = createMetrics();
    main.counter('x').increment(2);
    const worker = createMetrics();
    worker.meter('x').mark();
    main.importData('w', transfer(worker));
    expect(main.get('x')?.metric).toEqual({ count: 2 });
  });
});

describe('Prometheus', () => {
  test('ids in names become labels of one metric', async () => {
    const metrics = createMetrics();
    const streams = ['5f0000000000000000000001', '5f0000000000000000000002'];
    for (const id of streams) {
      metrics.counter(`org.graylog2.plugin.streams.Stream.${id}.incomingMessages`).increment(4);
    }
    metrics.timer(`org.graylog2.Stream.${streams[0]}.StreamRule.${streams[1]}.executionTime`).update(1e6);
    const text = await metrics.prometheus();
    for (const id of streams) {
      expect(text).toContain(`millrace_plugin_streams_stream_incoming_messages_total{id="${id}"} 4`);
    }
    expect(text.match(/# TYPE millrace_plugin_streams_stream_incoming_messages_total/g)).toHaveLength(1);
    const ids = `id="${streams[0]}",id_2="${streams[1]}"`;
    expect(text).toContain(`millrace_stream_stream_rule_execution_time_seconds{${ids},quantile="0.99"} 1`);
    expect(text).toContain(`millrace_stream_stream_rule_execution_time_seconds_sum{${ids}} 1`);
    expect(text).toContain(`millrace_stream_stream_rule_execution_time_seconds_count{${ids}} 1`);
  });

  test('handles colliding names, text gauges and worker labels', async () => {
    const metrics = createMetrics();
    metrics.gauge('a.b', () => 1);
    metrics.histogram('a_b').update(2);
    metrics.gauge('oldest', () => '2026-01-01T00:00:00.000Z');
    metrics.gauge('nan', () => Number.NaN);
    metrics.meter('reads.total').mark(3);
    metrics.counter('a.b_count');
    const worker = createMetrics();
    worker.gauge('heap', () => 5);
    metrics.importData('1', transfer(worker));
    const text = await metrics.prometheus();
    expect(text).toContain('millrace_a_b 1');
    expect(text).toContain('millrace_a_b{quantile="0.5"} 2');
    expect(text).toContain('millrace_reads_total 3');
    expect(text).toContain('millrace_heap{worker="1"} 5');
    expect(text).not.toContain('oldest');
    expect(text).not.toMatch(/nan/i);
  });
});

test('process metrics', async () => {
  const metrics = createMetrics();
  const stop = registerProcessMetrics(metrics);
  try {
    expect(metrics.get('millrace.process.rss')?.metric).toEqual({ value: expect.any(Number) });
    expect(metrics.snapshot().gauges['jvm.memory.heap.used']?.value).toBeGreaterThan(1e6);
    expect(metrics.snapshot().gauges['millrace.process.event-loop-delay.mean']?.value).toBeGreaterThanOrEqual(
      0,
    );
    expect(await metrics.prometheus()).toMatch(/^millrace_process_rss \d+$/m);

    const worker = createMetrics();
    registerProcessMetrics(worker, { worker: true })();
    expect(worker.names()).not.toContain('millrace.process.rss');
    expect(worker.names()).toContain('millrace.process.heap.used');
  } finally {
    stop();
  }
});
