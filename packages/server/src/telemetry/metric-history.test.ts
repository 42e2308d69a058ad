import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { createMetricHistory, type MetricHistorySettings } from './metric-history.ts';
import { createMetrics } from './metrics.ts';

const logger = pino({ level: 'silent' });

function create(settings: MetricHistorySettings = {}) {
  const clock = new ManualClock(1000);
  const metrics = createMetrics({ clock });
  return { clock, metrics, history: createMetricHistory({ metrics, clock, logger }, settings) };
}

test('each sample records the metric, oldest first', () => {
  const { clock, metrics, history } = create();
  const counter = metrics.counter('a.count');
  history.sample();
  counter.increment(5);
  clock.advance(10_000);
  history.sample();
  expect(history.of('a.count')).toEqual([
    { time: 1000, figures: { count: 0 } },
    { time: 11_000, figures: { count: 5 } },
  ]);
  expect(history.of('a.count', 1000)).toHaveLength(1);
  expect(history.of('b')).toEqual([]);
});

test.each([
  ['gauge', ['value']],
  ['meter', ['count', '1-minute-rate', '5-minute-rate', '15-minute-rate', 'mean-rate', 'rate-unit']],
  [
    'histogram',
    ['count', 'median', '75-percentile', '95-percentile', '999-percentile', 'min', 'max', 'mean'],
  ],
  ['timer', ['count', '1-minute-rate', 'rate-unit', 'duration-unit', '99-percentile', 'std_dev']],
])('the figures of a %s have the names of a history', (type, names) => {
  const { metrics, history } = create();
  if (type === 'gauge') metrics.gauge('m', () => 3);
  if (type === 'meter') metrics.meter('m').mark(2);
  if (type === 'histogram') metrics.histogram('m').update(4);
  if (type === 'timer') metrics.timer('m').update(1500);
  history.sample();
  const [first] = history.of('m');
  for (const name of names) expect(first?.figures).toHaveProperty([name]);
});

describe('bounds', () => {
  test('samples older than the retention time are dropped', () => {
    const { clock, metrics, history } = create({ keepMs: 30_000 });
    metrics.counter('a');
    for (let count = 0; count < 10; count++) {
      history.sample();
      clock.advance(10_000);
    }
    expect(history.of('a').map((each) => each.time)).toEqual([71_000, 81_000, 91_000]);
  });

  test('metrics beyond the limit get no history', () => {
    const { metrics, history } = create({ maxMetrics: 2 });
    for (const name of ['a', 'b', 'c']) metrics.counter(name);
    history.sample();
    expect(['a', 'b', 'c'].map((name) => history.of(name).length)).toEqual([1, 1, 0]);
  });
});

test('it samples at every interval between start and stop', async () => {
  const clock = new ManualClock();
  const metrics = createMetrics({ clock });
  metrics.counter('a');
  const history = createMetricHistory({ metrics, clock, logger, timers: clock }, { intervalMs: 1000 });
  await history.start();
  for (let sample = 0; sample < 3; sample++) {
    clock.advance(1000);
    await new Promise(setImmediate);
  }
  await history.stop();
  await history.stop();
  clock.advance(1000);
  expect(history.of('a').length).toBe(3);
});
