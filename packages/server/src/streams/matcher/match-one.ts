import type { FieldValue } from '#core/index.ts';
import { Predicate } from '../rules/predicate.ts';
import type { StreamDefinition } from '../rules/rule.ts';

/** Whether a message matches a stream, and each of its rules: the result of a test match. */
export interface StreamMatch {
  readonly matches: boolean;
  readonly rules: Readonly<Record<string, boolean>>;
}

/** Matches the fields of one message against one stream, with the predicates that routing uses. */
export interface SingleStreamMatcher {
  /** Whether all rules together certainly take no longer than this. */
  isQuick(milliseconds: number): boolean;
  match(): StreamMatch;
}

export function createSingleStreamMatcher(
  stream: Pick<StreamDefinition, 'matchingType' | 'rules'>,
  read: (field: string) => FieldValue | undefined,
): SingleStreamMatcher {
  const rules = stream.rules.map((rule) => {
    const predicate = new Predicate(rule);
    return { id: rule.id, predicate, value: read(predicate.field) };
  });
  return {
    isQuick(milliseconds) {
      for (const { predicate } of rules) predicate.limitTo(milliseconds / rules.length);
      return rules.every(({ predicate, value }) => predicate.isQuick(value));
    },
    match() {
      const results = rules.map(({ id, predicate, value }) => [id, predicate.evaluate(value)] as const);
      const holds = (result: readonly [string, boolean]) => result[1];
      const decided = stream.matchingType === 'AND' ? results.every(holds) : results.some(holds);
      return { matches: results.length > 0 && decided, rules: Object.fromEntries(results) };
    },
  };
}
