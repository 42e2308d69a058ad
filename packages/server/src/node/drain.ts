/**
 * Stores what a node that is gone has left in its data directory: a node without inputs, API, schedules and membership
 * in the cluster. It has the identity of that node, so the journal is processed as that node would have done it: a batch
 * that was sent before has the same token, and is stored once. The queues of outputs are sent too.
 */
import fs from 'node:fs';
import type { OutputStateView } from '@millrace/contract';
import type { NodeConfig } from '#config/index.ts';
import { createLifecycle, type Lifecycle, StartupError } from '#core/index.ts';
import type { LookupService } from '#lookup/service.ts';
import { engineDirectory } from '#storage/index.ts';
import { createMessageStorage } from '#storage/service.ts';
import type { Intake } from './intake.ts';
import { createNodeLiveTail } from './live-tail.ts';
import { createNodeLookup } from './lookup.ts';
import { createMessagePath } from './message-path.ts';
import {
  createNodeIntake,
  type NodeDeps,
  openIdentity,
  startAll,
  startInBackground,
  startPlugins,
  startServices,
} from './node.ts';
import { liveTailSettings, messagePathSettings, messageStorageSettings } from './settings.ts';

export interface Drain {
  /** Resolves when there is nothing left to do. Rejects with a `StartupError` when it cannot start. */
  run(): Promise<Drained>;
  /** Also before `run` has resolved: what is left stays where it is. */
  stop(): Promise<void>;
  contain(error: unknown): boolean;
}

export interface Drained {
  /** Records that were stored. */
  readonly records: number;
  /** Outputs that send nothing, with the messages that stay in their queues. */
  readonly kept: readonly OutputStateView[];
}

export interface DrainProgress {
  readonly records: number;
  /** Outputs with messages in their queues. */
  readonly queues: readonly OutputStateView[];
}

export interface DrainDeps extends Omit<NodeDeps, 'stopNode'> {
  /** Called whenever something was stored or sent, and at the beginning. */
  readonly progress: (left: DrainProgress) => void;
}

export function createDrain(deps: DrainDeps, config: NodeConfig): Drain {
  const logger = deps.logger.child({ component: 'drain' });
  const lifecycle = createLifecycle({
    started: (part) => logger.debug({ part: part.name }, 'started'),
    stopFailed: (part, reason) => logger.error({ part: part.name, reason }, 'did not stop cleanly'),
  });
  let contain: Drain['contain'] = () => false;
  return {
    contain: (error) => contain(error),
    stop: () => lifecycle.stop(),
    async run() {
      requireLeftovers(config);
      const started = await start(deps, config, lifecycle);
      contain = started.contain;
      return untilEmpty(started, deps.progress);
    },
  };
}

/**
 * A node makes whatever it does not find. Here that would hide a wrong path or a forgotten setting: the messages would
 * go into a new database that nobody looks at.
 */
function requireLeftovers(config: NodeConfig): void {
  for (const file of [config.message_journal_dir, config.node_id_file]) {
    if (fs.existsSync(file)) continue;
    throw new StartupError(
      `there is no ${file}, so this is not the data of a node`,
      'Give the data directory of the node that is gone with --data_dir, and message_journal_dir and node_id_file if it had those elsewhere.',
    );
  }
  const [, sqlite] = /^sqlite:(?:\/\/(?=\/))?(.+)$/s.exec(config.metadata_uri.reveal()) ?? [];
  if (sqlite !== undefined && !fs.existsSync(sqlite)) {
    throw new StartupError(
      `there is no metadata database ${sqlite}`,
      'Give metadata_uri as the node had it: the PostgreSQL of its cluster.',
    );
  }
  if (config.clickhouse_uri === undefined && !fs.existsSync(engineDirectory(config.data_dir).root)) {
    throw new StartupError(
      `the data directory ${config.data_dir} has no messages of its own`,
      'Give clickhouse_uri as the node had it: the ClickHouse of its cluster.',
    );
  }
}

async function start(deps: DrainDeps, config: NodeConfig, lifecycle: Lifecycle) {
  const { clock, logger } = deps;
  const nodeDeps: NodeDeps = { ...deps, stopNode: () => {} };
  const identity = await openIdentity(config, lifecycle);
  const messageStorage = createMessageStorage({ logger, clock }, messageStorageSettings(config));
  startInBackground(lifecycle, [messageStorage]).catch(deps.startFailed);
  const services = await startServices(nodeDeps, config, lifecycle, identity);
  const { audit, cluster, metadata, metrics, system } = services;
  const { jobs, notifications, systemMessages } = system;
  const plugins = await startPlugins({ deps: nodeDeps, services }, config, lifecycle);
  const messagePath = createMessagePath(
    {
      messageStorage,
      metadata,
      audit,
      jobs,
      notifications,
      systemMessages,
      // It rotates and deletes nothing: that is for the nodes of the cluster.
      isLeader: () => false,
      outputViews: () => intake.outputs.views(),
      metrics,
      clock,
      logger,
    },
    messagePathSettings(config, cluster.nodeId),
  );
  await startAll(lifecycle, messagePath.startables);
  const liveTail = createNodeLiveTail(
    { streamIds: () => [], clock, logger },
    liveTailSettings(config, cluster.nodeId),
  );
  const lookup = createNodeLookup({ ...services, clock, logger }, identity.files, config);
  const path = { messagePath, liveTail, lookup };
  const intake = createNodeIntake({ deps: nodeDeps, services, plugins, ...path }, config, identity);
  await startAll(lifecycle, [lookup.service, intake.outputs]);
  lookup.inform(intake.workers);
  messagePath.inform(intake.workers, intake.outputs.ensureKnown);
  await lifecycle.start(plugins.inform(intake.workers));
  cluster.status.running();
  await lifecycle.start(intake.workers);
  return { intake, lookup: lookup.service, contain: plugins.contain };
}

/** States in which an output sends nothing until somebody does something. */
const IDLE: readonly OutputStateView['state'][] = ['PAUSED', 'INVALID_CONFIGURATION'];

interface Draining {
  readonly intake: Intake;
  readonly lookup: Pick<LookupService, 'changesUnderWay'>;
}

function untilEmpty(
  { intake: { workers, outputs }, lookup }: Draining,
  progress: DrainDeps['progress'],
): Promise<Drained> {
  const { promise, resolve } = Promise.withResolvers<Drained>();
  const hasStayed = createRounds(2);
  function look(): void {
    const reports = workers.partitions();
    const queues = outputs.states().filter((state) => state.queued_messages > 0);
    const records = reports.reduce((sum, { stats }) => sum + stats.uncommittedRecords, 0);
    progress({ records, queues });
    const isBusy =
      records > 0 ||
      // What rules have put into lookup tables.
      lookup.changesUnderWay() > 0 ||
      outputs.states().some(({ state }) => state === 'STARTING') ||
      queues.some(({ state }) => !IDLE.includes(state));
    const reported = [...workers.outputs.reports(), ...reports];
    if (!hasStayed(!isBusy && reports.length > 0 && !reported.includes(undefined), reported)) return;
    resolve({ records: reports.reduce((sum, { stats }) => sum + stats.committedRecords, 0), kept: queues });
  }
  workers.onReport(look);
  workers.outputs.onReports(look);
  return promise;
}

/**
 * Messages are on their way between the journal and the queues in both directions: those for an output, and those that
 * a destination refused. Reports are of different moments, so both are empty only if all reports say so in several
 * rounds one after the other. Every report is a new object.
 */
function createRounds(wanted: number) {
  let old: readonly unknown[] = [];
  let rounds = -1;
  return (isEmpty: boolean, reports: readonly unknown[]): boolean => {
    if (!isEmpty) rounds = -1;
    else if (rounds < 0 || !reports.some((report) => old.includes(report))) {
      rounds += 1;
      old = reports;
    }
    return rounds >= wanted;
  };
}
