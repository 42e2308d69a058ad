import type { CreateStreamRequest, Stream, StreamList } from '@millrace/contract';

export interface StreamEndpoints {
  'GET /streams': { response: StreamList };
  'POST /streams': { body: CreateStreamRequest; response: { stream_id: string } };
  'GET /streams/{streamId}': { response: Stream };
  'DELETE /streams/{streamId}': { response: undefined };
  'POST /streams/{streamId}/pause': { response: undefined };
  'POST /streams/{streamId}/resume': { response: undefined };
}
