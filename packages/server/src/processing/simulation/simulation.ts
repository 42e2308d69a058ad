/** Runs pipelines over messages without storing anything: the same step that runs in the workers. */
import {
  createFaultCounter,
  createFaultLedger,
  createFieldLayouts,
  createTimeGuard,
  type FieldValue,
  type Message,
  monotonicClock,
  type RecordBatch,
  systemClock,
} from '#core/index.ts';
import { createRoutingTargets, type ProcessingSnapshot, type RoutingTargets } from '#streams/index.ts';
import { createMetrics } from '#telemetry/index.ts';
import { ProcessingBatch } from '../framework/index.ts';
import { createPipelineStep } from '../pipelines/index.ts';
import type { RuleLookups } from '../rules/index.ts';
import { createMessageIds } from '../steps/index.ts';
import { type AnswerLimits, AnswerRoom } from './answer-room.ts';
import {
  changesOf,
  type FieldChange,
  fieldsOf,
  messageOf,
  type SimulatedMessage,
  simulatedMessage,
} from './simulated-message.ts';
import { type MessageTrace, RuleTracer, type TraceSettings } from './trace.ts';

/** Plain data. */
export interface SimulationSettings extends TraceSettings {
  /** Its `pipelines` are those that run. */
  readonly snapshot: ProcessingSnapshot;
  readonly limits: AnswerLimits;
  /** Whether lookup tables of other servers are asked; yes if it is left out. */
  readonly asksServers?: boolean;
}

/** What would become of one message. */
export interface SimulatedOutcome {
  readonly isDropped: boolean;
  /**
   * The message itself unless it is dropped, then those that rules made of it and did not drop: as many as there is room
   * for. Without details the message itself is without its fields.
   */
  readonly messages: readonly SimulatedMessage[];
  /** How many there are. */
  readonly messageCount: number;
  /** Of the fields of the message itself. */
  readonly changes: readonly FieldChange[];
  readonly trace: MessageTrace;
}

export interface SimulationAnswer {
  /** In the order of the messages. Long texts are cut, and what an answer has no room for is left out. */
  readonly outcomes: readonly SimulatedOutcome[];
  /** Names of the rules that took too long too often, since the simulation began. */
  readonly disabledRules: readonly string[];
  /** Names of the lookup tables that rules wanted to ask and that were not asked, since the simulation began. */
  readonly tablesLeftOut: readonly string[];
  /** Microseconds. */
  readonly took: number;
}

export interface Simulation {
  run(messages: readonly SimulatedMessage[]): SimulationAnswer;
}

/** Faults count for this simulation alone. */
export function createSimulation(
  { snapshot, limits, ...settings }: SimulationSettings,
  lookups?: RuleLookups & { readonly leftOut: ReadonlySet<string> },
): Simulation {
  const { rules } = snapshot.pipelines;
  const ledger = createFaultLedger();
  const slots = new Map(rules.map(({ id }) => [id, ledger.slotOf(id)]));
  const { maxFaults } = snapshot;
  const faults = createFaultCounter({ memory: ledger.memory, slots, maxFaults }, () => {});
  const tracer = new RuleTracer(monotonicClock, settings);
  const step = createPipelineStep(
    {
      guard: createTimeGuard(),
      monotonic: monotonicClock,
      clock: systemClock,
      metrics: createMetrics({ clock: systemClock }),
      faults,
      debug: (text) => tracer.debug(text),
      lookups,
      watch: tracer,
      counters: new Set(),
    },
    snapshot,
  );
  const layouts = createFieldLayouts();
  const messageIds = createMessageIds('simulation');

  function outcomeOf(
    batch: ProcessingBatch,
    given: SimulatedMessage,
    at: Place,
    room: AnswerRoom,
  ): SimulatedOutcome {
    const before = fieldsOf(messageOf(given, layouts));
    const message = batch.messages[at.index];
    const kept = at.all.filter((index) => !batch.isDropped(index));
    return {
      isDropped: batch.isDropped(at.index),
      messages: room.messages(
        kept.values().flatMap((index) => {
          if (index !== at.index) return outgoing(batch, index);
          return outgoing(batch, index, { id: given.id, ...(!settings.isDetailed && { fields: NO_FIELDS }) });
        }),
      ),
      messageCount: kept.length,
      changes: room.changes(message === undefined ? [] : changesOf(before, fieldsOf(message))),
      trace: tracer.of(at.index, room),
    };
  }

  return {
    run(given) {
      const targets = targetsOf(snapshot, given);
      const batch = new ProcessingBatch({ targets, layouts, messageIds }, withoutFrames(given.length));
      const all = given.map((each) => messageOf(each, layouts));
      for (const [index, message] of all.entries()) messageIds(message, index);
      batch.setDecoded(all, []);
      for (const [index, { streamIds }] of given.entries()) putInto(batch, index, streamIds);
      const sourceOf = (index: number) => batch.messages[index]?.idOffset ?? 0;
      const startedAt = monotonicClock.now();
      tracer.start(given.length, sourceOf);
      step(batch);
      const took = (monotonicClock.now() - startedAt) * 1000;
      const places = placesOf(batch.messages, sourceOf);
      const room = new AnswerRoom(limits);
      return {
        outcomes: given.map((each, index) =>
          outcomeOf(batch, each, { index, all: places.get(index) ?? [index] }, room),
        ),
        disabledRules: rules.filter(({ id }) => faults.isExceeded(id)).map(({ name }) => name),
        tablesLeftOut: [...(lookups?.leftOut ?? [])],
        took,
      };
    },
  };
}

interface Place {
  readonly index: number;
  /** Places of the message and of those that were made of it. */
  readonly all: readonly number[];
}

function placesOf(messages: readonly Message[], sourceOf: (index: number) => number): Map<number, number[]> {
  const places = new Map<number, number[]>();
  for (const index of messages.keys()) {
    const source = sourceOf(index);
    const known = places.get(source);
    if (known === undefined) places.set(source, [index]);
    else known.push(index);
  }
  return places;
}

const NO_FIELDS: ReadonlyMap<string, FieldValue> = new Map();

function outgoing(
  { messages, targets }: ProcessingBatch,
  index: number,
  instead: Partial<SimulatedMessage> = {},
): SimulatedMessage[] {
  const message = messages[index];
  if (message === undefined) return [];
  return [{ ...simulatedMessage(message, message.id, targets[index]?.streamIds ?? []), ...instead }];
}

/** A message may be in a stream that does not run now. */
function targetsOf(snapshot: ProcessingSnapshot, given: readonly SimulatedMessage[]): RoutingTargets {
  const known = new Set([snapshot.defaultStream.id, ...snapshot.streams.map(({ id }) => id)]);
  const others = new Set(given.flatMap(({ streamIds }) => streamIds.filter((id) => !known.has(id))));
  const added = [...others].map((id) => ({
    id,
    matchingType: 'AND' as const,
    removeMatchesFromDefault: false,
    rules: [],
    indexSetId: '',
    outputIds: [],
  }));
  return createRoutingTargets([...snapshot.streams, ...added], snapshot);
}

function putInto(batch: ProcessingBatch, index: number, streamIds: readonly string[]): void {
  // Twice: a stream may remove the message from the default one, which it may be in all the same.
  for (const id of [...streamIds, ...streamIds]) batch.addStream(index, id);
  for (const id of batch.targets[index]?.streamIds ?? []) {
    if (!streamIds.includes(id)) batch.removeStream(index, id);
  }
}

/** The messages were decoded long ago. */
function withoutFrames(count: number): RecordBatch {
  return {
    firstOffset: 0,
    endOffset: count,
    count,
    bytes: Buffer.alloc(0),
    frameStarts: new Uint32Array(count),
    frameEnds: new Uint32Array(count),
    receivedAt: new Float64Array(count),
    sources: [],
    release() {},
  };
}
