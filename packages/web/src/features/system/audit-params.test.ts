import { expect, test } from 'vitest';
import { auditRequest, NO_FILTER } from './audit-params.ts';

const NOW = Date.parse('2026-01-08T10:30:20.500Z');

test('only filters that are set are sent', () => {
  expect(auditRequest(NO_FILTER, NOW)).toEqual({ page: 1 });
  const asked = auditRequest(
    { ...NO_FILTER, find: ' x ', actor: 'ann', outcome: 'failure', since: '7d', page: 3 },
    NOW,
  );
  expect(asked).toEqual({
    page: 3,
    query: 'x',
    actor: 'ann',
    outcome: 'failure',
    from: '2026-01-01T10:30:00.000Z',
  });
});
