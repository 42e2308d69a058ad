import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressOf, MAX_QUERY_IN_SEARCH, paramsOf } from './long-query.ts';

test('only a long query stands behind the #', () => {
  expect(addressOf({ q: 'a', t: '1h' })).toEqual({ search: { q: 'a', t: '1h' }, hash: '' });
  const long = `"${'é #&='.repeat(MAX_QUERY_IN_SEARCH)}"`;
  const address = addressOf({ q: long, t: '1h' });
  expect(address.search).toEqual({ t: '1h' });
  expect(address.hash).toMatch(/^q=[^#&]+$/);
  expect(paramsOf(address)).toEqual({ q: long, t: '1h' });
});

test('any query comes back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 50 }), (text) => {
      const params = { q: text.repeat(200) };
      expect(paramsOf(addressOf(params))).toEqual(params);
    }),
  );
});
