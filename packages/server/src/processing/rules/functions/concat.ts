import { requireTextLength, textOf } from '@millrace/rules';
import { defineFunction, nullable } from '../define.ts';

export const concatFunction = defineFunction({
  name: 'concat',
  description: 'Joins two values as one text. A missing one counts as empty.',
  params: [nullable('first', 'Object', 'The first one.'), nullable('second', 'Object', 'The second one.')],
  returns: 'String',
  call: (_, first, second) => {
    const [left, right] = [textOf(first), textOf(second)];
    requireTextLength(left.length + right.length);
    return left + right;
  },
});
