import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import { expect, test } from 'vitest';
import { queryParser } from './index.ts';

const highlighter = tagHighlighter([
  { tag: tags.propertyName, class: 'field' },
  { tag: tags.logicOperator, class: 'operator' },
  { tag: tags.operator, class: 'sign' },
  { tag: tags.string, class: 'text' },
  { tag: tags.special(tags.string), class: 'wildcard' },
  { tag: tags.regexp, class: 'regex' },
  { tag: tags.literal, class: 'bound' },
  { tag: tags.compareOperator, class: 'compare' },
  { tag: tags.operatorKeyword, class: 'to' },
  { tag: tags.modifier, class: 'modifier' },
  { tag: tags.invalid, class: 'invalid' },
]);

function coloured(text: string): string[] {
  const pieces: string[] = [];
  highlightTree(queryParser.parse(text), highlighter, (from, to, classes) => {
    pieces.push(`${classes} ${text.slice(from, to)}`);
  });
  return pieces;
}

test('the parser provides highlighting for an editor', () => {
  expect(coloured('level:>=3 AND (web* OR "a b"~2) NOT -x:/r/ t:[1 TO 2}')).toEqual([
    'field level',
    'compare >=',
    'bound 3',
    'operator AND',
    'wildcard web*',
    'operator OR',
    'text "a b"',
    'modifier ~2',
    'operator NOT',
    'sign -',
    'field x',
    'regex /r/',
    'field t',
    'bound 1',
    'to TO',
    'bound 2',
  ]);
});

test('errors are highlighted without affecting the rest', () => {
  expect(coloured('a ) source:web "open')).toEqual([
    'text a',
    'invalid )',
    'field source',
    'text web',
    'invalid "open',
  ]);
});
