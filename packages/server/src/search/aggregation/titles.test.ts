import { expect, test } from 'vitest';
import { requestedField, titleReaders } from './titles.ts';

test.each([
  ['streams', 'streams', 'streams'],
  ['streams.title', 'streams', 'streams'],
  ['streams.id', 'streams', undefined],
  ['gl2_source_input', 'gl2_source_input', 'inputs'],
  ['gl2_source_node.title', 'gl2_source_node', 'nodes'],
  ['user.id', 'user.id', undefined],
  ['page.title', 'page.title', undefined],
  ['streams.uppercase', 'streams.uppercase', undefined],
  ['.id', '.id', undefined],
])('%s is the field %s with the titles of %s', (requested, name, titles) => {
  expect(requestedField(requested)).toEqual({ requested, name, titles });
});

test('only titles that are shown are loaded; ids without a title stay', async () => {
  const asked: string[] = [];
  const names = (kind: string) => async () => {
    asked.push(kind);
    return new Map([['1', `${kind} one`]]);
  };
  const fields = ['source', 'streams', 'streams.id', 'streams.title'].map(requestedField);
  const readers = await titleReaders(
    fields,
    { streams: names('streams'), inputs: names('inputs'), nodes: names('nodes') },
    { can: () => true },
  );
  expect(asked).toEqual(['streams']);
  expect(readers.map((titleOf) => titleOf('1'))).toEqual(['1', 'streams one', '1', 'streams one']);
  expect(readers[1]?.('2')).toBe('2');
});
