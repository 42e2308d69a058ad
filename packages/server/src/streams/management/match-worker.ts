/** The thread for messages whose matching may take long: see `match-threads.ts`. */
import { parentPort, workerData } from 'node:worker_threads';
import { createTimeGuard, type FieldValue, threadClock } from '#core/index.ts';
import { createStreamMatcher } from '../index.ts';
import type { MatchJob, ThreadMatch } from './match-threads.ts';

const { stream, timeoutMs } = workerData as MatchJob;
const matcher = createStreamMatcher(stream, { limitMs: timeoutMs });
const guard = createTimeGuard();

/** The rules share the time, as they do when a message is routed. */
function match(fields: ReadonlyMap<string, FieldValue>): ThreadMatch {
  const until = threadClock.now() + timeoutMs;
  const rules = new Array<boolean | undefined>(matcher.order.length).fill(undefined);
  for (const rule of matcher.order) {
    const left = until - threadClock.now();
    if (left <= 0) break;
    let result: boolean | undefined;
    const test = () => {
      result = matcher.matchRule(rule, (field) => fields.get(field));
    };
    if (guard.repeat(test, left)) rules[rule] = result;
  }
  return { matches: matcher.decide(rules), rules };
}

parentPort?.on('message', (fields: ReadonlyMap<string, FieldValue>) =>
  parentPort?.postMessage(match(fields)),
);
