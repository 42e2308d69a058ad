import { createFaultLedger, DEFAULT_STREAM_ID, FAILURE_STREAM_ID } from '#core/index.ts';
import {
  DEFAULT_PROCESSOR_ORDER,
  NO_PIPELINES,
  type ProcessingSnapshot,
  type RunningStream,
} from '#streams/index.ts';

const ledger = createFaultLedger();

export const TEST_DEFAULT_STREAM = { id: DEFAULT_STREAM_ID, indexSetId: 'default-set', outputIds: [] };
export const TEST_FAILURE_STREAM = { id: FAILURE_STREAM_ID, indexSetId: 'failure-set', outputIds: [] };

/** A running stream of the messages whose field `app` is the id of the stream. */
export function testStream(id: string, changes: Partial<RunningStream> = {}): RunningStream {
  return {
    id,
    matchingType: 'AND',
    removeMatchesFromDefault: false,
    indexSetId: `${id}-set`,
    outputIds: [],
    rules: [{ id: 'r', type: 1, field: 'app', value: id, inverted: false }],
    faultSlot: ledger.slotOf(id),
    ...changes,
  };
}

export function processingSnapshot(changes: Partial<ProcessingSnapshot> = {}): ProcessingSnapshot {
  const streams = changes.streams ?? [];
  return {
    version: 1,
    nodeId: 'node-1',
    streams,
    streamIds: [TEST_DEFAULT_STREAM.id, TEST_FAILURE_STREAM.id, ...streams.map(({ id }) => id)],
    defaultStream: TEST_DEFAULT_STREAM,
    failureStream: TEST_FAILURE_STREAM,
    inputs: [],
    extractors: [],
    messageProcessors: DEFAULT_PROCESSOR_ORDER,
    pipelines: NO_PIPELINES,
    streamTimeoutMs: 2000,
    maxFaults: 3,
    faults: ledger.memory,
    ...changes,
  };
}
