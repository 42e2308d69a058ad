import {
  type Clock,
  createFieldLayouts,
  type FieldLayouts,
  type RecordBatch,
  type RoutedBatch,
  type RoutingTarget,
} from '#core/index.ts';
import type { ProcessingSnapshot } from '#streams/index.ts';
import {
  compilePlan,
  createFaultCounter,
  createStreamRouter,
  createTimeGuard,
  type StreamFault,
} from '#streams/index.ts';
import type { Metrics } from '#telemetry/index.ts';
import { createStepRunner, type StepRunner } from './framework/index.ts';
import {
  createDecodeStep,
  createFrameDecoder,
  createInputFieldsStep,
  createMessageIds,
  createRouteStep,
  createStreamMeters,
} from './steps/index.ts';

/**
 * Processing of one journal partition, in its worker: frames in, messages with their destinations out.
 * Synchronous; a batch sees one snapshot from its first message to its last.
 */
export interface Processor {
  /** Compiles a newer snapshot; the next batch uses it. One that is not newer is ignored. */
  useSnapshot(snapshot: ProcessingSnapshot): void;
  /** Undefined until the first snapshot is there: without it nobody knows where a message belongs. */
  readonly version: number | undefined;
  /**
   * Decodes and routes. Everything that is needed of the records has been copied when it returns, so they
   * may be released. Throws when there is no snapshot yet.
   */
  process(records: RecordBatch): RoutedBatch;
}

export interface ProcessorDeps {
  readonly metrics: Metrics;
  /** For durations. */
  readonly monotonic: Clock;
  /** Called for every time limit that a stream exceeded, at once. */
  readonly faulted: (fault: StreamFault) => void;
  readonly layouts?: FieldLayouts;
}

export interface ProcessorConfig {
  /** A text that no other journal partition of the cluster has: the node's id and the partition's number. */
  readonly partition: string;
}

export function createProcessor(deps: ProcessorDeps, config: ProcessorConfig): Processor {
  const guard = createTimeGuard();
  const meters = createStreamMeters(deps.metrics);
  const decoder = createFrameDecoder({
    layouts: deps.layouts ?? createFieldLayouts(),
    metrics: deps.metrics,
    messageIds: createMessageIds(config.partition),
  });
  let current: { readonly version: number; readonly steps: StepRunner } | undefined;

  function compile(snapshot: ProcessingSnapshot): StepRunner {
    const faults = createFaultCounter(
      {
        memory: snapshot.faults,
        slots: new Map(snapshot.streams.map((stream) => [stream.id, stream.faultSlot])),
        maxFaults: snapshot.maxFaults,
      },
      (fault) => {
        meters.faulted(fault, snapshot.maxFaults);
        deps.faulted(fault);
      },
    );
    const timeoutMs = snapshot.streamTimeoutMs;
    const plan = compilePlan(snapshot.streams, { timeoutMs, nodeId: snapshot.nodeId });
    const router = createStreamRouter({ guard, monotonic: deps.monotonic, faults }, plan, {
      timeoutMs,
      defaultStream: snapshot.defaultStream,
    });
    meters.keepOnly(new Set(snapshot.streamIds));
    return createStepRunner(deps, [
      createDecodeStep(decoder, failureTarget(snapshot)),
      createInputFieldsStep(snapshot.inputs),
      createRouteStep(router, meters),
    ]);
  }

  return {
    get version() {
      return current?.version;
    },
    useSnapshot(snapshot) {
      if (current !== undefined && snapshot.version <= current.version) return;
      current = { version: snapshot.version, steps: compile(snapshot) };
    },
    process(records) {
      if (current === undefined) throw new Error('processing has no snapshot yet');
      const { messages, targets } = current.steps.run(records);
      const { firstOffset, endOffset } = records;
      return { firstOffset, endOffset, messages, targets: targets.map(requireTarget) };
    },
  };
}

function failureTarget({ failureStream }: ProcessingSnapshot): RoutingTarget {
  return Object.freeze({
    streamIds: Object.freeze([failureStream.id]),
    indexSetIds: Object.freeze([failureStream.indexSetId]),
  });
}

function requireTarget(target: RoutingTarget | undefined): RoutingTarget {
  if (target === undefined) throw new Error('a message was left without a destination');
  return target;
}
