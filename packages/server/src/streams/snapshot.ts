import type { RawConfiguration } from '#core/index.ts';
import type { SnapshotExtractor } from './extractor-snapshot.ts';
import type { PipelineSettings } from './pipeline-snapshot.ts';
import type { RoutableStream, StreamDefinition } from './rules/rule.ts';

/**
 * Everything workers need to process messages, as plain data. The main thread builds it whenever something changes and
 * posts it to every worker, which compiles it. A higher version replaces a lower one.
 */
export interface ProcessingSnapshot {
  readonly version: number;
  readonly nodeId: string;
  /** The streams that route: only running ones. */
  readonly streams: readonly RunningStream[];
  /** Ids of all streams, including those that do not route. */
  readonly streamIds: readonly string[];
  /** Where every message starts. */
  readonly defaultStream: RoutableStream;
  /** Where failures go. */
  readonly failureStream: RoutableStream;
  readonly inputs: readonly SnapshotInput[];
  /** Those that run, in the order in which they run. */
  readonly extractors: readonly SnapshotExtractor[];
  readonly messageProcessors: MessageProcessorOrder;
  readonly pipelines: PipelineSettings;
  readonly streamTimeoutMs: number;
  readonly maxFaults: number;
  /** The memory of the fault ledger, shared by all workers. */
  readonly faults: SharedArrayBuffer;
}

export interface RunningStream extends StreamDefinition {
  /** Its place in `faults`. */
  readonly faultSlot: number;
}

export interface SnapshotInput {
  readonly id: string;
  readonly staticFields: Readonly<Record<string, string>>;
  readonly overrideSource: string | undefined;
  /** As stored; codecs have their settings in it. */
  readonly configuration: RawConfiguration;
}

/**
 * Which message processors run, by id and in this order. Ids that a worker does not know are ignored, and processors
 * that are not named run after those that are.
 */
export interface MessageProcessorOrder {
  readonly order: readonly string[];
  readonly disabled: readonly string[];
}

/** The id of the processor that matches messages against stream rules. */
export const STREAM_RULES_PROCESSOR = 'stream_rules';

/** The id of the processor that runs pipelines. */
export const PIPELINES_PROCESSOR = 'pipelines';

export const DEFAULT_PROCESSOR_ORDER: MessageProcessorOrder = {
  order: [STREAM_RULES_PROCESSOR, PIPELINES_PROCESSOR],
  disabled: [],
};
