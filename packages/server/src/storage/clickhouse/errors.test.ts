import { ClickHouseError } from '@clickhouse/client';
import { describe, expect, test } from 'vitest';
import { PermanentError, RetryableError } from '#core/index.ts';
import { clickHouseErrorCode, isUnreachable, toStorageError } from './errors.ts';

const URL = 'http://127.0.0.1:1';
const refusal = (code: number, type: string, message = 'text') =>
  new ClickHouseError({ message, code: String(code), type });

describe('what the server says', () => {
  test.each([
    [202, 'TOO_MANY_SIMULTANEOUS_QUERIES'],
    [241, 'MEMORY_LIMIT_EXCEEDED'],
    [243, 'NOT_ENOUGH_SPACE'],
    [252, 'TOO_MANY_PARTS'],
    [319, 'UNKNOWN_STATUS_OF_INSERT'],
    [999, 'KEEPER_EXCEPTION'],
  ])('%i %s passes: try again', (code, type) => {
    const error = toStorageError(refusal(code, type), URL);
    expect(error).toBeInstanceOf(RetryableError);
    expect(clickHouseErrorCode(error)).toBe(code);
    expect(isUnreachable(error)).toBe(false);
  });

  test.each([
    [60, 'UNKNOWN_TABLE'],
    [62, 'SYNTAX_ERROR'],
    [497, 'ACCESS_DENIED'],
    [516, 'AUTHENTICATION_FAILED'],
  ])('%i %s does not pass', (code, type) => {
    const error = toStorageError(refusal(code, type), URL);
    expect(error).toBeInstanceOf(PermanentError);
    expect(clickHouseErrorCode(error)).toBe(code);
  });

  test('the number decides, never the text', () => {
    const error = toStorageError(refusal(62, 'SYNTAX_ERROR', 'Memory limit exceeded, timeout, connect'), URL);
    expect(error).toBeInstanceOf(PermanentError);
  });
});

test.each([
  ['a refused connection', Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })],
  ['a lost one', Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })],
  ['a server that is silent', new Error('Timeout error.')],
  ['several addresses', new AggregateError([new Error('refused on ::1'), new Error('refused on 127.0.0.1')])],
])('%s is unreachable: try again', (_, cause) => {
  const error = toStorageError(cause, URL);
  expect(error).toBeInstanceOf(RetryableError);
  expect(isUnreachable(error)).toBe(true);
  expect(String(error)).toContain(URL);
  expect(String(error)).not.toMatch(/answer: $/);
});

test('the reason of the signal comes through, whatever the library made of it', () => {
  const reason = new Error('the user left');
  expect(toStorageError(new Error('The user aborted a request.'), URL, AbortSignal.abort(reason))).toBe(
    reason,
  );
});

test('a bug in the program is not reported as a failure of the server', () => {
  const mistake = new TypeError('undefined is not a function');
  expect(toStorageError(mistake, URL)).toBe(mistake);
});

test('an error that is already mapped stays the same', () => {
  const mapped = new PermanentError('done');
  expect(toStorageError(mapped, URL)).toBe(mapped);
});
