import { joinedTexts, textOf } from '@millrace/rules';
import { defineFunction, optional, required } from '../define.ts';

export const joinFunction = defineFunction({
  name: 'join',
  description: 'Joins the elements of a list as one text.',
  params: [
    required('elements', 'List', 'The list.'),
    optional('delimiter', 'String', 'Put between the elements; nothing if it is left out.'),
    optional('start', 'Long', 'The position of the first element, from 0.'),
    optional('indexEnd', 'Long', 'The position after the last element.'),
  ],
  returns: 'String',
  call: (_, elements, delimiter = '', start = 0, end = elements.length) =>
    joinedTexts(elements.slice(Math.max(0, Number(start)), Math.max(0, Number(end))), delimiter, textOf),
});
