/**
 * One intake thread: its sockets, its journal partition and the partitions it inherited, and what reads them.
 * Shared-nothing apart from the byte budget; it speaks with the main thread in the messages of
 * `intake-protocol.ts` and knows nothing else of the node.
 */
import { type Clock, errorMessage, type JournalReader, StartupError } from '#core/index.ts';
import {
  createCertificateStore,
  createInputHost,
  type InputHost,
  type InputStateReport,
} from '#inputs/index.ts';
import {
  type JournalIncident,
  type JournalPartition,
  openPartition,
  removeDrainedPartition,
  sharedByteBudget,
} from '#journal/index.ts';
import type { TailTap } from '#search/tail/index.ts';
import {
  createLogger,
  createLogLevels,
  createMetrics,
  type Logger,
  type LogLevels,
  type Metrics,
} from '#telemetry/index.ts';
import { countedReader, countedWriter, createPartitionMetrics } from './intake-journal-metrics.ts';
import type {
  AssignedPartition,
  FromIntakeThread,
  InputSnapshot,
  IntakeThreadData,
  ProcessingMessage,
  ToIntakeThread,
} from './intake-protocol.ts';

/** Takes messages out of a partition and brings them where they belong. */
export interface Processing {
  /** While it is paused nothing new is read; what was read is finished. */
  setPaused(paused: boolean): void;
  receive(message: ProcessingMessage): void;
  /** Finishes or gives up what was read; what is not committed is read again after the next start. */
  stop(): Promise<void>;
}

export interface ProcessingContext {
  /** The number of the journal partition. */
  readonly partition: number;
  readonly paused: boolean;
  readonly metrics: Metrics;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly tap: MessageTap | undefined;
}

/** Gets what was processed, before it is stored. One for all partitions of the thread. */
export type MessageTap = Pick<TailTap, 'batch' | 'waitBegins' | 'waitEnds'>;

/** Called once for every partition the thread has open. */
export type CreateProcessing = (reader: JournalReader, context: ProcessingContext) => Processing;

export interface IntakeThreadDeps {
  readonly clock: Clock;
  readonly post: (message: FromIntakeThread) => void;
  /** Without it nothing is read: the journal fills up to its bound and then refuses. */
  readonly createProcessing?: CreateProcessing;
  /** Without it nobody can follow messages live. */
  readonly createTap?: (logger: Logger) => TailTap;
}

export interface IntakeThread {
  /** Opens the journal. False when that failed; the main thread was told then. */
  start(): Promise<boolean>;
  receive(message: ToIntakeThread): void;
  /** Resolves when everything is closed, after a message `stop` or a failed start. */
  readonly ended: Promise<void>;
}

interface OpenPartition {
  readonly assigned: AssignedPartition;
  readonly journal: JournalPartition;
  readonly metrics: { update(stats: ReturnType<JournalPartition['stats']>): void };
  readonly processing: Processing | undefined;
}

const REPORT_INTERVAL_MS = 1000;

export function createIntakeThread(deps: IntakeThreadDeps, data: IntakeThreadData): IntakeThread {
  const levels = createLogLevels(data.logLevel);
  const logger = createThreadLogger(deps, data, levels);
  const metrics = createMetrics({ clock: deps.clock });
  const ended = Promise.withResolvers<void>();
  const tap = deps.createTap?.(logger.child({ component: 'live tail' }));
  const partitions = createPartitions({ ...deps, metrics, logger, tap }, data);
  let inputs: ThreadInputs | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;

  function report(): void {
    deps.post({ kind: 'report', partitions: partitions.report(), metrics: metrics.exportData() });
  }

  async function stop(): Promise<void> {
    if (stopping) return;
    stopping = true;
    clearInterval(timer);
    tap?.stop();
    await inputs?.stop();
    await partitions.close();
    report();
    ended.resolve();
  }

  return {
    ended: ended.promise,
    async start() {
      try {
        const own = await partitions.open();
        inputs = createThreadInputs({ ...deps, metrics, logger }, data, own);
      } catch (error) {
        await partitions.close();
        deps.post({
          kind: 'failed',
          message: errorMessage(error),
          whatToDo: error instanceof StartupError ? error.whatToDo : checkJournal(data.partition.directory),
        });
        ended.resolve();
        return false;
      }
      timer = setInterval(() => {
        report();
        void partitions.removeDrained();
      }, REPORT_INTERVAL_MS);
      report();
      deps.post({ kind: 'ready' });
      return true;
    },
    receive(message) {
      switch (message.kind) {
        case 'inputs':
          inputs?.apply(message.snapshot);
          break;
        case 'processing':
          partitions.setPaused(message.paused);
          break;
        case 'log-level':
          if (message.component === undefined) levels.setAll(message.level);
          else levels.set(message.component, message.level);
          break;
        case 'tails':
          tap?.follow(message.wanted);
          break;
        case 'tail-taken':
          tap?.delivered();
          break;
        case 'stop':
          void stop();
          break;
        default:
          partitions.receive(message);
      }
    },
  };
}

function createThreadLogger(deps: IntakeThreadDeps, data: IntakeThreadData, levels: LogLevels): Logger {
  return createLogger({
    level: data.logLevel,
    levels,
    clock: deps.clock,
    pretty: false,
    stream: { write: (line) => deps.post({ kind: 'log', line }) },
  });
}

function checkJournal(directory: string): string {
  return `Check the disk and that the user who runs Millrace may write to ${directory}, or choose another place with message_journal_dir.`;
}

interface PartDeps extends IntakeThreadDeps {
  readonly metrics: Metrics;
  readonly logger: Logger;
}

interface ThreadInputs {
  apply(snapshot: InputSnapshot): void;
  stop(): Promise<void>;
}

function createThreadInputs(deps: PartDeps, data: IntakeThreadData, own: JournalPartition): ThreadInputs {
  const states = new Map<string, InputStateReport>();
  let newest = 0;
  let done = 0;

  const host: InputHost = createInputHost({
    journal: countedWriter(own.writer, deps.metrics),
    metrics: deps.metrics,
    logger: deps.logger.child({ component: 'inputs' }),
    clock: deps.clock,
    shared: data.sharesPorts,
    udpReceiveBufferBytes: data.udpReceiveBufferBytes,
    selfSignedCertificate: createCertificateStore(deps, { directory: data.certificateDirectory }),
    report(state) {
      if (state.state === 'TERMINATED') states.delete(state.id);
      else states.set(state.id, state);
      post();
    },
  });

  function post(): void {
    deps.post({ kind: 'states', version: done, states: [...states.values()] });
  }

  async function follow({ version, inputs }: InputSnapshot): Promise<void> {
    await host.apply(inputs);
    done = Math.max(done, version);
    post();
  }

  return {
    apply(snapshot) {
      if (snapshot.version <= newest) return;
      newest = snapshot.version;
      void follow(snapshot);
    },
    stop: () => host.stop(),
  };
}

function postIncident(deps: PartDeps, { cause, ...incident }: JournalIncident): void {
  deps.post({
    kind: 'incident',
    incident: cause === undefined ? incident : { ...incident, cause: errorMessage(cause) },
  });
}

function createPartitions(deps: PartDeps & { readonly tap: MessageTap | undefined }, data: IntakeThreadData) {
  const report = (incident: JournalIncident): void => postIncident(deps, incident);
  let open: OpenPartition[] = [];
  let paused = false;
  let removing: Promise<void> = Promise.resolve();

  async function openOne(assigned: AssignedPartition): Promise<OpenPartition> {
    const journal = await openPartition(
      { clock: deps.clock, budget: sharedByteBudget(data.budget, assigned.holder), report },
      { directory: assigned.directory, ...data.journal },
    );
    const processing = deps.createProcessing?.(countedReader(journal.reader, deps.metrics), {
      partition: assigned.number,
      paused,
      metrics: deps.metrics,
      logger: deps.logger.child({ component: 'processing' }),
      clock: deps.clock,
      tap: deps.tap,
    });
    const metrics = createPartitionMetrics(deps.metrics, assigned.number);
    const partition = { assigned, journal, processing, metrics };
    open.push(partition);
    return partition;
  }

  async function closeOne({ journal, processing }: OpenPartition): Promise<void> {
    await processing?.stop();
    await journal.close();
  }

  /** Partitions without a thread of their own go as soon as everything in them is stored. */
  async function removeDrained(): Promise<void> {
    const drained = open.filter(
      ({ assigned, journal }) => assigned !== data.partition && journal.stats().uncommittedRecords === 0,
    );
    for (const partition of drained) {
      open = open.filter((candidate) => candidate !== partition);
      await closeOne(partition);
      const { directory, number } = partition.assigned;
      const removed = await removeDrainedPartition(directory);
      deps.logger.info(
        { component: 'journal', partition: number, removed },
        'an old journal partition is empty',
      );
    }
  }

  return {
    /** The partition to append to. */
    async open(): Promise<JournalPartition> {
      const own = await openOne(data.partition);
      for (const leftover of data.leftovers) await openOne(leftover);
      return own.journal;
    },
    setPaused(value: boolean): void {
      paused = value;
      for (const { processing } of open) processing?.setPaused(value);
    },
    receive(message: ProcessingMessage): void {
      for (const { processing } of open) processing?.receive(message);
    },
    report: () =>
      open.map(({ assigned, journal, metrics }) => {
        const stats = journal.stats();
        metrics.update(stats);
        return { number: assigned.number, stats };
      }),
    /** One after the other, so that nothing is closed twice. */
    removeDrained(): Promise<void> {
      removing = removing.then(removeDrained, removeDrained);
      return removing;
    },
    async close(): Promise<void> {
      await removing.catch(() => {});
      for (const partition of open) await closeOne(partition);
    },
  };
}
