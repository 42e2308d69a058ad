import type { Output } from '@millrace/contract';
import { expect, test } from 'vitest';
import { listedOutput } from './listed-outputs.ts';
import { texts } from './texts.ts';

const output = (id: string, title: string) => ({ id, title, type: 'gelf' }) as Output;
test('what is not known is not taken for nothing', () => {
  const known = { states: { states: [], missing_nodes: [] }, streams: {}, types: undefined };
  const row = (more: object) => listedOutput(output('1', 'Zoo'), { ...known, ...more });
  expect(row({})).toMatchObject({ isStateKnown: true, streams: [] });
  expect(row({ states: undefined }).isStateKnown).toBe(false);
  expect(row({ states: { states: [], missing_nodes: ['n'] } }).isStateKnown).toBe(false);
  expect(row({ streams: undefined }).streams).toBeUndefined();
});

test('the question before deleting says what it does not know', () => {
  const ask = (more: object) =>
    texts.deleteQuestion('Zoo', { queued: 0, isStateKnown: true, streams: 0, seesAll: true, ...more });
  expect(ask({})).toBe('Delete “Zoo”? Its settings are lost. No stream uses it. Stored messages stay.');
  expect(ask({ seesAll: false })).toContain('No stream that you may read uses it.');
  expect(ask({ streams: undefined })).toContain('It is not known which streams use it.');
  expect(ask({ isStateKnown: false })).toContain('may wait for delivery');
  expect(ask({ queued: 2, isStateKnown: false })).toMatch(/2 messages.*more may wait/);
});
