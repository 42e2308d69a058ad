import { defineFunction, optional, required } from '../define.ts';

export const startsWithFunction = defineFunction({
  name: 'starts_with',
  description: 'Whether a text starts with another.',
  params: [
    required('value', 'String', 'The text.'),
    required('prefix', 'String', 'The beginning to look for.'),
    optional('ignore_case', 'Boolean', 'Whether upper and lower case are the same; false if it is left out.'),
  ],
  returns: 'Boolean',
  call: (_, value, prefix, ignoreCase = false) =>
    ignoreCase ? value.toLowerCase().startsWith(prefix.toLowerCase()) : value.startsWith(prefix),
});
