import { describe, expect, test } from 'vitest';
import { ManualClock } from '#core/index.ts';
import { createLogger } from './logger.ts';
import { createRecentLogLines, type RecentLogLinesConfig } from './recent-log-lines.ts';

function create(config?: RecentLogLinesConfig, pretty = false) {
  const recent = createRecentLogLines(config);
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

test('lines are remembered and written, readable or not', () => {
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

test('the stack of an error is told apart', () => {
  const { recent, logger } = create();
  logger.error(new TypeError('bad'));
  expect(recent.list(1)[0]?.stack).toMatch(/^TypeError: bad\n +at /);
});

describe('bounds', () => {
  test('the oldest lines go first', () => {
    const { recent, logger } = create({ maxLines: 3 });
    for (let count = 1; count <= 7; count++) logger.info(`line ${count}`);
    expect(messages(recent.list(10))).toEqual(['line 5', 'line 6', 'line 7']);
    expect(messages(recent.list(2))).toEqual(['line 6', 'line 7']);
    expect(recent.list(0)).toEqual([]);
  });

  test('many characters count too, and a line beyond all bounds is left out', () => {
    const { recent, logger } = create({ maxSize: 1000 });
    for (let count = 1; count <= 5; count++) logger.info(`${count}${'x'.repeat(300)}`);
    expect(messages(recent.list(10)).map((message) => message[0])).toEqual(['4', '5']);
    logger.info('y'.repeat(2000));
    expect(recent.list(10)).toHaveLength(2);
  });
});

test('levels are chosen before the limit counts', () => {
  const { recent, logger } = create();
  logger.error('first');
  logger.debug('second');
  logger.debug('third');
  expect(messages(recent.list(1, (level) => level === 'error'))).toEqual(['first']);
});

test('what is no line of ours is left out', () => {
  const recent = createRecentLogLines();
  recent.add('Warning: something\n');
  expect(recent.list(10)).toEqual([]);
});
