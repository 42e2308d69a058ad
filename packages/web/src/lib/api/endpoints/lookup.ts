import type {
  LookupErrorStates,
  LookupErrorStatesRequest,
  LookupPartRequest,
  LookupPartView,
  LookupResultView,
  LookupTablePage,
  LookupTableRequest,
  LookupTableView,
  LookupTypes,
  PagingQuery,
} from '@millrace/contract';

type Page = Pick<LookupTablePage, 'total' | 'count' | 'page' | 'per_page'>;

export interface LookupEndpoints {
  'GET /system/lookup/tables': { query: PagingQuery & { resolve: boolean }; response: LookupTablePage };
  'POST /system/lookup/tables': { body: LookupTableRequest; response: LookupTableView };
  'GET /system/lookup/tables/{idOrName}': { response: LookupTablePage };
  'PUT /system/lookup/tables/{idOrName}': { body: LookupTableRequest; response: LookupTableView };
  'DELETE /system/lookup/tables/{idOrName}': { response: LookupTableView };
  'GET /system/lookup/tables/{idOrName}/query': { query: { key: string }; response: LookupResultView };
  'POST /system/lookup/tables/{idOrName}/purge': { response: undefined };
  'GET /system/lookup/adapters': {
    query: PagingQuery;
    response: Page & { data_adapters: LookupPartView[] };
  };
  'POST /system/lookup/adapters': { body: LookupPartRequest; response: LookupPartView };
  'GET /system/lookup/adapters/{idOrName}': { response: LookupPartView };
  'PUT /system/lookup/adapters/{idOrName}': { body: LookupPartRequest; response: LookupPartView };
  'DELETE /system/lookup/adapters/{idOrName}': { response: LookupPartView };
  'GET /system/lookup/adapters/{idOrName}/query': { query: { key: string }; response: LookupResultView };
  'GET /system/lookup/types/adapters': { response: LookupTypes };
  'GET /system/lookup/caches': { query: PagingQuery; response: Page & { caches: LookupPartView[] } };
  'POST /system/lookup/caches': { body: LookupPartRequest; response: LookupPartView };
  'GET /system/lookup/caches/{idOrName}': { response: LookupPartView };
  'PUT /system/lookup/caches/{idOrName}': { body: LookupPartRequest; response: LookupPartView };
  'DELETE /system/lookup/caches/{idOrName}': { response: LookupPartView };
  'GET /system/lookup/types/caches': { response: LookupTypes };
  'POST /system/lookup/errorstates': { body: LookupErrorStatesRequest; response: LookupErrorStates };
}
