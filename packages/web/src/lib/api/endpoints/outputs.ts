import type {
  Output,
  OutputChanges,
  OutputList,
  OutputPage,
  OutputRequest,
  OutputStateList,
  OutputStreams,
  OutputTypeView,
  PagingQuery,
} from '@millrace/contract';

export interface OutputEndpoints {
  'GET /streams/{streamId}/outputs': { response: OutputList };
  'POST /streams/{streamId}/outputs': { body: { outputs: string[] }; response: undefined };
  'DELETE /streams/{streamId}/outputs/{outputId}': { response: undefined };
  'GET /system/outputs/paginated': { query: Partial<PagingQuery>; response: OutputPage };
  'POST /system/outputs': { body: OutputRequest; response: Output };
  'GET /system/outputs/available': { response: { types: Record<string, OutputTypeView> } };
  'GET /system/outputs/states': { response: OutputStateList };
  'GET /system/outputs/streams': { response: OutputStreams };
  'GET /system/outputs/{outputId}': { response: Output };
  'PUT /system/outputs/{outputId}': { body: OutputChanges; response: Output };
  'DELETE /system/outputs/{outputId}': { response: undefined };
  'PUT /system/outputs/{outputId}/pause': { response: unknown };
  'PUT /system/outputs/{outputId}/resume': { response: unknown };
}
