export { SearchFailedError } from './failures.ts';
export type { SourceTable } from './message-source.ts';
export { asksForFailures, forEachField, queryParseError, unknownFieldWarnings } from './query-problems.ts';
export type {
  PreparedSearch,
  RunOptions,
  SearchableStorage,
  Searches,
  SearchesDeps,
  SearchInput,
  SearchLimits,
} from './searches.ts';
export { createSearches } from './searches.ts';
export type { SearchSlot, SearchSlots } from './slots.ts';
export { createSearchSlots } from './slots.ts';
