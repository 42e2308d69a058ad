import { defineFunction, required } from '../define.ts';

export const listCountFunction = defineFunction({
  name: 'list_count',
  description: 'The number of elements of a list.',
  params: [required('list', 'List', 'The list.')],
  returns: 'Long',
  call: (_, list) => list.length,
});
