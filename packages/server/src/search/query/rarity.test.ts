import { parseQuery } from '@millrace/query';
import { expect, test } from 'vitest';
import { isProbablyRare, readsTexts } from './rarity.ts';

function parsed(text: string) {
  const { query } = parseQuery(text);
  if (query === undefined) throw new Error(`not a query: ${text}`);
  return query;
}

const isRare = (text: string) => isProbablyRare(parsed(text));

test.each([
  'b7043e8b',
  '"b7043e8b-4ac2-f9f1-a37c-5c31e1b040b2"',
  'request_id:b7043e8b-4ac2-f9f1-a37c-5c31e1b040b2',
  'error AND order:4839201',
  'message:blk_38865049064139660',
  '4839201 OR 4839202',
])('what ids and large numbers find is rare: %s', (text) => {
  expect(isRare(text)).toBe(true);
});

test.each([
  '*',
  'cart',
  'status:404',
  'eth0',
  'NOT b7043e8b',
  'cart OR b7043e8b',
  'b7043e8b*',
  '_exists_:request_id',
  'source:web-1234567',
  'gl2_source_input:65a1b2c3d4e5f60718293a4b',
  'streams:000000000000000000000001',
  'timestamp:"2026-06-10 11:59:57"',
  'level:[10000 TO 20000]',
])('of others nothing is known: %s', (text) => {
  expect(isRare(text)).toBe(false);
});

test.each([
  ['/products \\d+/', true],
  ['path:*products*', true],
  ['products~1', true],
  ['cart AND message:/5\\d\\d$/', true],
  ['cart OR message:/5\\d\\d$/', true],
  // Finds nearly all: its page is full at once.
  ['NOT message:/5\\d\\d$/', false],
  ['"products 503"', false],
  ['_exists_:path', false],
  ['*', false],
])('whether %s reads texts: %j', (text, reads) => {
  expect(readsTexts(parsed(text))).toBe(reads);
});
