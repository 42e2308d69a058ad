export type { HighlightRange, HighlightRanges } from './highlight.ts';
export { createHighlighter } from './highlight.ts';
export type { FoundMessage, MessageRow } from './message-rows.ts';
export { jsonValue, messageColumns, messageJson } from './message-rows.ts';
export { createMessageSamples, type MessageSamples } from './message-samples.ts';
export type {
  FoundMessages,
  MessageSearch,
  MessageSearchOptions,
  MessageSearchRequest,
} from './message-search.ts';
export { createMessageSearch } from './message-search.ts';
export { type MessagePage, type OrderedRows, orderedStatement, pageStatement } from './page-statement.ts';
export type { SingleMessages } from './single-messages.ts';
export { createSingleMessages } from './single-messages.ts';
export type { MessageSort, SortDirection } from './sort.ts';
export { NEWEST_FIRST, parseDirectedSort, parseDirection, requireSort } from './sort.ts';
export { createUsedIndices, type UsedIndices } from './used-indices.ts';
