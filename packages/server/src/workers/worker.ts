/**
 * One worker: its sockets, its journal partition, the leftover partitions it drains, and their processing. It shares
 * nothing with other workers apart from the byte budget. It exchanges the messages of `protocol.ts` with the main
 * thread and knows nothing else of the node.
 */
import {
  type Clock,
  createDroppedFields,
  createPeriodicJob,
  errorMessage,
  type PeriodicJob,
  StartupError,
} from '#core/index.ts';
import { createWorkerLookups, type LookupRequests, type WorkerLookups } from '#lookup/index.ts';
import type { TailTap } from '#search/index.ts';
import {
  createLogger,
  createLogLevels,
  createMetrics,
  type Logger,
  type LogLevels,
} from '#telemetry/index.ts';
import type { FromWorker, ToWorker, WorkerAssignment } from './protocol.ts';
import { createWorkerInputs, type WorkerInputs } from './worker-inputs.ts';
import { createWorkerOutputs } from './worker-outputs.ts';
import { type CreateProcessing, createWorkerPartitions } from './worker-partitions.ts';

export interface WorkerDeps {
  readonly clock: Clock;
  readonly post: (message: FromWorker) => void;
  /** Without it nothing is read: the journal fills up to its bound and then refuses frames. */
  readonly createProcessing?: CreateProcessing;
  /** Without it there is no live tail. */
  readonly createTap?: (logger: Logger) => TailTap;
}

export interface Worker {
  /** Opens the journal. False: that failed, and the main thread has been told. */
  start(): Promise<boolean>;
  /** Plugins are the thread's business: see `entry.ts`. */
  receive(message: Exclude<ToWorker, { readonly kind: 'plugins' }>): void;
  /** Resolves when everything is closed, after a `stop` message or a failed start. */
  readonly ended: Promise<void>;
}

const REPORT_INTERVAL_MS = 1000;

export function createWorker(deps: WorkerDeps, assignment: WorkerAssignment): Worker {
  const { clock, post, createProcessing } = deps;
  const levels = createLogLevels(assignment.logLevel);
  const logger = createWorkerLogger(deps, assignment, levels);
  const metrics = createMetrics({ clock });
  const ended = Promise.withResolvers<void>();
  const tap = deps.createTap?.(logger.child({ component: 'live tail' }));
  const shared = { clock, post, metrics, logger, droppedFields: createDroppedFields() };
  const outputs = createProcessing && createWorkerOutputs(shared, assignment);
  const send = (requests: LookupRequests) => post({ kind: 'lookup-requests', requests });
  const lookups = createWorkerLookups({ clock, send });
  const parts = { ...shared, createProcessing, observer: tap, outputs, lookups };
  const partitions = createWorkerPartitions(parts, assignment);
  let inputs: WorkerInputs | undefined;
  let stopping = false;

  function report(): void {
    outputs?.report();
    post({ kind: 'report', partitions: partitions.report(), metrics: metrics.exportData() });
  }

  const reporting = createReporting(logger, report, () => partitions.removeDrained());

  async function stop(): Promise<void> {
    if (stopping) return;
    stopping = true;
    await reporting.stop();
    tap?.stop();
    await inputs?.stop();
    await partitions.close(() => outputs?.stop());
    report();
    ended.resolve();
  }

  return {
    ended: ended.promise,
    async start() {
      try {
        const own = await partitions.open();
        outputs?.useJournal(own.writer);
        inputs = createWorkerInputs({ ...shared, journal: own.writer }, assignment);
      } catch (error) {
        await partitions.close();
        post(startFailure(error, assignment.partition.directory));
        ended.resolve();
        return false;
      }
      reporting.start();
      report();
      post({ kind: 'ready' });
      return true;
    },
    receive(message) {
      switch (message.kind) {
        case 'inputs':
          inputs?.apply(message.snapshot);
          break;
        case 'outputs':
          outputs?.apply(message.snapshot);
          break;
        case 'processing':
          partitions.setPaused(message.paused);
          break;
        case 'look-at-partitions':
          post({ kind: 'partitions', request: message.request, partitions: partitions.report() });
          break;
        case 'stop':
          void stop();
          break;
        case 'streams':
        case 'index-sets':
        case 'storage':
          partitions.receive(message);
          break;
        default:
          tellPart({ tap, lookups, levels }, message);
      }
    },
  };
}

interface WorkerParts {
  readonly tap: TailTap | undefined;
  readonly lookups: WorkerLookups;
  readonly levels: LogLevels;
}

function tellPart(
  { tap, lookups, levels }: WorkerParts,
  message: Extract<
    ToWorker,
    { readonly kind: 'log-level' | 'lookup' | 'lookup-answers' | 'lookup-forget' | 'tails' | 'tail-taken' }
  >,
): void {
  switch (message.kind) {
    case 'log-level':
      setLevel(levels, message);
      break;
    case 'lookup':
      lookups.useSnapshot(message.snapshot);
      break;
    case 'lookup-answers':
      lookups.receive(message.answers);
      break;
    case 'lookup-forget':
      lookups.forget(message.forgotten);
      break;
    case 'tails':
      tap?.follow(message.wanted);
      break;
    case 'tail-taken':
      tap?.delivered();
  }
}

function setLevel(
  levels: LogLevels,
  { component, level }: Extract<ToWorker, { readonly kind: 'log-level' }>,
): void {
  if (component === undefined) levels.setAll(level);
  else levels.set(component, level);
}

function createReporting(
  logger: Logger,
  report: () => void,
  removeDrained: () => Promise<void>,
): PeriodicJob {
  const run = () => {
    report();
    return removeDrained();
  };
  return createPeriodicJob(
    { run, logger },
    { name: 'reporting to the main thread', intervalMs: REPORT_INTERVAL_MS, jitter: 0 },
  );
}

function createWorkerLogger(
  { clock, post }: WorkerDeps,
  { logLevel }: WorkerAssignment,
  levels: LogLevels,
): Logger {
  return createLogger({
    level: logLevel,
    levels,
    clock,
    pretty: false,
    stream: { write: (line) => post({ kind: 'log', line }) },
  });
}

function startFailure(error: unknown, directory: string): FromWorker {
  const whatToDo =
    error instanceof StartupError
      ? error.whatToDo
      : `Check the disk and that the user who runs Millrace may write to ${directory}, or choose another directory with message_journal_dir.`;
  return { kind: 'failed', message: errorMessage(error), whatToDo };
}
