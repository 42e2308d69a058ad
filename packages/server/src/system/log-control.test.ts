import { LOGGER_LEVELS, loggersSchema, recentLogMessagesSchema } from '@millrace/contract';
import { expect, test } from 'vitest';
import { createLogger, createLogLevels, createRecentLogLines } from '#telemetry/index.ts';
import { createLogControl } from './log-control.ts';

function create() {
  const levels = createLogLevels('info');
  const recent = createRecentLogLines();
  const logger = createLogger({ level: 'info', levels, recent, stream: { write: () => {} } });
  return { logger, control: createLogControl({ levels, recent }) };
}

test('loggers and subsystems use the level names of Graylog', () => {
  const { logger, control } = create();
  const api = logger.child({ component: 'api' });
  expect(control.loggers()).toEqual({
    total: 2,
    loggers: { api: { level: 'info', level_syslog: 6 }, root: { level: 'info', level_syslog: 6 } },
  });
  control.setSubsystemLevel('api', 'all');
  expect(api.level).toBe('trace');
  expect(control.subsystems().subsystems.api).toMatchObject({
    title: 'REST API',
    level: 'trace',
    level_syslog: 7,
  });
  expect(control.subsystems().subsystems.journal).toMatchObject({ level: 'info' });
  control.setSubsystemLevel('millrace', 'off');
  expect(control.loggers().loggers).toMatchObject({ api: { level: 'off', level_syslog: 0 } });
  expect(logger.level).toBe('silent');
});

test.each([...LOGGER_LEVELS])('a logger can be set to %s', (level) => {
  const { logger, control } = create();
  logger.child({ component: 'journal' });
  control.setLevel('journal', level);
  expect(loggersSchema.parse(control.loggers()).loggers.journal?.level).toBe(
    level === 'all' ? 'trace' : level,
  );
});

test('an unknown logger or subsystem is refused, and the error lists the known ones', () => {
  const { control } = create();
  for (const name of ['coffee', 'toString']) {
    expect(() => control.setSubsystemLevel(name, 'debug')).toThrow(/No such log subsystem.*journal/);
    expect(() => control.setLevel(name, 'debug')).toThrow(/No such logger.*root/);
  }
});

test('recent messages have the requested level or a higher one', () => {
  const { logger, control } = create();
  logger.info({ a: 1 }, 'fine');
  logger.child({ component: 'journal' }).error(new Error('broken'));
  const all = recentLogMessagesSchema.parse(control.recentMessages(500, 'all')).messages;
  expect(all).toMatchObject([
    { message: 'fine', level: 'INFO', class_name: '', throwable: null, context: { a: 1 }, marker: null },
    { message: 'broken', level: 'ERROR', class_name: 'journal' },
  ]);
  expect(all[1]?.throwable).toMatch(/^Error: broken\n/);
  expect(control.recentMessages(500, 'warn').messages).toHaveLength(1);
  expect(control.recentMessages(500, 'off').messages).toHaveLength(0);
  expect(control.recentMessages(1, 'all').messages).toMatchObject([{ message: 'broken' }]);
});
