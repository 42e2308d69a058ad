import { useDebouncedValue } from '@mantine/hooks';
import type { StreamPreviewView, TimeRangeRequest } from '@millrace/contract';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { ApiError, call } from '../../lib/api/index.ts';
import { completeRules, type RulesDraft, requestOf } from './rule-draft.ts';

/** After the last key. */
const PREVIEW_AFTER_MS = 300;
const EXAMPLES = 50;

export interface PreviewRange {
  readonly timerange: TimeRangeRequest;
  readonly sample: number;
}

export interface Preview {
  readonly result: StreamPreviewView | undefined;
  readonly error: Error | null;
  /** What is shown belongs to an older draft. */
  readonly isStale: boolean;
  readonly retry: () => void;
  /** By the key of the rule. */
  readonly matched: ReadonlyMap<string, number>;
  /** By the key of the rule and the property: `key.value`. */
  readonly problems: ReadonlyMap<string, string>;
}

function previewQuery(draft: RulesDraft, { timerange, sample }: PreviewRange) {
  const rules = completeRules(draft).map(({ rule }) => {
    const { id: _id, ...request } = requestOf(rule) as ReturnType<typeof requestOf> & { id?: string };
    return request;
  });
  const body = { rules, matching_type: draft.matchingType, timerange, sample, examples: EXAMPLES };
  return queryOptions({
    queryKey: ['streams', 'preview', body],
    queryFn: ({ signal }) => call('POST /streams/preview', { body, signal }),
    placeholderData: keepPreviousData,
    // Wrong rules stay wrong.
    retry: false,
    staleTime: 10_000,
  });
}

/** What the rules would do to stored messages, a moment after each change. */
export function usePreview(draft: RulesDraft, range: PreviewRange): Preview {
  const [settled] = useDebouncedValue(draft, PREVIEW_AFTER_MS);
  const { data, error, isPlaceholderData, refetch } = useQuery(previewQuery(settled, range));
  const isWrong = error instanceof ApiError && error.problems.length > 0;
  const matched = useMemo(() => {
    const tried = completeRules(settled);
    return new Map(
      isWrong || isPlaceholderData
        ? []
        : tried.map(({ rule }, place) => [rule.key, data?.rules[place]?.matched ?? 0]),
    );
  }, [settled, data, isWrong, isPlaceholderData]);
  const problems = useMemo(
    () => (isWrong ? problemsByRule(settled, error) : new Map<string, string>()),
    [settled, error, isWrong],
  );
  return {
    result: data,
    error: isWrong ? null : error,
    isStale: isPlaceholderData || settled !== draft || isWrong,
    retry: () => void refetch(),
    matched,
    problems,
  };
}

/** `rules[1].value` of the request is about the second rule that was tried. */
export function problemsByRule(draft: RulesDraft, error: ApiError): Map<string, string> {
  const tried = completeRules(draft);
  return new Map(
    error.problems.flatMap(({ path, message }) => {
      const [, place = '', property = ''] = /^rules\[(\d+)\]\.(\w+)$/.exec(path) ?? [];
      const key = tried[Number(place)]?.rule.key;
      return place === '' || key === undefined ? [] : [[`${key}.${property}`, message] as const];
    }),
  );
}
