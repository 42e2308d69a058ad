import { expect, test } from 'vitest';
import { type ExpressionNode, expressionText } from './expression.ts';

const above = (ref: string, value: number): ExpressionNode => ({
  expr: '>',
  left: { expr: 'number-ref', ref },
  right: { expr: 'number', value },
});
const [a, b, c] = [above('a', 1), above('b', 2), above('c', 3)];
const and = (left: ExpressionNode, right: ExpressionNode): ExpressionNode => ({ expr: '&&', left, right });
const or = (left: ExpressionNode, right: ExpressionNode): ExpressionNode => ({ expr: '||', left, right });
const group = (child: ExpressionNode): ExpressionNode => ({ expr: 'group', child });

test.each([
  [and(or(a, b), c), '(a > 1 or b > 2) and c > 3'],
  [and(a, or(b, c)), 'a > 1 and (b > 2 or c > 3)'],
  [or(and(a, b), c), '(a > 1 and b > 2) or c > 3'],
  [and(and(a, b), c), 'a > 1 and b > 2 and c > 3'],
  [and(group(or(a, b)), c), '(a > 1 or b > 2) and c > 3'],
  [and(group(group(or(a, b))), c), '(a > 1 or b > 2) and c > 3'],
  [{ expr: '!', child: or(a, b) }, 'not (a > 1 or b > 2)'],
  [{ expr: '!', child: group(or(a, b)) }, 'not (a > 1 or b > 2)'],
  [undefined, 'messages were found'],
])('a condition as text has the brackets that its tree means: %j', (tree, text) => {
  expect(expressionText(tree)).toBe(text);
});
