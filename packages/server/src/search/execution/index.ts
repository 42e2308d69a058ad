export { MAX_ANSWER_BYTES, SearchFailedError } from './failures.ts';
export type { FieldIds, MessageSource, SourceOptions } from './message-source.ts';
export { asksForFailures, queryParseError, unknownFieldWarnings } from './query-problems.ts';
export type {
  PreparedSearch,
  RunOptions,
  SearchableStorage,
  Searches,
  SearchesDeps,
  SearchInput,
  SearchLimits,
} from './searches.ts';
export { createSearches, requireQuery } from './searches.ts';
export type { SearchSlot, SearchSlots } from './slots.ts';
export { createSearchSlots } from './slots.ts';
