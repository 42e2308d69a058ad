import { expect, test } from 'vitest';
import { hasComments, nextStageNumber, printPipeline, readPipeline } from './pipeline-draft.ts';

test('what a form prints is read as the same again, whatever the names are', () => {
  const draft = {
    name: 'a "name" \\ 🦊 // no comment',
    stages: [
      { number: 0, match: 'pass', rules: [] },
      { number: 3, match: 'either', rules: ['one', 'two "2"'] },
      { number: 7, match: 'all', rules: ['one'] },
    ],
  } as const;
  const source = printPipeline(draft);
  expect(readPipeline(source)).toEqual(draft);
  expect(hasComments(source)).toBe(false);
  expect(printPipeline({ ...draft, stages: draft.stages.toReversed() })).toBe(source);
  expect(nextStageNumber(draft.stages)).toBe(8);
  expect(nextStageNumber([])).toBe(0);
});

test('comments are seen, and a source that is no pipeline is not read', () => {
  expect(hasComments('pipeline "p" // first\nstage 0 match pass\nend')).toBe(true);
  expect(readPipeline('rule "r" when true then end')).toBeUndefined();
});
