import fc from 'fast-check';
import { expect, test } from 'vitest';
import { completionAt, fieldReferences } from './index.ts';

/** A query with the cursor as `|`, and the completion there. */
const PLACES: readonly (readonly [string, string])[] = [
  ['|', 'clause "" at "", NOT'],
  ['lev|', 'clause "lev" at "lev", NOT'],
  ['le|vel', 'clause "le" at "level", NOT'],
  ['le|vel:3', 'clause "le" at "level", with colon'],
  ['a |', 'clause "" at "", AND OR NOT'],
  ['a AND |', 'clause "" at "", NOT'],
  ['a AND sou|', 'clause "sou" at "sou", NOT'],
  ['(|', 'clause "" at "", NOT'],
  ['(a |)', 'clause "" at "", AND OR NOT'],
  ['level:(3 OR 4) |', 'clause "" at "", AND OR NOT'],
  ['level:(3 OR 4)|', 'clause "" at "", AND OR NOT'],
  ['NOT |', 'clause "" at "", '],
  ['-sou|', 'clause "sou" at "sou", NOT'],
  ['level:|', 'value of level "" at ""'],
  ['level: |', 'value of level "" at ""'],
  ['source:we|', 'value of source "we" at "we"'],
  ['source:w|eb', 'value of source "w" at "web"'],
  ['source:we*|', 'value of source "we*" at "we*"'],
  ['source:"web 0|', 'value of source "web 0" at "\\"web 0"'],
  ['source:"web| 01"', 'value of source "web" at "\\"web 01\\""'],
  ['source:"web 01"|', 'nothing'],
  ['source:(web OR d|)', 'value of source "d" at "d"'],
  ['source:(web OR |)', 'value of source "" at ""'],
  ['user\\ name:a|', 'value of user name "a" at "a"'],
  ['temperature:-5|', 'value of temperature "-5" at "-5"'],
  ['_exists_:us|', 'field "us" at "us"'],
  ['_exists_:|', 'field "" at ""'],
  ['"some phr|ase"', 'nothing'],
  ['took:[1 T|O 5]', 'nothing'],
  ['took:>=1|', 'nothing'],
  ['/re|gex/', 'nothing'],
  ['timout~1|', 'nothing'],
];

function place(marked: string): string {
  const cursor = marked.indexOf('|');
  const text = marked.replace('|', '');
  const found = completionAt(text, cursor);
  if (found.kind === 'nothing') return 'nothing';
  const where = `${JSON.stringify(found.input)} at ${JSON.stringify(text.slice(found.at.from, found.at.to))}`;
  if (found.kind === 'value') return `value of ${found.field} ${where}`;
  if (found.kind === 'field') return `field ${where}`;
  return `clause ${where}, ${found.hasColon ? 'with colon' : found.operators.join(' ')}`;
}

test.each(PLACES)('%s: %s', (marked, expected) => {
  expect(place(marked)).toBe(expected);
});

test('completion works at any position in any text', () => {
  const pieces = 'a b : / \\ " ( ) [ ] ~ * ? + - ! < AND OR field: "a b" [1 TO _exists_:'.split(' ');
  const text = fc.array(fc.constantFrom(...pieces, ' '), { maxLength: 15 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.nat(), (written, somewhere) => {
      const cursor = somewhere % (written.length + 1);
      const found = completionAt(written, cursor);
      if (found.kind === 'nothing') return;
      expect(found.at.from).toBeLessThanOrEqual(cursor);
      expect(found.at.to).toBeGreaterThanOrEqual(cursor);
    }),
    { numRuns: 3000 },
  );
  expect(completionAt('a', 2)).toEqual({ kind: 'nothing' });
});

test('the fields of a query are found with their positions', () => {
  const text = 'level:3 OR (user.name:(a OR source:b) AND _exists_:(x OR "y z")) NOT a\\:b:c d *:e';
  expect(fieldReferences(text).map(({ name, at }) => [name, text.slice(at.from, at.to)])).toEqual([
    ['level', 'level'],
    ['user.name', 'user.name'],
    ['source', 'source'],
    ['x', 'x'],
    ['y z', '"y z"'],
    ['a:b', 'a\\:b'],
  ]);
  expect(fieldReferences('level: AND source:').map(({ name }) => name)).toEqual(['level', 'source']);
});
