import type { RuleBatch } from './context.ts';

/** For the functions that make messages, when the batch takes no more of them. */
export function tooManyMessages({ limits }: RuleBatch): Error {
  return new Error(
    `too many messages were made: one received message gives at most ${limits.perRecord}, and the messages that are ` +
      `processed together give at most ${limits.perBatch} more; add a condition that clones do not meet`,
  );
}
