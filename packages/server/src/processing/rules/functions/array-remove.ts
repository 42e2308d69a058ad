import { areEqual } from '@millrace/rules';
import { defineFunction, optional, required } from '../define.ts';

export const arrayRemoveFunction = defineFunction({
  name: 'array_remove',
  description: 'A list without a value.',
  params: [
    required('elements', 'List', 'The list.'),
    required('value', 'Object', 'The value to remove.'),
    optional(
      'remove_all',
      'Boolean',
      'Whether to remove it everywhere or only once; false if it is left out.',
    ),
  ],
  returns: 'List',
  call: (_, elements, value, removeAll = false) => {
    const first = elements.findIndex((element) => areEqual(element, value));
    return elements.filter((element, index) => (removeAll ? !areEqual(element, value) : index !== first));
  },
});
