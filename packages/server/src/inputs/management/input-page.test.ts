import type { Input, InputState, PagingQuery } from '@millrace/contract';
import { expect, test } from 'vitest';
import { pageOfInputs } from './input-page.ts';

const input = (id: string, title: string, port: number) =>
  ({
    id,
    title,
    name: 'GELF UDP',
    effective_attributes: { bind_address: '0.0.0.0', port },
  }) as unknown as Input;
const state = (id: string, name: InputState['state'], why: string | null = null) => ({
  id,
  state: name,
  detailed_message: why,
  listening: null,
});

const INPUTS = [input('1', 'web', 12201), input('2', 'Shop', 12202), input('3', 'App', 12203)];
const STATES = [
  state('1', 'RUNNING'),
  state('1', 'FAILED'),
  state('2', 'RUNNING', 'messages were lost or refused: the journal is full'),
  state('3', 'RUNNING'),
];

function page(query: Partial<PagingQuery> = {}) {
  const whole = { page: 1, per_page: 50, query: '', sort: 'state', order: 'asc', ...query } as const;
  const { inputs, ...numbers } = pageOfInputs(INPUTS, STATES, whole);
  return { titles: inputs.map(({ title }) => title), ...numbers };
}

test('what fails comes first, then what loses messages, the rest by title', () => {
  expect(page().titles).toEqual(['web', 'Shop', 'App']);
  expect(page({ sort: 'title' }).titles).toEqual(['App', 'Shop', 'web']);
  expect(page({ sort: 'address', order: 'desc' }).titles).toEqual(['App', 'Shop', 'web']);
});

test('addresses are sorted by host, then by the number of the port', () => {
  const all = [12201, 514, 5044].map((port) => input(String(port), `at ${port}`, port));
  const query = { page: 1, per_page: 50, query: '', sort: 'address', order: 'asc' } as const;
  const { inputs } = pageOfInputs(all, [], query);
  expect(inputs.map(({ id }) => id)).toEqual(['514', '5044', '12201']);
  expect(pageOfInputs(all, [], { ...query, query: '0514' }).inputs).toEqual([]);
});

test('every word is found in title, type, state or address', () => {
  expect(page({ query: 'udp RUNNING' }).titles).toEqual(['Shop', 'App']);
  expect(page({ query: 'failed' }).titles).toEqual(['web']);
  expect(page({ query: ' 12202 ' }).titles).toEqual(['Shop']);
  expect(page({ query: 'web 12202' })).toMatchObject({ titles: [], total: 0 });
});

test('a page has its part of what was found', () => {
  expect(page({ per_page: 2, page: 2 })).toEqual({
    titles: ['App'],
    total: 3,
    count: 1,
    page: 2,
    per_page: 2,
  });
  expect(page({ page: 9 })).toMatchObject({ titles: [], total: 3 });
});

test('an input that no node knows yet is listed, too', () => {
  const { inputs } = pageOfInputs(INPUTS, [], { page: 1, per_page: 50, query: 'unknown', order: 'asc' });
  expect(inputs).toHaveLength(3);
});
