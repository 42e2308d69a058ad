import type {
  BulkResult,
  CloneStreamRequest,
  CreateStreamRequest,
  MessageResultView,
  MetricsSummary,
  ParseMessageRequest,
  ReplaceRulesRequest,
  Stream,
  StreamList,
  StreamPage,
  StreamPageQuery,
  StreamPreviewRequest,
  StreamPreviewView,
  StreamRuleTypeView,
  SuggestResponse,
  UpdateStreamRequest,
  ViewSearchResult,
} from '@millrace/contract';

export interface StreamEndpoints {
  'GET /streams': { response: StreamList };
  'GET /streams/paginated': { query: Partial<StreamPageQuery>; response: StreamPage };
  'POST /streams': { body: CreateStreamRequest; response: { stream_id: string } };
  'POST /streams/preview': {
    body: Pick<StreamPreviewRequest, 'rules'> & Partial<StreamPreviewRequest>;
    response: StreamPreviewView;
  };
  'GET /streams/{streamId}': { response: Stream };
  'PUT /streams/{streamId}': { body: UpdateStreamRequest; response: Stream };
  'DELETE /streams/{streamId}': { response: undefined };
  'POST /streams/{streamId}/clone': { body: CloneStreamRequest; response: { stream_id: string } };
  'POST /streams/{streamId}/pause': { response: undefined };
  'POST /streams/{streamId}/resume': { response: undefined };
  'GET /streams/{streamId}/rules/types': { response: StreamRuleTypeView[] };
  'PUT /streams/{streamId}/rules': { body: ReplaceRulesRequest; response: Stream };
  'POST /streams/bulk_delete': { body: { entity_ids: string[] }; response: BulkResult };
  'POST /streams/bulk_pause': { body: { entity_ids: string[] }; response: BulkResult };
  'POST /streams/bulk_resume': { body: { entity_ids: string[] }; response: BulkResult };
  'POST /search/suggest': {
    body: { field: string; input: string; timerange?: { type: 'relative'; range: number }; size?: number };
    response: SuggestResponse;
  };
  'POST /views/search/sync': { body: object; response: ViewSearchResult };
  'POST /messages/parse': { body: ParseMessageRequest; response: MessageResultView };
  'POST /cluster/metrics/multiple': {
    body: { metrics: string[] };
    response: Record<string, MetricsSummary | null>;
  };
}
