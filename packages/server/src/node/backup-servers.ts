/** The ClickHouse servers as backups need them: those of the configuration, or the embedded one, also without a node. */
import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { findPasswordSecret, type NodeConfig } from '#config/index.ts';
import {
  type Clock,
  errorCode,
  errorMessage,
  type Lifecycle,
  lockDirectory,
  PermanentError,
  RetryableError,
  StartupError,
} from '#core/index.ts';
import {
  type ClickHouse,
  type ClickHouseServer,
  createClickHouse,
  filePlace,
  findRunningEngine,
} from '#storage/index.ts';
import { createMessageStorage } from '#storage/service.ts';
import type { Logger } from '#telemetry/index.ts';
import type { BackupFolder } from './backup-folder.ts';
import { closing } from './closing.ts';
import { messageStorageSettings } from './settings.ts';

export interface BackupDeps {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Tells the person who runs it. */
  readonly say: (line: string) => void;
  /** Aborted when the person wants to end it. */
  readonly signal: AbortSignal;
}

const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 500;

/** The embedded ClickHouse of a running node, or one that is started for this; the configured servers otherwise. */
export async function openServers(
  deps: BackupDeps,
  config: NodeConfig,
  lifecycle: Lifecycle,
): Promise<readonly ClickHouseServer[]> {
  if (config.clickhouse_uri !== undefined) return (await startClickHouse(deps, config, lifecycle)).servers;
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await findServers(config, lifecycle);
    if (found === 'nobody uses the data') return (await startClickHouse(deps, config, lifecycle)).servers;
    if (found !== 'not ready') return found;
    if (performance.now() > giveUpAt) {
      throw new StartupError(
        'the ClickHouse of the node that uses this data directory does not answer',
        'Wait until the node is ready, or stop it: then the backup starts its own.',
      );
    }
    await delay(LOOK_AGAIN_MS, undefined, { signal: deps.signal });
  }
}

/** A node that is starting, or that restarts its engine, has the lock and nothing that answers. */
async function findServers(
  config: NodeConfig,
  lifecycle: Lifecycle,
): Promise<readonly ClickHouseServer[] | 'nobody uses the data' | 'not ready'> {
  const running = findRunningEngine(config.data_dir);
  if (running === undefined) {
    try {
      await lockData(config, lifecycle);
      return 'nobody uses the data';
    } catch (error) {
      if (error instanceof StartupError) return 'not ready';
      throw error;
    }
  }
  const clickhouse = createClickHouse([running]);
  try {
    await clickhouse.servers[0]?.ping();
  } catch {
    await clickhouse.close();
    return 'not ready';
  }
  await lifecycle.start(closing('connection to the embedded ClickHouse', () => clickhouse.close()));
  return clickhouse.servers;
}

/** Keeps nodes away from the data directory. */
export async function lockData(config: NodeConfig, lifecycle: Lifecycle): Promise<void> {
  const lock = lockDirectory(config.data_dir);
  await lifecycle.start(closing('data directory lock', () => lock.release()));
}

export async function startClickHouse(
  { logger, clock }: BackupDeps,
  config: NodeConfig,
  lifecycle: Lifecycle,
): Promise<ClickHouse> {
  const storage = createMessageStorage({ logger, clock }, messageStorageSettings(config));
  await lifecycle.start(storage);
  const clickhouse = storage.clickhouse();
  if (clickhouse === undefined) throw new RetryableError('ClickHouse has not started');
  return clickhouse;
}

const NAME = '{name}';

/** Where a server puts its backup, or finds it. Undefined: the configuration does not say. */
export function placeOf(config: NodeConfig, folder: BackupFolder, server: number): string | undefined {
  if (config.clickhouse_uri === undefined) return filePlace(folder.messages);
  const template = config.clickhouse_backup?.reveal();
  if (template === undefined) return undefined;
  if (template.includes(NAME)) return template.replaceAll(NAME, () => `${folder.name}/${server + 1}`);
  throw new StartupError(
    'clickhouse_backup does not contain {name}, so all backups would have the same place',
    "Write {name} where the name of the backup belongs, as in Disk('backups', '{name}').",
  );
}

/** The same for the same secret, and of no use for finding it. Null if there is none yet. */
export function secretFingerprint(config: NodeConfig): string | null {
  const secret = findPasswordSecret(config);
  if (secret === undefined) return null;
  return createHmac('sha256', secret.reveal()).update('millrace backup').digest('hex').slice(0, 16);
}

/** What disks, databases and ClickHouse refuse needs a person, and is no fault of the program. */
export async function explained<Result>(config: NodeConfig, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const isOfOthers =
      error instanceof PermanentError || error instanceof RetryableError || errorCode(error) !== undefined;
    if (error instanceof StartupError || !isOfOthers) throw error;
    throw new StartupError(
      withoutSecrets(config, errorMessage(error)),
      'See that the disk has space and that ClickHouse may write to and read from that place. A node that was started before this version was installed has to be restarted once.',
    );
  }
}

/** ClickHouse quotes what it does not understand: after the first text in quotes come keys and passwords. */
function withoutSecrets(config: NodeConfig, message: string): string {
  const [, , , ...rest] = config.clickhouse_backup?.reveal().split("'") ?? [];
  const texts = rest.filter((text) => text.replace(/[\s,()]/g, '') !== '');
  return texts.reduce((shown, text) => shown.replaceAll(text, '…'), message);
}
