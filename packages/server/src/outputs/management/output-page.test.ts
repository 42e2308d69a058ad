import type { Output, OutputStateView, PagingQuery } from '@millrace/contract';
import { expect, test } from 'vitest';
import { pageOfOutputs } from './output-page.ts';

const output = (id: string, title: string) => ({ id, title, type: 'gelf' }) as Output;
const state = (id: string, name: OutputStateView['state'], queued = 0) => ({
  id,
  state: name,
  queued_messages: queued,
});

const OUTPUTS = [output('1', 'Zoo'), output('2', 'archive'), output('3', 'Bank')];
const KNOWN = {
  states: [
    state('1', 'RUNNING', 5),
    state('1', 'FAILED', 6),
    state('2', 'RUNNING', 9),
    state('3', 'PAUSED', 100),
  ],
  streams: { 2: [{ id: 's', title: 'Web errors' }] },
  types: [{ type: 'gelf', human_name: 'GELF Output' }],
};

function titles(query: Partial<PagingQuery> = {}) {
  const whole = { page: 1, per_page: 50, query: '', sort: 'state', order: 'asc', ...query } as const;
  return pageOfOutputs(OUTPUTS, KNOWN, whole).outputs.map(({ title }) => title);
}

test('what fails comes first, the rest by title', () => {
  expect(titles()).toEqual(['Zoo', 'archive', 'Bank']);
  expect(titles({ sort: 'title' })).toEqual(['archive', 'Bank', 'Zoo']);
});

test('types and streams are sorted without regard to case', () => {
  const known = {
    ...KNOWN,
    streams: {
      1: [{ id: 's', title: 'web' }],
      2: [{ id: 't', title: 'Zoo' }],
      3: [{ id: 'u', title: 'Audit' }],
    },
    types: [
      { type: 'a', human_name: 'syslog' },
      { type: 'b', human_name: 'TCP' },
    ],
  };
  const outputs = [
    { ...output('1', 'one'), type: 'b' },
    { ...output('2', 'two'), type: 'a' },
    output('3', 'three'),
  ];
  const sorted = (sort: string) =>
    pageOfOutputs(outputs, known, { page: 1, per_page: 50, query: '', sort, order: 'asc' }).outputs;
  expect(sorted('used_by').map(({ id }) => id)).toEqual(['3', '1', '2']);
  expect(sorted('type').map(({ id }) => id)).toEqual(['3', '2', '1']);
});

test('the queues of all nodes are sorted as numbers', () => {
  expect(titles({ sort: 'queue' })).toEqual(['archive', 'Zoo', 'Bank']);
});

test('an output is found by its state, its type and the streams that use it', () => {
  expect(titles({ query: 'PAUSED' })).toEqual(['Bank']);
  expect(titles({ query: 'web gelf' })).toEqual(['archive']);
  expect(titles({ query: 'web paused' })).toEqual([]);
});

test('a page has its part', () => {
  const query = { page: 2, per_page: 2, query: '', sort: 'title', order: 'asc' } as const;
  expect(pageOfOutputs(OUTPUTS, KNOWN, query)).toMatchObject({ total: 3, count: 1, page: 2, per_page: 2 });
});
