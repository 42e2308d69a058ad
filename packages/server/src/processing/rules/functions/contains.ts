import { defineFunction, optional, required } from '../define.ts';

export const containsFunction = defineFunction({
  name: 'contains',
  description: 'Whether a text contains another.',
  params: [
    required('value', 'String', 'The text.'),
    required('search', 'String', 'The text to look for.'),
    optional('ignore_case', 'Boolean', 'Whether upper and lower case are the same; false if it is left out.'),
  ],
  returns: 'Boolean',
  call: (_, value, search, ignoreCase = false) =>
    ignoreCase ? value.toLowerCase().includes(search.toLowerCase()) : value.includes(search),
});
