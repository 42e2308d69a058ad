import type { FieldValue } from '#core/index.ts';
import { usablePredicate } from '../rules/predicate.ts';
import type { StreamDefinition } from '../rules/rule.ts';

/** Reads a field of a message; undefined if the message does not have it. */
export type ReadField = (field: string) => FieldValue | undefined;

/** Whether a message matches a stream, and each of its rules in their order. */
export interface StreamMatch {
  readonly matches: boolean;
  readonly rules: readonly boolean[];
}

/** Matches messages against one stream, with the predicates that routing uses. For tests and previews. */
export interface StreamMatcher {
  /** The fields that the rules look at. */
  readonly fields: ReadonlySet<string>;
  /** The places of the rules, cheap ones first, as routing tests them. */
  readonly order: readonly number[];
  /** Whether all rules together certainly take no longer than `limitMs`. */
  isQuick(read: ReadField): boolean;
  match(read: ReadField): StreamMatch;
  /** One rule alone, for rules that need a time guard. */
  matchRule(rule: number, read: ReadField): boolean;
  /** The result for the stream from those of its rules; undefined for a rule that took too long. */
  decide(results: readonly (boolean | undefined)[]): boolean | undefined;
}

export function createStreamMatcher(
  stream: Pick<StreamDefinition, 'matchingType' | 'rules'>,
  settings: { readonly limitMs: number },
): StreamMatcher {
  const predicates = stream.rules.map(usablePredicate);
  const usable = predicates.filter((predicate) => predicate !== undefined);
  for (const predicate of usable) predicate.limitTo(settings.limitMs / usable.length);
  /** The result of one rule that decides for all. */
  const decisive = stream.matchingType === 'OR';

  function decide(results: readonly (boolean | undefined)[]): boolean | undefined {
    if (results.length === 0) return false;
    if (results.includes(decisive)) return decisive;
    return results.includes(undefined) ? undefined : !decisive;
  }

  function matchRule(rule: number, read: ReadField): boolean {
    const predicate = predicates[rule];
    return predicate?.evaluate(read(predicate.field)) ?? false;
  }

  return {
    fields: new Set(usable.map(({ field }) => field).filter((field) => field !== '')),
    order: [...predicates.keys()].sort(
      (left, right) => (predicates[left]?.rank ?? 0) - (predicates[right]?.rank ?? 0),
    ),
    // Where this runs, the guard of a plugin limits the time of its rules.
    isQuick: (read) =>
      usable.every((predicate) => predicate.isOfPlugin || predicate.isQuick(read(predicate.field))),
    match(read) {
      const rules = predicates.map((_, rule) => matchRule(rule, read));
      return { matches: decide(rules) === true, rules };
    },
    matchRule,
    decide,
  };
}
