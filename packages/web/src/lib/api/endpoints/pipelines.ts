import type {
  GrokImportStrategy,
  GrokPatternPage,
  GrokPatternRequest,
  GrokPatternView,
  PagingQuery,
  PipelineConnectionView,
  PipelineFunctionView,
  PipelinePage,
  PipelinePreviewRequest,
  PipelinePreviewView,
  PipelineRulePage,
  PipelineRuleView,
  PipelineView,
  SimulateRequest,
  SimulationView,
} from '@millrace/contract';

/** What is sent to store a rule or a pipeline. */
interface SourceBody {
  source: string;
  description: string;
  revision?: string | null | undefined;
}

export interface PipelineEndpoints {
  'POST /system/pipelines/rule/multiple': { body: { rules: string[] }; response: PipelineRuleView[] };
  'GET /system/pipelines/rule/paginated': { query: PagingQuery; response: PipelineRulePage };
  'GET /system/pipelines/rule/functions': { response: PipelineFunctionView[] };
  'GET /system/pipelines/rule/{ruleId}': { response: PipelineRuleView };
  'POST /system/pipelines/rule/parse': { body: SourceBody; response: PipelineRuleView };
  'POST /system/pipelines/rule': { body: SourceBody; response: PipelineRuleView };
  'PUT /system/pipelines/rule/{ruleId}': { body: SourceBody; response: PipelineRuleView };
  'DELETE /system/pipelines/rule/{ruleId}': { response: undefined };
  'GET /system/pipelines/pipeline/paginated': { query: PagingQuery; response: PipelinePage };
  'GET /system/pipelines/pipeline/{pipelineId}': { response: PipelineView };
  'POST /system/pipelines/pipeline': { body: SourceBody; response: PipelineView };
  'PUT /system/pipelines/pipeline/{pipelineId}': { body: SourceBody; response: PipelineView };
  'DELETE /system/pipelines/pipeline/{pipelineId}': { response: undefined };
  'GET /system/pipelines/connections': { response: PipelineConnectionView[] };
  'POST /system/pipelines/connections/to_pipeline': {
    body: { pipeline_id: string; stream_ids: string[] };
    response: PipelineConnectionView[];
  };
  'POST /system/pipelines/simulate': { body: Partial<SimulateRequest>; response: SimulationView };
  'POST /system/pipelines/preview': { body: Partial<PipelinePreviewRequest>; response: PipelinePreviewView };
  'GET /system/grok/paginated': { query: PagingQuery; response: GrokPatternPage };
  'POST /system/grok': { body: GrokPatternRequest; response: GrokPatternView };
  'PUT /system/grok': {
    query: { 'import-strategy': GrokImportStrategy };
    body: { patterns: GrokPatternRequest[] };
    response: undefined;
  };
  'GET /system/grok/{patternId}': { response: GrokPatternView };
  'PUT /system/grok/{patternId}': { body: GrokPatternRequest; response: GrokPatternView };
  'DELETE /system/grok/{patternId}': { response: undefined };
  'POST /system/grok/test': {
    body: { grok_pattern: GrokPatternRequest; sample_data: string };
    response: Record<string, unknown>;
  };
}
