import { defineFunction, required } from '../define.ts';

export const listGetFunction = defineFunction({
  name: 'list_get',
  description: 'An element of a list. Negative positions count from its end.',
  params: [required('list', 'List', 'The list.'), required('index', 'Long', 'The position, from 0.')],
  returns: 'Object',
  call: (_, list, index) => list.at(Number(index)),
});
