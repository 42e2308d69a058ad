import { defineFunction, required } from '../define.ts';

export const firstNonNullFunction = defineFunction({
  name: 'first_non_null',
  description: 'The first element of a list that is there.',
  params: [required('value', 'List', 'The list.')],
  returns: 'Object',
  call: (_, value) => value.find((element) => element !== undefined),
});
