import type { FieldValue } from '#core/index.ts';
import { Predicate } from '../rules/predicate.ts';
import type { StreamDefinition } from '../rules/rule.ts';

/** What one message is for one stream, rule by rule: the answer of a test match. */
export interface StreamMatch {
  readonly matches: boolean;
  readonly rules: Readonly<Record<string, boolean>>;
}

/** One stream against the fields of one message, with the predicates that routing uses. */
export interface SingleStreamMatcher {
  /** Whether all rules are certain to be done within so many milliseconds. */
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
