import type { TestMatchResponse } from '@millrace/contract';
import { type FieldValue, fieldValueOf } from '#core/index.ts';
import { createStreamMatcher } from '../index.ts';
import type { MatchJob, MatchThreads } from './match-threads.ts';

/** Tries the rules of a stream on a made-up message. */
export interface TestMatcher {
  match(stream: MatchJob['stream'], message: Readonly<Record<string, unknown>>): Promise<TestMatchResponse>;
}

/** Matches that may take longer than this run in a thread of their own. */
export const QUICK_MS = 10;

export function createTestMatcher(
  threads: MatchThreads,
  settings: { readonly timeoutMs: number },
): TestMatcher {
  return {
    async match(stream, message) {
      const fields = readFields(message);
      const read = (field: string) => fields.get(field);
      const matcher = createStreamMatcher(stream, { limitMs: QUICK_MS });
      const byId = (results: readonly (boolean | undefined)[]) =>
        Object.fromEntries(stream.rules.map(({ id }, index) => [id, results[index] ?? false]));
      if (matcher.isQuick(read)) {
        const { matches, rules } = matcher.match(read);
        return { matches, rules: byId(rules) };
      }
      const thread = await threads.open({ stream, timeoutMs: settings.timeoutMs });
      try {
        const { matches, rules } = await thread.ask(fields.keys(), read);
        return {
          matches: matches ?? false,
          rules: byId(rules),
          ...(matches === undefined && { timed_out: true }),
        };
      } finally {
        thread.close();
      }
    },
  };
}

function readFields(message: Readonly<Record<string, unknown>>): Map<string, FieldValue> {
  const fields = new Map<string, FieldValue>();
  for (const [name, value] of Object.entries(message)) {
    const known = fieldValueOf(value);
    if (known !== undefined) fields.set(name, known);
  }
  return fields;
}
