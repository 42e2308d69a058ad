import {
  MAX_PREVIEWED_CREATED,
  MAX_PREVIEWED_TEXT,
  type PipelinePreviewRequest,
  type PipelinePreviewView,
} from '@millrace/contract';
import { UnavailableError } from '#core/index.ts';
import type { SimulationAnswer } from '../simulation/index.ts';
import {
  type FoundForSimulation,
  type OpenSimulation,
  requireSnapshot,
  requireStreams,
  type SimulationCaller,
  type SimulatorDeps,
  storedMessage,
} from './simulate.ts';
import { pipelinesToRun } from './simulated-pipelines.ts';
import { createPreviewTotals, type PreviewTotals } from './simulation-views.ts';

/** Stored messages that the caller may read, the newest first, in batches. */
export type ReadHistory = (
  caller: SimulationCaller,
  request: {
    readonly range: PipelinePreviewRequest['timerange'];
    readonly limit: number;
    readonly query: string;
    readonly streams: readonly string[];
  },
) => AsyncIterable<readonly FoundForSimulation[]>;

export interface PipelinePreviewDeps extends Pick<SimulatorDeps, 'simulations' | 'snapshot'> {
  readonly readHistory: ReadHistory;
}

/** What rules or pipelines would do to stored messages. Nothing is stored. */
export interface PipelinePreview {
  preview(caller: SimulationCaller, request: PipelinePreviewRequest): Promise<PipelinePreviewView>;
}

/** How long the rules may take for all messages; it stops looking then. */
const MAX_MS = 10_000;
/** Messages are handed over in lots that take about this long. */
const LOT_MS = 50;
const MAX_LOT = 256;
/** Of the texts of a lot: it is copied into the thread. */
const MAX_LOT_CHARACTERS = 8 * 1024 * 1024;

export function createPipelinePreview(deps: PipelinePreviewDeps): PipelinePreview {
  return {
    async preview(caller, request) {
      const { principal, signal } = caller;
      const snapshot = requireSnapshot(deps.snapshot());
      const { streams, query, sample, timerange: range } = request;
      requireStreams(principal, snapshot, streams);
      const connected = streams.length === 0 ? snapshot.streamIds : streams;
      const pipelines = pipelinesToRun(principal, snapshot.pipelines, request, connected);
      const totals = createPreviewTotals(principal, request.examples);
      const limits = { textCharacters: MAX_PREVIEWED_TEXT, messages: 1 + MAX_PREVIEWED_CREATED };
      const simulation = await deps.simulations.open(
        // Ten thousand messages, at each pause while a rule is typed, would be as many questions to a server.
        { snapshot: { ...snapshot, pipelines }, isDetailed: false, limits, asksServers: false },
        signal,
      );
      try {
        // One message more than wanted tells whether there are more.
        const history = deps.readHistory(caller, { range, limit: sample + 1, query, streams });
        return totals.view(await look(history, simulation, totals, { limit: sample, signal }));
      } finally {
        simulation.close();
      }
    },
  };
}

interface End {
  readonly isComplete: boolean;
  readonly disabledRules: readonly string[];
  readonly tablesLeftOut: readonly string[];
}

async function look(
  history: AsyncIterable<readonly FoundForSimulation[]>,
  simulation: OpenSimulation,
  totals: PreviewTotals,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal | undefined },
): Promise<End> {
  let told: Pick<End, 'disabledRules' | 'tablesLeftOut'> = { disabledRules: [], tablesLeftOut: [] };
  let usedMs = 0;
  let lotSize = 1;
  for await (const batch of history) {
    for (let from = 0; from < batch.length; ) {
      signal?.throwIfAborted();
      const room = limit - totals.lookedAt();
      if (room === 0 || usedMs > MAX_MS) return { isComplete: false, ...told };
      const lot = nextLot(batch, from, Math.min(lotSize, room));
      const answer = await ran(simulation, lot, totals);
      if (answer === undefined) return { isComplete: false, ...told };
      told = { disabledRules: answer.disabledRules, tablesLeftOut: answer.tablesLeftOut };
      usedMs += answer.took / 1000;
      from += lot.length;
      lotSize = answer.took / 1000 < LOT_MS ? Math.min(MAX_LOT, lotSize * 2) : Math.max(1, lotSize >> 1);
    }
  }
  return { isComplete: true, ...told };
}

/** One message at least. */
function nextLot(
  batch: readonly FoundForSimulation[],
  from: number,
  max: number,
): readonly FoundForSimulation[] {
  let end = from;
  for (let characters = 0; end < batch.length && end < from + max; end++) {
    for (const value of batch[end]?.fields.values() ?? []) characters += String(value).length;
    if (characters > MAX_LOT_CHARACTERS && end > from) break;
  }
  return batch.slice(from, end);
}

/** Undefined: it took too long. */
async function ran(
  simulation: OpenSimulation,
  lot: readonly FoundForSimulation[],
  totals: PreviewTotals,
): Promise<SimulationAnswer | undefined> {
  const messages = lot.map(storedMessage);
  try {
    const answer = await simulation.run(messages);
    for (const [index, outcome] of answer.outcomes.entries()) {
      const given = messages[index];
      if (given !== undefined) totals.add(given, lot[index]?.index ?? '', outcome);
    }
    return answer;
  } catch (error) {
    if (error instanceof UnavailableError && totals.lookedAt() > 0) return undefined;
    throw error;
  }
}
