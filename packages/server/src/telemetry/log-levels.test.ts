import { describe, expect, test } from 'vitest';
import { createLogLevels } from './log-levels.ts';
import { createLogger } from './logger.ts';

function create() {
  const lines: string[] = [];
  const levels = createLogLevels('info');
  const logger = createLogger({ level: 'info', levels, stream: { write: (line) => void lines.push(line) } });
  return {
    levels,
    logger,
    loggedMessages: () => lines.splice(0).map((line) => JSON.parse(line).msg as string),
  };
}

test('a logger belongs to the part named by its component', () => {
  const { levels, logger } = create();
  logger.child({ component: 'journal' });
  logger.child({ component: 'api' }).child({ component: 'access' });
  expect([...levels.list()]).toEqual([
    ['access', 'info'],
    ['api', 'info'],
    ['journal', 'info'],
    ['root', 'info'],
  ]);
});

describe('a new level', () => {
  test('applies to the loggers of the part, their children and later ones', () => {
    const { levels, logger, loggedMessages } = create();
    const journal = logger.child({ component: 'journal' });
    const segment = journal.child({ segment: 4 });
    const api = logger.child({ component: 'api' });
    levels.set('journal', 'debug');
    journal.debug('journal');
    segment.debug('segment');
    journal.child({ segment: 5 }).debug('later child');
    logger.child({ component: 'journal' }).debug('later');
    api.debug('api');
    logger.debug('root');
    expect(loggedMessages()).toEqual(['journal', 'segment', 'later child', 'later']);
    levels.set('journal', 'warn');
    segment.info('no');
    expect(loggedMessages()).toEqual([]);
  });

  test('can be set before the part has a logger', () => {
    const { levels, logger, loggedMessages } = create();
    levels.set('alerts', 'trace');
    logger.child({ component: 'alerts' }).trace('heard');
    expect(loggedMessages()).toEqual(['heard']);
  });

  test('for all parts applies to present and later loggers', () => {
    const { levels, logger, loggedMessages } = create();
    const journal = logger.child({ component: 'journal' });
    levels.set('journal', 'error');
    levels.setAll('debug');
    journal.debug('journal');
    logger.debug('root');
    logger.child({ component: 'new' }).debug('new');
    expect(loggedMessages()).toEqual(['journal', 'root', 'new']);
  });

  test('does not change a child logger with its own level', () => {
    const { levels, logger, loggedMessages } = create();
    const chatty = logger.child({ component: 'x' }, { level: 'trace' });
    levels.setAll('error');
    chatty.trace('still here');
    expect(loggedMessages()).toEqual(['still here']);
  });

  test('is reported to listeners', () => {
    const { levels } = create();
    const reported: unknown[] = [];
    levels.onChange((component, level) => reported.push([component, level]));
    levels.set('api', 'debug');
    levels.setAll('warn');
    expect(reported).toEqual([
      ['api', 'debug'],
      [undefined, 'warn'],
    ]);
  });
});

test('another thread gets the same levels, for parts that only it has, too', () => {
  const { levels } = create();
  levels.setAll('debug');
  levels.set('api', 'warn');
  const other = create();
  const processing = other.logger.child({ component: 'processing' });
  for (const { component, level } of levels.changes()) {
    if (component === undefined) other.levels.setAll(level);
    else other.levels.set(component, level);
  }
  processing.debug('heard');
  other.logger.child({ component: 'api' }).info('not heard');
  expect(other.loggedMessages()).toEqual(['heard']);
});

test('many short-lived child loggers do not affect the ones that remain', () => {
  const { levels, logger, loggedMessages } = create();
  const stays = logger.child({ component: 'api' });
  for (let count = 0; count < 10_000; count++) stays.child({ request: count });
  levels.set('api', 'debug');
  stays.debug('stays');
  expect(loggedMessages()).toEqual(['stays']);
});
