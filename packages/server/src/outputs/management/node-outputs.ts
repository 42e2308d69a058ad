import type { OutputStateView } from '@millrace/contract';
import {
  type AllowedUrls,
  type Clock,
  type ComponentSecrets,
  effectiveConfiguration,
  InvalidConfiguration,
  unreadableSecrets,
} from '#core/index.ts';
import type { OutputRecord } from '#metadata/index.ts';
import type { OutputType } from '../output.ts';
import type { OutputReport, OutputState, WantedOutput } from '../output-state.ts';

/** The workers, as far as outputs are concerned. */
export interface OutputWorkers {
  /** Makes these the outputs of all workers. Resolves when every worker that runs has them. */
  apply(outputs: readonly WantedOutput[]): Promise<void>;
  /** What each worker reports; undefined for a worker that is down. */
  reports(): readonly (readonly OutputReport[] | undefined)[];
  /** Calls `listener` after every report. */
  onReports(listener: () => void): void;
}

export interface NodeOutputsDeps {
  readonly workers: OutputWorkers;
  readonly clock: Clock;
  readonly findType: (type: string) => OutputType | undefined;
  /** Workers get the secrets in clear. */
  readonly secrets: ComponentSecrets;
  /** Which URLs outputs may call; all without. */
  readonly urls: AllowedUrls | undefined;
}

/** The outputs of this node: makes the workers follow what is stored, and sums up what they report. */
export interface NodeOutputs {
  apply(outputs: readonly OutputRecord[]): Promise<void>;
  state(output: OutputRecord): OutputStateView;
  /** Why the URL of an output may not be called; undefined if it may. */
  problemOfUrl(output: OutputRecord): string | undefined;
}

/** The types of fields that hold the address of a server to call over HTTP. */
const URL_TYPES: ReadonlySet<string> = new Set(['URL', 'URI']);

/** The worst first: one worker that fails is what people should know. */
const SEVERITY: readonly OutputState[] = ['INVALID_CONFIGURATION', 'FAILED', 'STARTING', 'PAUSED', 'RUNNING'];

export function createNodeOutputs(deps: NodeOutputsDeps, config: { readonly nodeId: string }): NodeOutputs {
  let problems = new Map<string, string>();

  function wantedOf(stored: OutputRecord): WantedOutput | undefined {
    const { id, title, type: typeId } = stored;
    const type = deps.findType(typeId);
    if (type === undefined) {
      problems.set(id, `This version does not know the output type "${typeId}".`);
      return undefined;
    }
    const { configuration, unreadable } = deps.secrets.decrypt(id, type.fields, stored.configuration);
    if (unreadable.length > 0) {
      problems.set(id, unreadableSecrets(unreadable));
      // It keeps collecting messages until its secrets are entered again.
      return { id, title, type: typeId, configuration, paused: true };
    }
    const problem = problemOfUrl(deps, stored);
    if (problem !== undefined) problems.set(id, problem);
    // The same: it keeps collecting until its URL is on the list.
    const paused = problem !== undefined || stored.desiredState === 'paused';
    return { id, title, type: typeId, configuration, paused };
  }

  function sumUp(output: OutputRecord, reports: readonly OutputReport[]) {
    const sum = (read: (report: OutputReport) => number) =>
      reports.reduce((all, each) => all + read(each), 0);
    const oldest = reports.flatMap(({ oldestReceivedAt }) => oldestReceivedAt ?? []);
    const errors = reports.flatMap(({ lastError }) => lastError ?? []).sort((a, b) => b.at - a.at);
    const oldestAt = oldest.length === 0 ? null : Math.min(...oldest);
    const [lastError] = errors;
    return {
      queued_messages: sum((report) => report.queuedMessages),
      queued_bytes: sum((report) => report.queuedBytes),
      queue_max_bytes: maxBytes(deps, output),
      oldest_message_at: oldestAt === null ? null : new Date(oldestAt).toISOString(),
      oldest_message_age_ms: oldestAt === null ? null : Math.max(0, deps.clock.now() - oldestAt),
      sent_messages: sum((report) => report.sentMessages),
      messages_per_second: Math.round(sum((report) => report.sentRate) * 10) / 10,
      dropped_messages: sum((report) => report.droppedMessages),
      refused_messages: sum((report) => report.refusedMessages),
      last_error:
        lastError === undefined
          ? null
          : { message: lastError.message, at: new Date(lastError.at).toISOString() },
    };
  }

  return {
    problemOfUrl: (output) => problemOfUrl(deps, output),
    async apply(outputs) {
      problems = new Map();
      await deps.workers.apply(outputs.flatMap((stored) => wantedOf(stored) ?? []));
    },
    state(output) {
      const { id, title } = output;
      const reports = deps.workers
        .reports()
        .flatMap((of) => of ?? [])
        .filter((report) => report.id === id);
      const problem = problems.get(id);
      const found = SEVERITY.find((state) => reports.some((report) => report.state === state)) ?? 'STARTING';
      const state = problem === undefined ? found : 'INVALID_CONFIGURATION';
      const messages = reports
        .filter((report) => report.state === found)
        .flatMap(({ message }) => message ?? []);
      const text = problem ?? [...new Set(messages)].join('; ');
      return {
        id,
        node_id: config.nodeId,
        title,
        state,
        detailed_message: text === '' ? null : text,
        ...sumUp(output, reports),
      };
    },
  };
}

function problemOfUrl(
  { findType, urls }: NodeOutputsDeps,
  { type, configuration }: OutputRecord,
): string | undefined {
  const found = findType(type);
  if (found === undefined) return undefined;
  const effective = effectiveConfiguration(found, configuration);
  const refused = Object.entries(found.fields).find(([name, declared]) => {
    const url = effective[name];
    const isUrl = URL_TYPES.has(declared.type.name) && typeof url === 'string' && url !== '';
    return isUrl && urls?.isAllowed(url) === false;
  });
  return refused && `${refused[0]} is not on the list of allowed URLs (/system/urlallowlist).`;
}

function maxBytes({ findType }: NodeOutputsDeps, { type, configuration }: OutputRecord): number {
  const plan = findType(type)?.plan(configuration);
  return plan === undefined || plan instanceof InvalidConfiguration ? 0 : plan.queue.queue_max_size;
}
