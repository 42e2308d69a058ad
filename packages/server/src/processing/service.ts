/** Pipelines and extractors on the main thread: how people manage them. */
import type { ExtractorTypes } from '@millrace/contract';
import type { ProcessingSnapshot } from '#streams/index.ts';
import type { Notifications } from '#system/service.ts';
import { createExtractorTools, type ExtractorTools } from './management/extractor-tools.ts';
import { extractorTypesView } from './management/extractor-views.ts';
import { createExtractors, type Extractors, type ExtractorsDeps } from './management/extractors.ts';
import { createGrokPatterns, type GrokPatterns } from './management/grok-patterns.ts';
import { createGrokThreads } from './management/grok-threads.ts';
import {
  createPipelineConnections,
  createPipelineRules,
  createPipelines,
  type PipelineConnections,
  type PipelinesDeps,
} from './management/pipelines.ts';
import {
  createPipelinePreview,
  type PipelinePreview,
  type PipelinePreviewDeps,
} from './management/preview.ts';
import { createProcessorOrder, type ProcessorOrder } from './management/processor-order.ts';
import {
  createPipelineSimulator,
  type PipelineSimulator,
  type SimulatorDeps,
} from './management/simulate.ts';
import { FUNCTIONS, grokPatternsOf } from './rules/index.ts';

export type { TestedPiece, TestResult } from './management/extractor-tests.ts';
export type { ExtractorTools } from './management/extractor-tools.ts';
export type { Extractors } from './management/extractors.ts';
export { createStockGrokPatterns, type GrokPatterns } from './management/grok-patterns.ts';
export type { PipelineConnections, PipelineSources } from './management/pipelines.ts';
export type { PipelinePreview } from './management/preview.ts';
export type { ProcessorOrder } from './management/processor-order.ts';
export type {
  FoundForSimulation,
  OpenSimulation,
  PipelineSimulator,
  Simulations,
} from './management/simulate.ts';
export { PipelineSourceError } from './management/sources.ts';

export interface PipelinesService {
  readonly rules: ReturnType<typeof createPipelineRules>;
  readonly pipelines: ReturnType<typeof createPipelines>;
  readonly connections: PipelineConnections;
  readonly processors: ProcessorOrder;
  readonly simulator: PipelineSimulator;
  readonly preview: PipelinePreview;
  readonly grokPatterns: GrokPatterns;
}

export interface PipelinesServiceDeps
  extends Omit<PipelinesDeps, 'ruleEnabled'>,
    SimulatorDeps,
    PipelinePreviewDeps {
  readonly notifications: Pick<Notifications, 'fix'>;
}

export function createPipelinesService({ notifications, ...deps }: PipelinesServiceDeps): PipelinesService {
  const all = { ...deps, ruleEnabled: (id: string) => notifications.fix('pipeline_rule_disabled', id) };
  return {
    rules: createPipelineRules(all),
    pipelines: createPipelines(all),
    connections: createPipelineConnections(all),
    processors: createProcessorOrder(deps),
    simulator: createPipelineSimulator(deps),
    preview: createPipelinePreview(deps),
    grokPatterns: createGrokPatterns({ ...deps, grokThreads: createGrokThreads() }),
  };
}

/** All functions of the rule language, as the API shows them, sorted by name. */
export function functionViews() {
  return [...FUNCTIONS.values()]
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, description, params, returns, isPure }) => ({
      name,
      description,
      pure: isPure,
      return_type: returns,
      params: params.map((each) => ({
        name: each.name,
        type: each.type,
        transformed_type: each.type,
        optional: each.isOptional,
        description: each.description,
      })),
    }));
}

export interface ExtractorsService {
  readonly extractors: Extractors;
  readonly tools: ExtractorTools;
  /** All that can be created. */
  readonly types: ExtractorTypes;
  /** The version that exports name. */
  readonly version: string;
}

export interface ExtractorsServiceDeps extends Omit<ExtractorsDeps, 'enabled' | 'grokPatterns' | 'tools'> {
  readonly notifications: Pick<Notifications, 'fix'>;
  /** What the workers have now. */
  readonly snapshot: () => Pick<ProcessingSnapshot, 'pipelines'> | undefined;
}

export interface ExtractorsServiceSettings {
  /** `stream_processing_timeout` */
  readonly timeoutMs: number;
  readonly version: string;
}

export function createExtractorsService(
  { notifications, snapshot, ...deps }: ExtractorsServiceDeps,
  { timeoutMs, version }: ExtractorsServiceSettings,
): ExtractorsService {
  const grokPatterns = () => grokPatternsOf(snapshot()?.pipelines.grokPatterns);
  const tools = createExtractorTools({ grokPatterns }, { timeoutMs });
  return {
    extractors: createExtractors({
      ...deps,
      grokPatterns,
      tools,
      enabled: (id) => notifications.fix('extractor_disabled', id),
    }),
    tools,
    types: extractorTypesView(),
    version,
  };
}
