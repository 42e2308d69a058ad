import type {
  IndexerOverview,
  IndexSetChanges,
  IndexSetList,
  IndexSetOutlook,
  IndexSetOutlooks,
  IndexSetStats,
  IndexSetsQuery,
  IndexSetView,
  NewIndexSetRequest,
  OutlookRequest,
  StrategyView,
} from '@millrace/contract';

interface Strategies {
  readonly total: number;
  readonly strategies: readonly StrategyView[];
}

export interface IndexSetEndpoints {
  'GET /system/indices/index_sets': { query: Partial<IndexSetsQuery> | undefined; response: IndexSetList };
  'POST /system/indices/index_sets': {
    body: Pick<NewIndexSetRequest, 'title' | 'index_prefix'> & Partial<NewIndexSetRequest>;
    response: IndexSetView;
  };
  'GET /system/indices/index_sets/outlook': { query: { ids: string }; response: IndexSetOutlooks };
  'POST /system/indices/index_sets/outlook': { body: Partial<OutlookRequest>; response: IndexSetOutlook };
  'GET /system/indices/index_sets/{indexSetId}/stats': { response: IndexSetStats };
  'GET /system/indices/index_sets/{indexSetId}': { response: IndexSetView };
  'PUT /system/indices/index_sets/{indexSetId}': { body: IndexSetChanges; response: IndexSetView };
  'DELETE /system/indices/index_sets/{indexSetId}': { response: undefined };
  'PUT /system/indices/index_sets/{indexSetId}/default': { response: IndexSetView };
  'POST /system/indices/index_sets/{indexSetId}/outlook': {
    body: Partial<OutlookRequest>;
    response: IndexSetOutlook;
  };
  'GET /system/indexer/overview/{indexSetId}': {
    query: { skip: number; limit: number };
    response: IndexerOverview;
  };
  'POST /cluster/deflector/{indexSetId}/cycle': { response: undefined };
  'POST /system/indexer/indices/{index}/close': { response: undefined };
  'POST /system/indexer/indices/{index}/reopen': { response: undefined };
  'DELETE /system/indexer/indices/{index}': { response: undefined };
  'GET /system/indices/rotation/strategies': { response: Strategies };
  'GET /system/indices/retention/strategies': { response: Strategies };
}
