import { CODECS } from '#codecs/index.ts';
import { createFaultLedger, type Message, monotonicClock } from '#core/index.ts';
import type { ExtractorFault, SnapshotExtractor } from '#streams/index.ts';
import { createMetrics } from '#telemetry/index.ts';
import { createProcessor } from '../processing/processor.ts';
import type { RuleLookups } from '../processing/rules/index.ts';
import { ManualClock } from './manual-clock.ts';
import { FIXTURE_SOURCE } from './message-fixture.ts';
import { processingSnapshot } from './processing-snapshot.ts';
import { recordBatch } from './record-batch.ts';

/** An extractor in few words. */
export interface ExtractorSketch {
  readonly type?: string;
  readonly title?: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly source?: string;
  readonly target?: string;
  readonly cut?: boolean;
  readonly condition?: readonly [SnapshotExtractor['conditionType'], string];
  readonly converters?: SnapshotExtractor['converters'];
  readonly inputId?: string;
}

const ledger = createFaultLedger();

export function sketched(sketch: ExtractorSketch, id = 'x1'): SnapshotExtractor {
  return {
    id,
    inputId: sketch.inputId ?? FIXTURE_SOURCE.inputId,
    title: sketch.title ?? 'X',
    type: sketch.type ?? 'copy_input',
    cursorStrategy: sketch.cut === true ? 'cut' : 'copy',
    sourceField: sketch.source ?? 'message',
    targetField: sketch.target ?? 'out',
    configuration: sketch.config ?? {},
    converters: sketch.converters ?? [],
    conditionType: sketch.condition?.[0] ?? 'none',
    conditionValue: sketch.condition?.[1] ?? '',
    faultSlot: ledger.slotOf(id),
  };
}

export interface ExtractorSetup {
  readonly timeoutMs?: number;
  readonly maxFaults?: number;
  readonly staticFields?: Readonly<Record<string, string>>;
  readonly overrideSource?: string;
  readonly lookups?: RuleLookups;
}

/** Extractors over messages, with real parts. */
export function extractorProcessing(sketches: readonly ExtractorSketch[], setup: ExtractorSetup = {}) {
  const faults: ExtractorFault[] = [];
  const own = createFaultLedger();
  const metrics = createMetrics({ clock: new ManualClock() });
  const processor = createProcessor(
    {
      metrics,
      monotonic: monotonicClock,
      codecs: CODECS,
      faulted: () => {},
      ...(setup.lookups && { lookups: setup.lookups }),
      extractorFaulted: (fault) => faults.push(fault),
    },
    { partition: 'node-1/0' },
  );
  const snapshot = processingSnapshot({
    inputs: [
      {
        id: FIXTURE_SOURCE.inputId,
        staticFields: setup.staticFields ?? {},
        overrideSource: setup.overrideSource,
        configuration: {},
      },
    ],
    extractors: sketches.map((sketch, index) => {
      const id = `x${index + 1}`;
      return { ...sketched(sketch, id), faultSlot: own.slotOf(id) };
    }),
    faults: own.memory,
    streamTimeoutMs: setup.timeoutMs ?? 60_000,
    maxFaults: setup.maxFaults ?? 3,
  });
  processor.useSnapshot(snapshot);
  return {
    processor,
    metrics,
    faults,
    snapshot,
    /** Fields of a message each; what GELF does not call by another name is an additional field. */
    process: (messages: readonly Readonly<Record<string, unknown>>[]): readonly Message[] =>
      processor.process(recordBatch(messages.map((fields) => ({ frame: frameOf(fields) })))).messages,
  };
}

/** What extractors make of one message. */
export function extract(
  sketches: readonly ExtractorSketch[],
  fields: Readonly<Record<string, unknown>>,
  setup: ExtractorSetup = {},
): Message {
  const [message] = extractorProcessing(sketches, setup).process([fields]);
  if (message === undefined) throw new Error('there is no message');
  return message;
}

function frameOf(fields: Readonly<Record<string, unknown>>): object {
  const { message = 'text', source = 'web-1', level, full_message, ...others } = fields;
  return {
    version: '1.1',
    host: source,
    short_message: message,
    ...(level !== undefined && { level }),
    ...(full_message !== undefined && { full_message }),
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [`_${name}`, value])),
  };
}
