import { describe, expect, test } from 'vitest';
import { createLogLevels } from './log-levels.ts';
import { createLogger } from './logger.ts';

function create() {
  const lines: string[] = [];
  const levels = createLogLevels('info');
  const logger = createLogger({ level: 'info', levels, stream: { write: (line) => void lines.push(line) } });
  return { levels, logger, said: () => lines.splice(0).map((line) => JSON.parse(line).msg as string) };
}

test('parts are known by the component of their loggers', () => {
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
  test('reaches the loggers of the part, their children and those made later', () => {
    const { levels, logger, said } = create();
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
    expect(said()).toEqual(['journal', 'segment', 'later child', 'later']);
    levels.set('journal', 'warn');
    segment.info('no');
    expect(said()).toEqual([]);
  });

  test('can be set before the part has a logger', () => {
    const { levels, logger, said } = create();
    levels.set('alerts', 'trace');
    logger.child({ component: 'alerts' }).trace('heard');
    expect(said()).toEqual(['heard']);
  });

  test('for all reaches all, also later ones', () => {
    const { levels, logger, said } = create();
    const journal = logger.child({ component: 'journal' });
    levels.set('journal', 'error');
    levels.setAll('debug');
    journal.debug('journal');
    logger.debug('root');
    logger.child({ component: 'new' }).debug('new');
    expect(said()).toEqual(['journal', 'root', 'new']);
  });

  test('leaves children alone that chose their own', () => {
    const { levels, logger, said } = create();
    const chatty = logger.child({ component: 'x' }, { level: 'trace' });
    levels.setAll('error');
    chatty.trace('still here');
    expect(said()).toEqual(['still here']);
  });

  test('is told to listeners', () => {
    const { levels } = create();
    const told: unknown[] = [];
    levels.onChange((component, level) => told.push([component, level]));
    levels.set('api', 'debug');
    levels.setAll('warn');
    expect(told).toEqual([
      ['api', 'debug'],
      [undefined, 'warn'],
    ]);
  });
});

test('many short-lived children do not break the control of the ones that stay', () => {
  const { levels, logger, said } = create();
  const stays = logger.child({ component: 'api' });
  for (let count = 0; count < 10_000; count++) stays.child({ request: count });
  levels.set('api', 'debug');
  stays.debug('stays');
  expect(said()).toEqual(['stays']);
});
