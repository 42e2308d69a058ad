import { CODECS } from '#codecs/index.ts';
import { createFaultLedger, monotonicClock } from '#core/index.ts';
import { NO_PIPELINES, type RuleFault, type RunningStream } from '#streams/index.ts';
import { createMetrics } from '#telemetry/index.ts';
import { createProcessor, type MessageProcessor } from '../processing/processor.ts';
import { ManualClock } from './manual-clock.ts';
import { processingSnapshot, TEST_DEFAULT_STREAM, testStream } from './processing-snapshot.ts';
import { type FixtureRecord, recordBatch } from './record-batch.ts';

export const ALL = TEST_DEFAULT_STREAM.id;

/** Pipelines over messages, with real parts. */
export interface Setup {
  /** Rules by name: what is between `when` and `end`. */
  readonly rules: Readonly<Record<string, string>>;
  /** Pipelines by id: their stages. */
  readonly pipelines: Readonly<Record<string, string>>;
  /** Pipelines of streams; the default stream has all of them if this is left out. */
  readonly connections?: Readonly<Record<string, readonly string[]>>;
  /** blog, mail and shop if this is left out. */
  readonly streams?: readonly RunningStream[];
  readonly order?: readonly string[];
  readonly timeoutMs?: number;
  readonly maxFaults?: number;
}

/** Only if the order names it: gives messages a time that is none. */
export const BREAK: MessageProcessor = {
  id: 'break',
  createStep: ({ messageProcessors }) =>
    function breakTime({ messages }) {
      if (!messageProcessors.order.includes(BREAK.id)) return;
      for (const message of messages) message.timestamp = Number.NaN;
    },
};

export function processing(setup: Setup) {
  const ledger = createFaultLedger();
  const faults: RuleFault[] = [];
  const metrics = createMetrics({ clock: new ManualClock() });
  const processor = createProcessor(
    {
      metrics,
      monotonic: monotonicClock,
      codecs: CODECS,
      faulted: () => {},
      ruleFaulted: (fault) => faults.push(fault),
      messageProcessors: [BREAK],
    },
    { partition: 'node-1/0' },
  );
  const connections = setup.connections ?? { [ALL]: Object.keys(setup.pipelines) };
  processor.useSnapshot(
    processingSnapshot({
      streams: setup.streams ?? ['blog', 'mail', 'shop'].map((id) => testStream(id)),
      faults: ledger.memory,
      streamTimeoutMs: setup.timeoutMs ?? 5000,
      maxFaults: setup.maxFaults ?? 3,
      ...(setup.order && { messageProcessors: { order: setup.order, disabled: [] } }),
      pipelines: {
        ...NO_PIPELINES,
        rules: Object.entries(setup.rules).map(([name, text]) => ({
          id: `id of ${name}`,
          name,
          source: `rule "${name}" when ${text} end`,
          faultSlot: ledger.slotOf(name),
        })),
        pipelines: Object.entries(setup.pipelines).map(([id, stages]) => ({
          id,
          name: id,
          source: `pipeline "${id}" ${stages} end`,
        })),
        connections: Object.entries(connections).map(([streamId, pipelineIds]) => ({
          streamId,
          pipelineIds,
        })),
      },
    }),
  );
  return { processor, faults, metrics };
}

export const app = (name: string, fields: object = {}): FixtureRecord => ({
  frame: { version: '1.1', host: 'web-1', short_message: 'text', _app: name, ...fields },
});

/** The field `trail` of the messages: which rules ran, in their order. */
export function trails(setup: Setup, records: readonly FixtureRecord[] = [app('none')]) {
  const { messages } = processing(setup).processor.process(recordBatch(records));
  return messages.map((message) => message.getField('trail'));
}

/** A rule that leaves its name in the field `trail`. */
export const mark = (name: string, condition = 'true', more = '') =>
  `${condition} then set_field("trail", concat(to_string($message.trail), "${name}")); ${more}`;
