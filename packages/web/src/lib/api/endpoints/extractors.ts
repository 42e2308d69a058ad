import type {
  ExportedExtractor,
  ExtractorImport,
  ExtractorList,
  ExtractorRequest,
  ExtractorsQuery,
  ExtractorTrialRequest,
  ExtractorTrialView,
  ExtractorTypes,
  ExtractorView,
} from '@millrace/contract';

interface Exported {
  extractors: ExportedExtractor[];
  version: string;
}

export interface ExtractorEndpoints {
  'GET /system/extractors/types': { response: ExtractorTypes };
  'GET /system/inputs/{inputId}/extractors': {
    query: Partial<ExtractorsQuery> | undefined;
    response: ExtractorList;
  };
  'GET /system/inputs/{inputId}/extractors/{extractorId}': { response: ExtractorView };
  'POST /system/inputs/{inputId}/extractors': { body: ExtractorRequest; response: { extractor_id: string } };
  'PUT /system/inputs/{inputId}/extractors/{extractorId}': {
    body: ExtractorRequest;
    response: ExtractorView;
  };
  'DELETE /system/inputs/{inputId}/extractors/{extractorId}': { response: undefined };
  'POST /system/inputs/{inputId}/extractors/order': {
    body: { order: Record<string, string> };
    response: undefined;
  };
  'POST /system/inputs/{inputId}/extractors/test': {
    body: ExtractorTrialRequest;
    response: ExtractorTrialView;
  };
  'GET /system/inputs/{inputId}/extractors/export': { response: Exported };
  'POST /system/inputs/{inputId}/extractors/import': {
    body: Pick<Exported, 'extractors'>;
    response: ExtractorImport;
  };
}
