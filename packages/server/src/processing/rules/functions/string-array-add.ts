import { isList, textOf } from '@millrace/rules';
import { defineFunction, nullable, optional, required } from '../define.ts';
import { listOf } from '../values/lists.ts';

/** A rule may add a list to itself again and again. */
const MAX_ELEMENTS = 100_000;

export const stringArrayAddFunction = defineFunction({
  name: 'string_array_add',
  description: 'A list of texts with more texts at its end.',
  params: [
    nullable('elements', 'Object', 'The list, or a field with one.'),
    required('value', 'Object', 'A text, or a list of texts.'),
    optional(
      'only_unique',
      'Boolean',
      'Whether to leave out texts that are there already; false if it is left out.',
    ),
  ],
  returns: 'List',
  call: (_, given, value, onlyUnique = false) => {
    const elements = listOf(given);
    const added = isList(value) ? value : [value];
    if (elements.length + added.length > MAX_ELEMENTS)
      throw new Error(`the list would have more than ${MAX_ELEMENTS} elements`);
    const all = [...elements, ...added].map(textOf);
    return onlyUnique ? [...new Set(all)] : all;
  },
});
