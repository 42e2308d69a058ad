import type { Output, OutputStateView } from '@millrace/contract';
import { expect, test } from 'vitest';
import { foundOutputs, listedOutputs } from './listed-outputs.ts';

const output = (id: string, title: string) => ({ id, title, type: 'gelf' }) as Output;
const state = (id: string, name: OutputStateView['state']) =>
  ({ id, state: name, oldest_message_age_ms: null, last_error: null }) as OutputStateView;

const rows = listedOutputs([output('1', 'Zoo'), output('2', 'Archive'), output('3', 'Bank')], {
  states: [state('1', 'FAILED'), state('2', 'RUNNING'), state('3', 'PAUSED')],
  streams: { 2: [{ id: 's', title: 'Web errors' }] },
  types: undefined,
});
const titles = (find: string) => foundOutputs(rows, find).map((row) => row.output.title);

test('what fails stands first, the rest by title', () => {
  expect(titles('')).toEqual(['Zoo', 'Archive', 'Bank']);
});

test('an output is found by its state and by the streams that use it', () => {
  expect(titles('PAUSED')).toEqual(['Bank']);
  expect(titles('web gelf')).toEqual(['Archive']);
});
