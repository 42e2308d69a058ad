import { useQuery } from '@tanstack/react-query';
import { histogramQuery } from './histogram/queries.ts';
import { type FoundPage, patternsQuery } from './queries.ts';
import type { SearchValues } from './search-params.ts';
import { texts } from './texts.ts';
import type { SearchState } from './use-search.ts';

/** How many messages another part of the page has counted: it may know that long before the list is done. */
export function useCounted({ run, values }: SearchState): number | undefined {
  // Only looked at: these parts ask themselves.
  const histogram = useQuery({ ...histogramQuery(run, values.by), enabled: false });
  const isPatterns = values.view === 'patterns';
  // In another view nothing may hold on to it: it ends when nobody looks at it.
  const patterns = useQuery({ ...patternsQuery(isPatterns ? run : undefined), enabled: false });
  if (isPatterns && patterns.data !== undefined && !patterns.isPlaceholderData) {
    return patterns.data.total;
  }
  return histogram.isPlaceholderData ? undefined : histogram.data?.answer.total;
}

/** The number of messages, as far as it is known. */
export function foundText(
  { total_results: listed, searched_from: searchedFrom }: Pick<FoundPage, 'total_results' | 'searched_from'>,
  view: SearchValues['view'],
  counted: number | undefined,
): string {
  if (searchedFrom === undefined) return texts.total(listed);
  if (counted === undefined) return texts.soFar(listed);
  return view === 'messages' ? texts.listedSoFar(counted, listed) : texts.total(counted);
}
