import { expect, test } from 'vitest';
import { messageStep } from './use-message-steps.ts';

test.each([
  ['the first one is a step', '', 'a', false, 'push'],
  ['the next one takes its place', 'a', 'b', true, 'replace'],
  ['closing it goes back', 'a', '', true, 'back'],
  ['one that a link opened is closed in its place', 'a', '', false, 'replace'],
  ['one whose neighbour a link opened, too', 'b', '', false, 'replace'],
  ['another one after that is a step again', '', 'c', true, 'push'],
  ['nothing to close leaves nothing', '', '', true, 'replace'],
] as const)('opened messages on a phone: %s', (_what, open, next, isView, step) => {
  expect(messageStep(open, next, isView)).toBe(step);
});
