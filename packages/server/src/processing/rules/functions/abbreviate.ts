import { defineFunction, required } from '../define.ts';

export const abbreviateFunction = defineFunction({
  name: 'abbreviate',
  description: 'Shortens a text and puts an ellipsis at its end.',
  params: [
    required('value', 'String', 'The text.'),
    required('width', 'Long', 'The greatest length of the result, at least 4.'),
  ],
  returns: 'String',
  call: (_, value, width) => {
    const most = Math.max(4, Number(width));
    return value.length <= most ? value : `${value.slice(0, most - 3)}...`;
  },
});
