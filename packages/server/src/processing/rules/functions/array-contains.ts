import { areEqual, textOf } from '@millrace/rules';
import { defineFunction, nullable, optional, required } from '../define.ts';
import { listOf } from '../values/lists.ts';

export const arrayContainsFunction = defineFunction({
  name: 'array_contains',
  description: 'Whether a list contains a value.',
  params: [
    nullable('elements', 'Object', 'The list, or a field with one.'),
    required('value', 'Object', 'The value.'),
    optional(
      'case_sensitive',
      'Boolean',
      'Whether upper and lower case of texts differ; false if it is left out.',
    ),
  ],
  returns: 'Boolean',
  call: (_, elements, value, caseSensitive = false) =>
    listOf(elements).some((element) =>
      !caseSensitive && typeof element === 'string' && typeof value === 'string'
        ? element.toLowerCase() === textOf(value).toLowerCase()
        : areEqual(element, value),
    ),
});
