import { describe, expect, test } from 'vitest';
import { Secret } from '#core/index.ts';
import { ManualClock } from '#testing/manual-clock.ts';
import { createLogger, type LoggerOptions } from './logger.ts';

function capture(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const logger = createLogger({
    level: 'info',
    clock: new ManualClock(Date.UTC(2026, 4, 1, 12, 30, 15, 250)),
    stream: { write: (line) => void lines.push(line) },
    ...options,
  });
  return { logger, lines, parsed: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('lines', () => {
  test('are JSON with a level word, an ISO time and the bindings of the child', () => {
    const { logger, parsed } = capture();
    logger.child({ component: 'journal' }).info({ segments: 3 }, 'opened %s', 'journal');
    expect(parsed()).toEqual([
      {
        level: 'info',
        time: '2026-05-01T12:30:15.250Z',
        component: 'journal',
        segments: 3,
        msg: 'opened journal',
      },
    ]);
  });

  test('below the level are not written', () => {
    const { logger, lines } = capture({ level: 'warn' });
    logger.info('no');
    logger.child({ component: 'x' }).debug('no');
    logger.warn('yes');
    expect(lines).toHaveLength(1);
  });

  test('are one readable line each when pretty, written before the call returns', () => {
    const { logger, lines } = capture({ pretty: true });
    logger.child({ component: 'journal' }).warn({ segments: 3 }, 'cut at a bad record');
    expect(lines.join('')).toMatch(/^\[[\d:.]+\] WARN: journal: cut at a bad record \{"segments":3\}\n$/);
  });

  test('show errors under any key, with their cause', () => {
    const { logger, parsed } = capture();
    logger.error(new Error('no disk', { cause: new Error('I/O') }));
    logger.error({ reason: new TypeError('wrong') }, 'failed');
    expect(parsed()[0]).toMatchObject({ err: { type: 'Error', message: 'no disk: I/O' }, msg: 'no disk' });
    expect(parsed()[1]).toMatchObject({ reason: { type: 'TypeError', message: 'wrong' } });
  });

  test('survive cycles and deep objects', () => {
    const { logger, parsed } = capture();
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    logger.info(cycle, 'cycle');
    logger.info({ a: { b: { c: { d: { e: { f: { g: 'deep' } } } } } } }, 'deep');
    expect(parsed()[0]).toMatchObject({ self: '[circular]' });
    expect(parsed()[1]).toMatchObject({ msg: 'deep', a: { b: { c: { d: { e: { f: '[…]' } } } } } });
  });
});

describe('secrets', () => {
  const secret = new Secret('hunter2');

  test.each([
    ['a Secret', { value: secret }],
    ['a Secret in a list', { values: [[secret]] }],
    ['password', { password: 'hunter2' }],
    ['a compound key', { transport_email_auth_password: 'hunter2' }],
    ['camel case', { user: { accessToken: 'hunter2' } }],
    ['headers', { req: { headers: { Authorization: 'Basic hunter2', 'Set-Cookie': ['hunter2'] } } }],
    ['session id', { a: { b: { c: { session_id: 'hunter2' } } } }],
    ['an object as secret', { secret: { inner: 'hunter2' } }],
    ['a list of tokens', { tokens: ['hunter2'] }],
    ['an error', { err: Object.assign(new Error('x'), { options: { password: 'hunter2' } }) }],
    ['a buried error', { list: [Object.assign(new Error('x'), { token: 'hunter2' })] }],
  ])('%s does not print, logged, bound to a child or pretty', (_name, object) => {
    for (const pretty of [false, true]) {
      const { logger, lines } = capture({ pretty });
      logger.info(object, 'message');
      logger
        .child(object)
        .child({ component: 'x', ...object })
        .info('bound');
      logger.child({}, { level: 'info' }).info(object);
      expect(lines.join('')).not.toContain('hunter2');
      expect(lines.join('')).toContain('[redacted]');
    }
  });

  test('does not print as a format argument', () => {
    const { logger, lines } = capture();
    logger.info('%s %o %j', secret, { secret }, [secret]);
    expect(lines.join('')).not.toContain('hunter2');
  });

  test('words that only resemble one stay readable', () => {
    const { logger, parsed } = capture();
    logger.info({ token_count: 4, password_changed_at: 'today', tokenizer: 'x', password: null }, 'm');
    expect(parsed()[0]).toMatchObject({
      token_count: 4,
      password_changed_at: 'today',
      tokenizer: 'x',
      password: null,
    });
  });
});
