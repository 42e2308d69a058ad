import { defineFunction, optional, required } from '../define.ts';

export const endsWithFunction = defineFunction({
  name: 'ends_with',
  description: 'Whether a text ends with another.',
  params: [
    required('value', 'String', 'The text.'),
    required('suffix', 'String', 'The end to look for.'),
    optional('ignore_case', 'Boolean', 'Whether upper and lower case are the same; false if it is left out.'),
  ],
  returns: 'Boolean',
  call: (_, value, suffix, ignoreCase = false) =>
    ignoreCase ? value.toLowerCase().endsWith(suffix.toLowerCase()) : value.endsWith(suffix),
});
