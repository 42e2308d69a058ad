import {
  MAX_SIMULATED_MESSAGES,
  MAX_SIMULATED_TEXT,
  type SimulateRequest,
  type SimulationView,
} from '@millrace/contract';
import {
  type Clock,
  DEFAULT_STREAM_ID,
  type FieldValue,
  ForbiddenError,
  fieldValueOf,
  InvalidError,
  isFieldName,
  MAX_TIMESTAMP_MS,
  MIN_TIMESTAMP_MS,
  NotFoundError,
  type Principal,
  UnavailableError,
} from '#core/index.ts';
import type { ProcessingSnapshot } from '#streams/index.ts';
import type {
  SimulatedMessage,
  SimulatedOutcome,
  SimulationAnswer,
  SimulationSettings,
} from '../simulation/index.ts';
import { pipelinesToRun } from './simulated-pipelines.ts';
import { outcomeView } from './simulation-views.ts';

/** A thread that runs one simulation. Close it afterwards. */
export interface OpenSimulation {
  /** Rejects with `UnavailableError` when it takes too long or the thread ends. */
  run(messages: readonly SimulatedMessage[]): Promise<SimulationAnswer>;
  close(): void;
}

export interface Simulations {
  /** Rejects with `UnavailableError` when too many are waiting, and when the signal is aborted while it waits. */
  open(settings: SimulationSettings, signal?: AbortSignal): Promise<OpenSimulation>;
}

/** A stored message that the caller may read. */
export interface FoundForSimulation {
  readonly id: string;
  readonly index: string;
  readonly timestamp: number;
  readonly receivedAt: number;
  readonly fields: ReadonlyMap<string, FieldValue | readonly string[]>;
}

export interface SimulatorDeps {
  readonly simulations: Simulations;
  readonly snapshot: () => ProcessingSnapshot | undefined;
  readonly readMessage: (principal: Principal, index: string, id: string) => Promise<FoundForSimulation>;
  readonly clock: Clock;
}

export interface SimulationCaller {
  readonly principal: Principal;
  readonly signal?: AbortSignal | undefined;
}

/** What pipelines would do to one message. Nothing is stored. */
export interface PipelineSimulator {
  simulate(caller: SimulationCaller, request: SimulateRequest): Promise<SimulationView>;
}

const MAX_FIELDS = 1024;

export function createPipelineSimulator(deps: SimulatorDeps): PipelineSimulator {
  async function messageToTry(
    principal: Principal,
    request: SimulateRequest,
    snapshot: ProcessingSnapshot,
  ): Promise<SimulatedMessage> {
    const { message, index, message_id, stream_id, input_id } = request;
    if (message !== null && message !== undefined) {
      const streamIds = [stream_id ?? DEFAULT_STREAM_ID];
      requireStreams(principal, snapshot, streamIds);
      return { ...givenMessage(message, input_id ?? '', deps.clock), streamIds };
    }
    if (typeof stream_id === 'string') requireStreams(principal, snapshot, [stream_id]);
    if (typeof index !== 'string' || typeof message_id !== 'string') {
      throw new InvalidError('Give a message, or index and message_id of a stored one.', { path: 'message' });
    }
    const found = storedMessage(await deps.readMessage(principal, index, message_id));
    return typeof stream_id === 'string' ? { ...found, streamIds: [stream_id] } : found;
  }

  return {
    async simulate({ principal, signal }, request) {
      const snapshot = requireSnapshot(deps.snapshot());
      const message = await messageToTry(principal, request, snapshot);
      const pipelines = pipelinesToRun(principal, snapshot.pipelines, request, message.streamIds);
      const limits = { textCharacters: MAX_SIMULATED_TEXT, messages: MAX_SIMULATED_MESSAGES };
      const simulation = await deps.simulations.open(
        { snapshot: { ...snapshot, pipelines }, isDetailed: true, limits },
        signal,
      );
      try {
        const { outcomes, took } = await simulation.run([message]);
        const [outcome] = outcomes;
        return outcomeView(principal, outcome ?? NOTHING, took);
      } finally {
        simulation.close();
      }
    },
  };
}

const NOTHING: SimulatedOutcome = {
  isDropped: false,
  messages: [],
  messageCount: 0,
  changes: [],
  trace: { rules: [], isComplete: true, matched: [], errors: [], debug: [] },
};

export function requireSnapshot(snapshot: ProcessingSnapshot | undefined): ProcessingSnapshot {
  if (snapshot === undefined) throw new UnavailableError('The node is starting; try again.');
  return snapshot;
}

/** Throws for a stream that the caller may not read, or that does not exist. */
export function requireStreams(
  principal: Principal,
  { streamIds }: ProcessingSnapshot,
  wanted: readonly string[],
): void {
  const forbidden = wanted.find((id) => !principal.can('streams:read', id));
  if (forbidden !== undefined)
    throw new ForbiddenError(`Not authorized to access stream ${forbidden}`, {
      needs: `streams:read:${forbidden}`,
    });
  const unknown = wanted.find((id) => !streamIds.includes(id));
  if (unknown !== undefined) throw new NotFoundError(`There is no stream ${unknown}.`);
}

/** As it was stored, in the streams that the reader sees. */
export function storedMessage({ id, timestamp, receivedAt, fields }: FoundForSimulation): SimulatedMessage {
  const values = new Map<string, FieldValue>();
  for (const [name, value] of fields) if (typeof value !== 'object') values.set(name, value);
  const streams = fields.get('streams');
  const streamIds = Array.isArray(streams) ? streams.map(String) : [];
  return { id, timestamp, receivedAt, streamIds, fields: values };
}

/** A message that somebody wrote, as the one to try something on. */
export function givenMessage(
  given: Readonly<Record<string, unknown>>,
  inputId: string,
  clock: Clock,
): Omit<SimulatedMessage, 'streamIds'> {
  const { _id, timestamp, ...others } = given;
  const entries = Object.entries(others);
  if (entries.length > MAX_FIELDS) {
    throw new InvalidError(
      `The message has ${entries.length} fields; at most ${MAX_FIELDS} can be simulated.`,
    );
  }
  const fields = new Map<string, FieldValue>();
  for (const [name, value] of entries) {
    if (!isFieldName(name)) {
      throw new InvalidError(
        `"${name.slice(0, 100)}" is not a name of a field: use letters, digits, "_", "-" and ".".`,
        { path: 'message' },
      );
    }
    const known = fieldValueOf(value);
    if (known !== undefined) fields.set(name, known);
  }
  if (inputId !== '') fields.set('gl2_source_input', inputId);
  const now = clock.now();
  return {
    id: typeof _id === 'string' ? _id : '',
    timestamp: timestamp === undefined || timestamp === null ? now : timeOf(timestamp),
    receivedAt: now,
    fields,
  };
}

/** ISO 8601, Graylog's `2026-06-10 12:00:00.000`, or milliseconds since the epoch. */
function timeOf(value: unknown): number {
  const text = String(value);
  const graylog = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)$/.exec(text);
  const ms = typeof value === 'number' ? value : Date.parse(graylog ? `${graylog[1]}T${graylog[2]}Z` : text);
  if (ms >= MIN_TIMESTAMP_MS && ms <= MAX_TIMESTAMP_MS) return Math.trunc(ms);
  throw new InvalidError(
    `"${text.slice(0, 100)}" is not a timestamp; write it as 2026-06-10T12:00:00.000Z or in milliseconds.`,
    { path: 'message.timestamp' },
  );
}
