import { expect, test } from 'vitest';
import { clauseOffers, periodText, timeOffers } from './offers.ts';

const DAY_MS = 86_400_000;

test('a range that ends now is offered longer, up to now', () => {
  const offers = timeOffers({ type: 'relative', from: 86_400, to: 0 }, { from: 0, to: DAY_MS }, DAY_MS);
  expect(offers.map(({ label, from }) => [label, from])).toEqual([
    ['Search 7 days', -6 * DAY_MS],
    ['Search 30 days', -29 * DAY_MS],
    ['Search a year', -364 * DAY_MS],
  ]);
});

test('a range in the past is offered with the time around it, and until now', () => {
  const span = { from: 10 * DAY_MS, to: 10 * DAY_MS + 1000 };
  const offered = (now: number) => timeOffers({ type: 'absolute', ...span }, span, now);
  const around = { from: 9.5 * DAY_MS, to: 10.5 * DAY_MS + 1000 };
  expect(offered(10.2 * DAY_MS)).toMatchObject([around]);
  expect(offered(12 * DAY_MS)).toMatchObject([around, { from: span.from, to: 12 * DAY_MS }]);
});

test('a query is offered without each of its clauses', () => {
  expect(clauseOffers('needle AND level:<=3').map(({ label, query }) => [label, query])).toEqual([
    ['Without needle', 'level:<=3'],
    ['Without level:<=3', 'needle'],
  ]);
  expect(clauseOffers('needle')).toEqual([]);
});

test('the time is part of a sentence', () => {
  expect(periodText({ type: 'relative', from: 900, to: 0 }, 'UTC')).toBe('in the last 15 minutes');
  expect(periodText({ type: 'words', text: 'yesterday' }, 'UTC')).toBe('in “yesterday”');
});
