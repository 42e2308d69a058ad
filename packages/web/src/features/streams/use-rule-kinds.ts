import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../lib/api/index.ts';
import { learnRuleKinds, type RuleKind, ruleKinds } from '../../lib/stream-rules/index.ts';

/** The types are the same for all streams; a new one has no address yet. */
const ANY_STREAM = '000000000000000000000001';

const ruleKindsQuery = queryOptions({
  queryKey: ['stream rule kinds'],
  queryFn: async ({ signal }) =>
    learnRuleKinds(
      await call('GET /streams/{streamId}/rules/types', {
        path: { streamId: ANY_STREAM },
        signal,
        isBackground: true,
      }),
    ),
  staleTime: Number.POSITIVE_INFINITY,
  meta: { isBackground: true },
});

/** The kinds of rules, with those of plugins as soon as they are known. */
export function useRuleKinds(): readonly RuleKind[] {
  return useQuery(ruleKindsQuery).data ?? ruleKinds();
}
