import { readFileSync } from 'node:fs';
import { ERROR_CODES } from '@millrace/contract';
import { expect, test } from 'vitest';
import {
  ConflictError,
  ForbiddenError,
  InvalidError,
  NotFoundError,
  PermanentError,
  RetryableError,
  StateConflictError,
  TooManyRequestsError,
  UnauthenticatedError,
  UnavailableError,
} from '#core/index.ts';
import { createLogger } from '#telemetry/index.ts';
import { answerForError } from './error-answer.ts';

const logger = createLogger({ level: 'silent', pretty: false });

test('docs/errors.md matches the table of codes', () => {
  const text = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8');
  const documented = [...text.matchAll(/^\| `(\w+)` \| (\d+) \| (.*) \|$/gm)].map(
    ([, code, status, meaning]) => [code, { status: Number(status), meaning }],
  );
  expect(documented).toEqual(Object.entries(ERROR_CODES));
});

test('each kind of error has its status, regardless of its message', () => {
  const f = (error: unknown, status: number) => expect(answerForError(error, logger).status).toBe(status);
  f(new InvalidError('x'), 400);
  f(new UnauthenticatedError(), 401);
  f(new ForbiddenError(), 403);
  f(new NotFoundError('x'), 404);
  f(new ConflictError('x'), 409);
  f(new StateConflictError('x'), 409);
  f(new TooManyRequestsError('x', 1), 429);
  f(new UnavailableError('x'), 503);
  f(new RetryableError('x'), 503);
  f(new DOMException('gone', 'AbortError'), 503);
  f(new PermanentError('x'), 500);
  f(new Error('not found'), 500);
  f('a text', 500);
  f(undefined, 500);
  f(Object.assign(new Error('x'), { statusCode: 404, code: 'toString' }), 500);
});

test('every 400 answer lists its problems, and no other answer does', () => {
  const f = (error: unknown) => answerForError(error, logger).body?.problems;
  expect(f(new InvalidError('no such role', { path: 'roles' }))).toEqual([
    { path: 'roles', message: 'no such role' },
  ]);
  expect(f(new InvalidError('x', { problems: [{ path: 'a[0]', message: 'y' }] }))).toEqual([
    { path: 'a[0]', message: 'y' },
  ]);
  expect(f(new InvalidError('x', { code: 'csrf_header_missing' }))).toEqual([{ path: '', message: 'x' }]);
  expect(f(Object.assign(new Error(), { code: 'FST_ERR_BAD_URL' }))).toHaveLength(1);
  for (const error of [new ForbiddenError(), new NotFoundError('x'), new StateConflictError('x'), 'x']) {
    expect(f(error)).toBeUndefined();
  }
});

test('details are added beside the message and may override the type', () => {
  const error = new InvalidError('bad query', { details: { type: 'QueryParseError', line: 1, column: 4 } });
  expect(answerForError(error, logger).body).toEqual({
    type: 'QueryParseError',
    message: 'bad query',
    problems: [{ path: '', message: 'bad query' }],
    line: 1,
    column: 4,
  });
});
