import { areEqual } from '@millrace/rules';
import { defineFunction, nullable, optional, required } from '../define.ts';
import { listOf } from '../values/lists.ts';

export const arrayRemoveFunction = defineFunction({
  name: 'array_remove',
  description: 'A list without a value.',
  params: [
    nullable('elements', 'Object', 'The list, or a field with one.'),
    required('value', 'Object', 'The value to remove.'),
    optional(
      'remove_all',
      'Boolean',
      'Whether to remove it everywhere or only once; false if it is left out.',
    ),
  ],
  returns: 'List',
  call: (_, given, value, removeAll = false) => {
    const elements = listOf(given);
    const first = elements.findIndex((element) => areEqual(element, value));
    return elements.filter((element, index) => (removeAll ? !areEqual(element, value) : index !== first));
  },
});
