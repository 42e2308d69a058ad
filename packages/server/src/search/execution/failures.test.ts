import { ClickHouseError } from '@clickhouse/client';
import { describe, expect, test } from 'vitest';
import { InvalidError, PermanentError, UnavailableError } from '#core/index.ts';
import { SearchFailedError, toSearchError } from './failures.ts';

const LIMITS = { timeoutMs: 2000, maxMemoryBytes: 2 ** 20, hasLostTables: true };

function refused(code: string): PermanentError {
  return new PermanentError('refused', { cause: new ClickHouseError({ message: 'no', code, type: 'X' }) });
}

describe('errors of the engine, as the caller of a search sees them', () => {
  test.each([
    ['60', UnavailableError, 'was deleted'],
    ['159', SearchFailedError, 'longer than 2 s'],
    ['241', SearchFailedError, '1 MiB'],
    ['396', SearchFailedError, 'larger than 64 MiB'],
    ['427', InvalidError, 'regular expression'],
    ['168', InvalidError, 'too large'],
    ['306', InvalidError, 'too large'],
  ])('code %s', (code, type, words) => {
    const error = toSearchError(refused(code), LIMITS);
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ message: expect.stringContaining(words) });
  });

  test('any other error is returned unchanged', () => {
    const error = refused('62');
    expect(toSearchError(error, LIMITS)).toBe(error);
    const missing = refused('60');
    expect(toSearchError(missing, { ...LIMITS, hasLostTables: false })).toBe(missing);
  });
});
