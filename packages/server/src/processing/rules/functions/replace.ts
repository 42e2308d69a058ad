import { requireTextLength } from '@millrace/rules';
import { defineFunction, optional, required } from '../define.ts';

export const replaceFunction = defineFunction({
  name: 'replace',
  description: 'Replaces a text inside of another.',
  params: [
    required('value', 'String', 'The text.'),
    required('search', 'String', 'The text to look for.'),
    optional('replacement', 'String', 'What to put there; nothing if it is left out.'),
    optional('max', 'Long', 'How many of them to replace; all if it is left out or -1.'),
  ],
  returns: 'String',
  call: (_, value, search, replacement = '', max = -1) => {
    if (search === '') return value;
    const parts = value.split(search);
    const count = max < 0 ? parts.length - 1 : Math.min(Number(max), parts.length - 1);
    requireTextLength(value.length + count * (replacement.length - search.length));
    return [parts.slice(0, count + 1).join(replacement), ...parts.slice(count + 1)].join(search);
  },
});
