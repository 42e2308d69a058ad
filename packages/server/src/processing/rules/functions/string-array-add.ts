import { isList, textOf } from '@millrace/rules';
import { defineFunction, optional, required } from '../define.ts';

/** A rule may add a list to itself again and again. */
const MAX_ELEMENTS = 100_000;

export const stringArrayAddFunction = defineFunction({
  name: 'string_array_add',
  description: 'A list of texts with more texts at its end.',
  params: [
    required('elements', 'List', 'The list.'),
    required('value', 'Object', 'A text, or a list of texts.'),
    optional(
      'only_unique',
      'Boolean',
      'Whether to leave out texts that are there already; false if it is left out.',
    ),
  ],
  returns: 'List',
  call: (_, elements, value, onlyUnique = false) => {
    const added = isList(value) ? value : [value];
    if (elements.length + added.length > MAX_ELEMENTS)
      throw new Error(`the list would have more than ${MAX_ELEMENTS} elements`);
    const all = [...elements, ...added].map(textOf);
    return onlyUnique ? [...new Set(all)] : all;
  },
});
