import type {
  AggregateRequest,
  CompleteRequest,
  CompleteResponse,
  ExportJob,
  ExportJobCreated,
  ExportJobRequest,
  FacetRequest,
  FacetResponse,
  FieldLinks,
  FieldStatistics,
  FieldStatisticsRequest,
  FieldTypeList,
  MatchRequest,
  MatchResponse,
  MessageResultView,
  MessageSearchBody,
  MessageSearchResultView,
  NaturalDate,
  PatternRequest,
  PatternResponse,
  QueryValidation,
  SavedSearch,
  SavedSearchList,
  SavedSearchRequest,
  SearchHistogram,
  SearchHistogramRequest,
  SearchHistory,
  SearchTailQuery,
  SqlExplanation,
  SurroundingMessagesView,
  TableResponse,
  UsedQueryRequest,
} from '@millrace/contract';

/** What the search page asks for. Only the properties that it sends. */
export interface SearchEndpoints {
  'POST /messages/search': { body: Partial<MessageSearchBody>; response: MessageSearchResultView };
  'GET /messages/{index}/{messageId}': { response: MessageResultView };
  'GET /messages/{index}/{messageId}/surrounding': {
    query: { before: number; after: number; fields: string };
    response: SurroundingMessagesView;
  };
  'POST /search/aggregate': {
    body: Pick<AggregateRequest, 'query' | 'streams' | 'timerange'> & {
      group_by: { field: string; limit?: number; timeunit?: string }[];
      metrics: {
        function: string;
        field?: string;
        sort?: 'asc' | 'desc';
        configuration?: { percentile: number };
      }[];
    };
    response: TableResponse;
  };
  'POST /search/complete': { body: Omit<CompleteRequest, 'size'>; response: CompleteResponse };
  'POST /search/validate': {
    body: { query: string; streams: readonly string[]; time_zone: string };
    response: QueryValidation;
  };
  'POST /search/facets': { body: FacetRequest; response: FacetResponse };
  'POST /search/fields/{field}/statistics': {
    body: Omit<FieldStatisticsRequest, 'interval'>;
    response: FieldStatistics;
  };
  'POST /search/histogram': { body: SearchHistogramRequest; response: SearchHistogram };
  'POST /search/match': { body: MatchRequest; response: MatchResponse };
  'GET /system/field_links': { response: FieldLinks };
  'PUT /system/field_links': { body: FieldLinks; response: FieldLinks };
  'POST /search/patterns': { body: Partial<PatternRequest>; response: PatternResponse };
  'GET /views/fields': { response: FieldTypeList };
  'GET /search/saved': { response: SavedSearchList };
  'POST /search/saved': { body: SavedSearchRequest; response: { search_id: string } };
  'DELETE /search/saved/{searchId}': { response: undefined };
  'GET /search/history': { response: SearchHistory };
  'POST /search/history': { body: UsedQueryRequest; response: undefined };
  'DELETE /search/history': { query: { query?: string }; response: undefined };
  'GET /search/saved/{searchId}': { response: SavedSearch };
  'PUT /search/saved/{searchId}': { body: SavedSearchRequest; response: SavedSearch };
  'GET /tools/natural_date_tester': { query: { string: string; timezone: string }; response: NaturalDate };
  'POST /messages/search/sql': { body: Partial<MessageSearchBody>; response: SqlExplanation };
  'POST /views/export': {
    query: { escape_formulas: boolean };
    body: ExportJobRequest;
    response: ExportJobCreated;
  };
  'GET /views/export/{jobId}': { response: ExportJob };
  'DELETE /views/export/{jobId}': { response: ExportJob };
  /** Read with `open`: the answer never ends. */
  'GET /search/tail': { query: Partial<SearchTailQuery>; response: never };
  'POST /search/tail/{tailId}/pause': { response: undefined };
  'POST /search/tail/{tailId}/resume': { response: undefined };
}
