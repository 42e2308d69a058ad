import type { Input, InputState } from '@millrace/contract';
import { expect, test } from 'vitest';
import { found, listed } from './found-inputs.ts';

const input = (id: string, title: string, port: number) =>
  ({
    id,
    title,
    name: 'GELF UDP',
    effective_attributes: { bind_address: '0.0.0.0', port },
  }) as unknown as Input;
const state = (id: string, name: InputState['state']) =>
  ({ id, state: name, detailed_message: null, listening: null, losses: [] }) as unknown as InputState;

const rows = listed([input('1', 'Web', 12201), input('2', 'Shop', 12202), input('3', 'App', 12203)], {
  a: [state('1', 'FAILED'), state('2', 'RUNNING'), state('3', 'RUNNING')],
});
const titles = (find: string) => found(rows, find).map(({ input: { title } }) => title);

test('what fails stands first, the rest by title', () => {
  expect(titles('')).toEqual(['Web', 'App', 'Shop']);
});

test('every word is found in title, type, state or address', () => {
  expect(titles('udp RUNNING')).toEqual(['App', 'Shop']);
  expect(titles('12202')).toEqual(['Shop']);
  expect(titles('web 12202')).toEqual([]);
});
