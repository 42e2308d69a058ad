/** The ClickHouse servers as backups need them: those of the configuration, or the embedded one, also without a node. */
import { createHmac } from 'node:crypto';
import type { NodeConfig } from '#config/index.ts';
import {
  type Clock,
  errorMessage,
  type Lifecycle,
  lockDirectory,
  PermanentError,
  RetryableError,
  StartupError,
} from '#core/index.ts';
import { type ClickHouseServer, createClickHouse, filePlace, findRunningEngine } from '#storage/index.ts';
import { createMessageStorage } from '#storage/service.ts';
import type { Logger } from '#telemetry/index.ts';
import type { BackupFolder } from './backup-folder.ts';
import { closing } from './node.ts';
import { messageStorageSettings } from './settings.ts';

export interface BackupDeps {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Tells the person who runs it. */
  readonly say: (line: string) => void;
}

/** The embedded ClickHouse of a running node, or one that is started for this; the configured servers otherwise. */
export async function openServers(
  deps: BackupDeps,
  config: NodeConfig,
  lifecycle: Lifecycle,
): Promise<readonly ClickHouseServer[]> {
  const running = config.clickhouse_uri === undefined ? findRunningEngine(config.data_dir) : undefined;
  if (running !== undefined) {
    const clickhouse = createClickHouse([running]);
    await lifecycle.start(closing('connection to the embedded ClickHouse', () => clickhouse.close()));
    return clickhouse.servers;
  }
  if (config.clickhouse_uri === undefined) await lockData(config, lifecycle);
  return startServers(deps, config, lifecycle);
}

/** Keeps nodes away from the data directory. */
export async function lockData(config: NodeConfig, lifecycle: Lifecycle): Promise<void> {
  const lock = lockDirectory(config.data_dir);
  await lifecycle.start(closing('data directory lock', () => lock.release()));
}

export async function startServers(
  { logger, clock }: BackupDeps,
  config: NodeConfig,
  lifecycle: Lifecycle,
): Promise<readonly ClickHouseServer[]> {
  const storage = createMessageStorage({ logger, clock }, messageStorageSettings(config));
  await lifecycle.start(storage);
  return storage.clickhouse()?.servers ?? [];
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

/** The same for the same secret, and of no use for finding it. */
export function secretFingerprint(passwordSecret: string): string {
  return createHmac('sha256', passwordSecret).update('millrace backup').digest('hex').slice(0, 16);
}

/** What ClickHouse refuses or cannot do needs a person. */
export async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PermanentError || error instanceof RetryableError)) throw error;
    throw new StartupError(
      errorMessage(error),
      'See that the disk has space and that ClickHouse may write to and read from that place. A node that was started before this version was installed has to be restarted once.',
      { cause: error },
    );
  }
}
