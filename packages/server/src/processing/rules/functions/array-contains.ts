import { areEqual, textOf } from '@millrace/rules';
import { defineFunction, optional, required } from '../define.ts';

export const arrayContainsFunction = defineFunction({
  name: 'array_contains',
  description: 'Whether a list contains a value.',
  params: [
    required('elements', 'List', 'The list.'),
    required('value', 'Object', 'The value.'),
    optional(
      'case_sensitive',
      'Boolean',
      'Whether upper and lower case of texts differ; false if it is left out.',
    ),
  ],
  returns: 'Boolean',
  call: (_, elements, value, caseSensitive = false) =>
    elements.some((element) =>
      !caseSensitive && typeof element === 'string' && typeof value === 'string'
        ? element.toLowerCase() === textOf(value).toLowerCase()
        : areEqual(element, value),
    ),
});
