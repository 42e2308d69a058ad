import type { Codec } from '#codecs/index.ts';
import {
  type Clock,
  type ComponentRegistry,
  createFaultCounter,
  createFieldLayouts,
  createTimeGuard,
  type DroppedFields,
  type FaultCounter,
  type FieldLayouts,
  type RecordBatch,
  type RoutedBatch,
  systemClock,
} from '#core/index.ts';
import {
  compilePlan,
  createRoutingTargets,
  createStreamFaultCounter,
  createStreamRouter,
  type ExtractorFault,
  PIPELINES_PROCESSOR,
  type ProcessingSnapshot,
  type RoutingTargets,
  type RuleFault,
  STREAM_RULES_PROCESSOR,
  type StreamFault,
} from '#streams/index.ts';
import type { Metrics } from '#telemetry/index.ts';
import { createExtractorSteps } from './extractors/index.ts';
import { createStepRunner, inConfiguredOrder, type Step, type StepRunner } from './framework/index.ts';
import { createPipelineStep } from './pipelines/index.ts';
import type { RuleLookups } from './rules/index.ts';
import {
  createDecodeStep,
  createFrameDecoder,
  createInputFieldsStep,
  createMessageIds,
  createRouteStep,
  createSourceStep,
  createStreamMeters,
} from './steps/index.ts';

/**
 * Processing of one journal partition, in its worker: records in, messages with their targets out. Synchronous; a
 * batch sees one snapshot from its first message to its last.
 *
 * First frames are decoded, then the extractors of their inputs run and inputs add their fields. Then the message
 * processors run, in the order of the snapshot; matching stream rules is one of them.
 */
export interface Processor {
  /** Compiles a newer snapshot; the next batch uses it. One that is not newer is ignored. */
  useSnapshot(snapshot: ProcessingSnapshot): void;
  /** Undefined until the first snapshot arrives: before that nobody knows where a message belongs. */
  readonly version: number | undefined;
  /**
   * Has copied everything it needs from the records when it returns, so they may be released; see `leaveInFrames`. Throws when
   * there is no snapshot yet.
   */
  process(records: RecordBatch): RoutedBatch;
}

/** A part of processing whose place among the others users choose. */
export interface MessageProcessor {
  readonly id: string;
  /** Called for every snapshot. */
  createStep(snapshot: ProcessingSnapshot): Step;
}

export interface ProcessorDeps {
  readonly metrics: Metrics;
  /** For durations. */
  readonly monotonic: Clock;
  /** Every codec that records may name. */
  readonly codecs: ComponentRegistry<Codec>;
  /** Called at once, each time a stream exceeds its time limit. */
  readonly faulted: (fault: StreamFault) => void;
  /** Called at once, each time a rule of a pipeline exceeds the time limit. */
  readonly ruleFaulted?: (fault: RuleFault) => void;
  /** Called at once, each time an extractor exceeds the time limit. */
  readonly extractorFaulted?: (fault: ExtractorFault) => void;
  /** Told about fields that decoders drop. */
  readonly fieldsDropped?: DroppedFields['add'];
  /** For the time that rules see; the system's if it is left out. */
  readonly clock?: Clock;
  /** What rules write to the log. */
  readonly debug?: (text: string) => void;
  /** Without it there are no lookup tables. */
  readonly lookups?: RuleLookups;
  readonly layouts?: FieldLayouts;
  /** Beside the one for stream rules. */
  readonly messageProcessors?: readonly MessageProcessor[];
}

export interface ProcessorSettings {
  /** A text that no other journal partition of the cluster has: the node's id and the partition's number. */
  readonly partition: string;
  /**
   * Messages may stay in their frames until somebody reads them (`core/message-frames.ts`). Whoever keeps a message until the
   * next call of `process` detaches it.
   */
  readonly leaveInFrames?: boolean;
}

interface Compiled {
  readonly version: number;
  readonly targets: RoutingTargets;
  readonly steps: StepRunner;
}

export function createProcessor(deps: ProcessorDeps, settings: ProcessorSettings): Processor {
  const { metrics, monotonic, codecs, lookups, layouts = createFieldLayouts() } = deps;
  const { clock = systemClock, debug = () => {}, fieldsDropped } = deps;
  const guard = createTimeGuard();
  const meters = createStreamMeters(metrics);
  const messageIds = createMessageIds(settings.partition);
  const counters = new Set<string>();
  const { leaveInFrames } = settings;
  const decoder = createFrameDecoder({ codecs, layouts, metrics, messageIds, fieldsDropped, leaveInFrames });
  const extractors = createExtractorSteps({ guard, monotonic, metrics, debug, lookups });
  let current: Compiled | undefined;

  function faultCounter(snapshot: ProcessingSnapshot): FaultCounter {
    const { faults, maxFaults, streams } = snapshot;
    const slots = new Map(streams.map((stream) => [stream.id, stream.faultSlot]));
    return createStreamFaultCounter({ memory: faults, slots, maxFaults }, (fault) => {
      meters.faulted(fault, maxFaults);
      deps.faulted(fault);
    });
  }

  const pipelines: MessageProcessor = {
    id: PIPELINES_PROCESSOR,
    createStep(snapshot) {
      const faults = ruleFaults(deps, snapshot);
      return createPipelineStep(
        { guard, monotonic, clock, metrics, faults, debug, lookups, counters },
        snapshot,
      );
    },
  };

  function compile(snapshot: ProcessingSnapshot): Compiled {
    const timeoutMs = snapshot.streamTimeoutMs;
    const plan = compilePlan(snapshot.streams, { timeoutMs, nodeId: snapshot.nodeId });
    const targets = createRoutingTargets(
      plan.streams.map(({ definition }) => definition),
      snapshot,
    );
    const streamRules: MessageProcessor = {
      id: STREAM_RULES_PROCESSOR,
      createStep: () =>
        createRouteStep(
          createStreamRouter({ guard, monotonic, faults: faultCounter(snapshot), targets }, plan, {
            timeoutMs,
          }),
        ),
    };
    const processors = inConfiguredOrder(
      [streamRules, pipelines, ...(deps.messageProcessors ?? [])],
      snapshot.messageProcessors,
    );
    meters.keepOnly(new Set(snapshot.streamIds));
    const configurations = new Map(snapshot.inputs.map(({ id, configuration }) => [id, configuration]));
    const steps = createStepRunner({ metrics, monotonic }, { targets, layouts, messageIds }, [
      createDecodeStep(decoder, configurations),
      createSourceStep(snapshot.inputs),
      extractors.create(snapshot, extractorFaults(deps, snapshot)),
      createInputFieldsStep(snapshot.inputs),
      ...processors.map((processor) => processor.createStep(snapshot)),
    ]);
    return { version: snapshot.version, targets, steps };
  }

  return {
    get version() {
      return current?.version;
    },
    useSnapshot(snapshot) {
      if (current === undefined || snapshot.version > current.version) current = compile(snapshot);
    },
    process(records) {
      if (current === undefined) throw new Error('processing has no snapshot yet');
      const { targets, steps } = current;
      const routed = steps.run(records).finish((target) => targets.count(target));
      targets.takeCounts((streamId, messages) => meters.mark(streamId, messages));
      return routed;
    },
  };
}

function ruleFaults(
  { ruleFaulted }: ProcessorDeps,
  { pipelines, faults, maxFaults }: ProcessingSnapshot,
): FaultCounter {
  const slots = new Map(pipelines.rules.map(({ id, faultSlot }) => [id, faultSlot]));
  return createFaultCounter({ memory: faults, slots, maxFaults }, (ruleId, count) =>
    ruleFaulted?.({ ruleId, count }),
  );
}

function extractorFaults(
  { extractorFaulted }: ProcessorDeps,
  { extractors, faults, maxFaults }: ProcessingSnapshot,
): FaultCounter {
  const slots = new Map(extractors.map(({ id, faultSlot }) => [id, faultSlot]));
  return createFaultCounter({ memory: faults, slots, maxFaults }, (extractorId, count) =>
    extractorFaulted?.({ extractorId, count }),
  );
}
