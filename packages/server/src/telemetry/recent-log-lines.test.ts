import { describe, expect, test } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { registerLogMeters } from './log-meters.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { createRecentLogLines, type RecentLogLinesSettings } from './recent-log-lines.ts';

function create(settings?: RecentLogLinesSettings, pretty = false) {
  const recent = createRecentLogLines(settings);
  const written: string[] = [];
  const logger = createLogger({
    level: 'debug',
    recent,
    pretty,
    clock: new ManualClock(Date.UTC(2026, 0, 1)),
    stream: { write: (line) => void written.push(line) },
  });
  return { recent, logger, written };
}

const messages = (lines: readonly { message: string }[]) => lines.map((line) => line.message);

test('lines are kept and also written, pretty or as JSON', () => {
  for (const pretty of [false, true]) {
    const { recent, logger, written } = create({}, pretty);
    logger.child({ component: 'journal' }).warn({ segments: 3, password: 'hunter2' }, 'cut');
    expect(written.join('')).toContain('cut');
    expect(recent.list(10)).toEqual([
      {
        level: 'warn',
        time: '2026-01-01T00:00:00.000Z',
        component: 'journal',
        message: 'cut',
        stack: undefined,
        fields: { segments: 3, password: '[redacted]' },
      },
    ]);
  }
});

test('the levels of lines are told, and counted', () => {
  const { recent, logger } = create();
  const metrics = createMetrics();
  registerLogMeters(metrics, recent);
  logger.warn('one');
  logger.child({ component: 'journal' }).error('two');
  logger.warn('three');
  const count = (level: string) => metrics.get(`org.apache.logging.log4j.core.Appender.${level}`)?.metric;
  expect(count('all')).toMatchObject({ rate: { total: 3 } });
  expect(count('warn')).toMatchObject({ rate: { total: 2 } });
  expect(count('error')).toMatchObject({ rate: { total: 1 } });
  expect(count('fatal')).toMatchObject({ rate: { total: 0 } });
});

test('the stack of an error is a separate field', () => {
  const { recent, logger } = create();
  logger.error(new TypeError('bad'));
  expect(recent.list(1)[0]?.stack).toMatch(/^TypeError: bad\n +at /);
});

describe('bounds', () => {
  test('the oldest lines are dropped first', () => {
    const { recent, logger } = create({ maxLines: 3 });
    for (let count = 1; count <= 7; count++) logger.info(`line ${count}`);
    expect(messages(recent.list(10))).toEqual(['line 5', 'line 6', 'line 7']);
    expect(messages(recent.list(2))).toEqual(['line 6', 'line 7']);
    expect(recent.list(0)).toEqual([]);
  });

  test('the total size is limited too, and a line above the limit is ignored', () => {
    const { recent, logger } = create({ maxSize: 1000 });
    for (let count = 1; count <= 5; count++) logger.info(`${count}${'x'.repeat(300)}`);
    expect(messages(recent.list(10)).map((message) => message[0])).toEqual(['4', '5']);
    logger.info('y'.repeat(2000));
    expect(recent.list(10)).toHaveLength(2);
  });
});

test('lines are filtered by level before the limit applies', () => {
  const { recent, logger } = create();
  logger.error('first');
  logger.debug('second');
  logger.debug('third');
  expect(messages(recent.list(1, (level) => level === 'error'))).toEqual(['first']);
});

test('lines of other programs are ignored', () => {
  const recent = createRecentLogLines();
  recent.add('Warning: something\n');
  expect(recent.list(10)).toEqual([]);
});
