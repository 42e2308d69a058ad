/** Search for the API: one object with everything that reads stored messages. */
import { type AnswerMemory, type AuditLog, type Clock, createAnswerMemory } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import type { StorageService } from '#storage/service.ts';
import {
  type Aggregations,
  createAggregations,
  createSearchHistograms,
  createTables,
  type EntityTitles,
  type SearchHistograms,
  type Tables,
} from './aggregation/index.ts';
import { type Completion, createCompletion } from './completion/index.ts';
import {
  createSearches,
  createSearchSlots,
  MAX_ANSWER_BYTES,
  type SearchableStorage,
  type Searches,
  type SearchLimits,
} from './execution/index.ts';
import { createExportJobs, createExports, type ExportJobs, type Exports } from './export/index.ts';
import { createFields, type Fields } from './fields/index.ts';
import { createFigures, type Figures } from './figures/index.ts';
import { createMessageMatcher, type MessageMatcher } from './matching/index.ts';
import {
  createMessageSamples,
  createMessageSearch,
  createSingleMessages,
  createUsedIndices,
  type MessageSamples,
  type MessageSearch,
  type SingleMessages,
} from './messages/index.ts';
import { createPatternSearch, type PatternSearch } from './patterns/index.ts';
import {
  createFieldLinkSettings,
  createQueryHistory,
  createSavedSearches,
  type FieldLinkSettings,
  type QueryHistory,
  type SavedSearches,
} from './saved/index.ts';
import { createTimeWords, type TimeWords } from './time/index.ts';
import { createQueryValidator, type QueryValidator } from './validation/index.ts';
import {
  createStoredViewSearches,
  createViewJobs,
  createViewSearches,
  type StoredViewSearches,
  type ViewJobs,
} from './views/index.ts';

export type { Aggregations, Tables } from './aggregation/index.ts';
export {
  aggregateRequestOf,
  isAscending,
  messagesRequestOf,
  renderCsvTable,
  renderTextTable,
} from './aggregation/index.ts';
export type { Completion } from './completion/index.ts';
export type { FieldIds, PreparedSearch, RunOptions, Searches, SearchInput } from './execution/index.ts';
export { asksForFailures, queryParseError, requireQuery, SearchFailedError } from './execution/index.ts';
export type { ExportFormat, ExportJobs, ExportRequest, Exports } from './export/index.ts';
export { EXPORT_CONTENT_TYPES } from './export/index.ts';
export type { Fields } from './fields/index.ts';
export type {
  Figure,
  FigureExpression,
  Figures,
  FiguresCaller,
  FigureValue,
  FigureWindow,
  Measured,
  MeasuredMessages,
  MeasuredRow,
  Measurement,
  TimeBasis,
} from './figures/index.ts';
export { isTrue } from './figures/index.ts';
export type {
  FoundMessage,
  FoundMessages,
  MessageSearch,
  MessageSearchRequest,
  MessageSort,
  SingleMessages,
} from './messages/index.ts';
export { messageJson, NEWEST_FIRST, parseDirectedSort, requireSort } from './messages/index.ts';
export type { PatternSearch } from './patterns/index.ts';
export type { QueryHistory, SavedSearches } from './saved/index.ts';
export type { LiveTail, LiveTailSettings, TailPeers } from './tail/index.ts';
export { createLiveTail } from './tail/index.ts';
export type { TimeRange, TimeSpan } from './time/index.ts';
export { parseTimeRangeText } from './time/index.ts';
export type { QueryValidator } from './validation/index.ts';
export type { StoredViewSearches, ViewJobs } from './views/index.ts';
export { viewExportInput } from './views/index.ts';

export interface SearchService {
  /** For the answers of the whole node. */
  readonly answerMemory: AnswerMemory;
  readonly searches: Searches;
  readonly fields: Fields;
  readonly figures: Figures;
  readonly validator: QueryValidator;
  readonly completion: Completion;
  readonly patterns: PatternSearch;
  readonly saved: SavedSearches;
  readonly history: QueryHistory;
  readonly messages: MessageSearch;
  readonly singleMessages: SingleMessages;
  readonly samples: MessageSamples;
  readonly exports: Exports;
  readonly exportJobs: ExportJobs;
  readonly aggregations: Aggregations;
  readonly tables: Tables;
  readonly histograms: SearchHistograms;
  readonly matcher: MessageMatcher;
  readonly fieldLinks: FieldLinkSettings;
  readonly viewJobs: ViewJobs;
  readonly storedViews: StoredViewSearches;
  readonly timeWords: TimeWords;
}

export interface SearchServiceDeps {
  readonly storage: SearchableStorage & Pick<StorageService, 'messages' | 'indices' | 'fields'>;
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  readonly clock: Clock;
}

export interface SearchServiceSettings extends SearchLimits {
  /** `search_max_parallel` */
  readonly maxParallel: number;
  /** `search_export_timeout` */
  readonly exportTimeoutMs: number;
}

/** The memory for all answers together, in answers of the largest size. */
const MAX_ANSWERS_TOGETHER = 4;

export function createSearchService(deps: SearchServiceDeps, config: SearchServiceSettings): SearchService {
  const { streams } = deps.metadata.repositories;
  const answerMemory = createAnswerMemory({ maxBytes: MAX_ANSWERS_TOGETHER * MAX_ANSWER_BYTES });
  const searches = createSearches(
    {
      ...deps,
      slots: createSearchSlots(config),
      answerMemory,
      streams: () => streams.list(),
    },
    config,
  );
  const usedIndices = createUsedIndices({
    clock: deps.clock,
    // The message search shows callers only what they may know.
    ranges: () => deps.storage.indices.ranges({ can: () => true }),
  });
  const messages = createMessageSearch({ searches, usedIndices, clock: deps.clock });
  const fields = createFields({ searches, storage: deps.storage, streams: () => streams.list() });
  const exports = createExports({ searches }, { timeoutMs: config.exportTimeoutMs });
  const titles = entityTitles(deps.metadata);
  return {
    answerMemory,
    searches,
    fields,
    figures: createFigures({ searches }),
    validator: createQueryValidator({ fields, clock: deps.clock }),
    completion: createCompletion({ searches, fields, titles }),
    patterns: createPatternSearch({ searches, clock: deps.clock }),
    saved: createSavedSearches({ metadata: deps.metadata, audit: deps.audit }),
    history: createQueryHistory(deps.metadata.repositories.searchHistory),
    messages,
    singleMessages: createSingleMessages({
      searches,
      find: deps.storage.messages.find,
      targets: deps.storage.searchTargets,
    }),
    samples: createMessageSamples({ searches }),
    exports,
    exportJobs: createExportJobs({
      exports,
      clock: deps.clock,
      count: async (principal, input, options) =>
        (await messages.find(principal, { ...input, limit: 0, offset: 0 }, options)).totalResults,
    }),
    aggregations: createAggregations({ searches, clock: deps.clock }),
    viewJobs: createViewJobs({
      views: createViewSearches({ searches, messages, clock: deps.clock }),
      clock: deps.clock,
    }),
    storedViews: createStoredViewSearches({
      searches: deps.metadata.repositories.viewSearches,
      clock: deps.clock,
    }),
    tables: createTables({ searches, messages, titles }),
    timeWords: createTimeWords(deps.clock),
    histograms: createSearchHistograms(searches),
    matcher: createMessageMatcher({ clock: deps.clock }),
    fieldLinks: createFieldLinkSettings(deps),
  };
}

/** Where the name of a node must be short. */
const SHORT_NODE_ID_LENGTH = 8;

function entityTitles({ repositories }: Metadata): EntityTitles {
  return {
    streams: async (reader) =>
      new Map(
        (await repositories.streams.list())
          .filter(({ id }) => reader.can('streams:read', id))
          .map(({ id, title }) => [id, title]),
      ),
    inputs: async (reader) =>
      new Map(
        (await repositories.inputs.list())
          .filter(({ id }) => reader.can('inputs:read', id))
          .map(({ id, title }) => [id, title]),
      ),
    nodes: async () =>
      new Map(
        (await repositories.nodes.list()).map(({ nodeId, hostname }) => [
          nodeId,
          `${nodeId.slice(0, SHORT_NODE_ID_LENGTH)} / ${hostname}`,
        ]),
      ),
  };
}
