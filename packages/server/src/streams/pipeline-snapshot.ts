/** Pipelines and their rules, as workers get them. Only what can run: rules that are valid and not disabled. */
export interface PipelineSettings {
  readonly rules: readonly SnapshotRule[];
  readonly pipelines: readonly SnapshotPipeline[];
  /** Which pipelines messages of a stream pass. */
  readonly connections: readonly { readonly streamId: string; readonly pipelineIds: readonly string[] }[];
  /** Names and patterns; the stock ones if it is left out. */
  readonly grokPatterns?: readonly (readonly [name: string, pattern: string])[];
  /** Names of the default stream, of streams that run, and of inputs, for rules that name them. */
  readonly streamNames: readonly (readonly [id: string, name: string])[];
  readonly inputNames: readonly (readonly [id: string, name: string])[];
}

export interface SnapshotRule {
  readonly id: string;
  /** By which pipelines refer to it. */
  readonly name: string;
  readonly source: string;
  /** Its place in the memory of faults. */
  readonly faultSlot: number;
}

/** A rule of a pipeline took too long. */
export interface RuleFault {
  readonly ruleId: string;
  /** Faults of the rule on this node, including this one. */
  readonly count: number;
}

export interface SnapshotPipeline {
  readonly id: string;
  readonly name: string;
  readonly source: string;
}

export const NO_PIPELINES: PipelineSettings = {
  rules: [],
  pipelines: [],
  connections: [],
  streamNames: [],
  inputNames: [],
};
