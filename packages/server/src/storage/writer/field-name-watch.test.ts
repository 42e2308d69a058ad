import { expect, test } from 'vitest';
import { ManualClock } from '#testing/manual-clock.ts';
import { createFieldNameWatch, type ManyFieldNames } from './field-name-watch.ts';

function create() {
  const clock = new ManualClock();
  const reports: ManyFieldNames[] = [];
  const watch = createFieldNameWatch({ clock, report: (found) => reports.push(found) });
  return { clock, reports, watch };
}

test.each([
  [['session_1f3a_clicks', 'session_9_clicks', 'session_00ff12_clicks', 'level'], 'session_*_clicks'],
  [['user.1', 'user.2', 'user.3'], 'user.*'],
  [['6f9619ff-8b86-d011-b42d-00cf4fc964ff', '7f9619ff-8b86-d011-b42d-00cf4fc964fe'], '*'],
  [['red', 'green', 'blue', 'yellow'], '*'],
])('names like %j look like %s', (names, pattern) => {
  const { reports, watch } = create();
  watch.observe('input-1', names);
  expect(reports).toHaveLength(1);
  expect(reports[0]).toMatchObject({ inputId: 'input-1', pattern });
});

test('an input is reported once, and again when it has not stopped ten minutes later', () => {
  const { clock, reports, watch } = create();
  watch.observe('input-1', ['a1', 'a2']);
  watch.observe('input-1', ['a3', 'a4']);
  watch.observe('input-2', ['b1', 'b2', 'b3', 'b4']);
  expect(reports).toEqual([
    { inputId: 'input-1', pattern: '*', count: 2, examples: ['a1', 'a2'] },
    { inputId: 'input-2', pattern: '*', count: 4, examples: ['b1', 'b2', 'b3'] },
  ]);
  clock.advance(10 * 60_000);
  watch.observe('input-1', ['a5', 'a6']);
  expect(reports).toHaveLength(3);
});
