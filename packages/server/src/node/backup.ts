/**
 * Makes a backup of the metadata and the messages, while nodes run or while they do not. Messages are backed up first:
 * what the metadata knows more of than the messages is empty, and an index whose record is gone by then is deleted by the
 * node that starts on the restored data. Only the table of an index set that was deleted meanwhile would stay for ever.
 */
import fs from 'node:fs';
import { type NodeConfig, readProduct } from '#config/index.ts';
import { createLifecycle, type Lifecycle, PermanentError, StartupError } from '#core/index.ts';
import { dumpMetadata, readIndexSetIds } from '#metadata/index.ts';
import { answeringReplica, backUpMessages, type ClickHouseServer, storedBytes } from '#storage/index.ts';
import {
  type BackupFolder,
  bytesBelow,
  completeBackup,
  createBackupFolder,
  discardBackup,
  type ServerBackup,
  writeMetadata,
} from './backup-folder.ts';
import { sayProgress, shownBytes } from './backup-messages.ts';
import { type BackupDeps, explained, openServers, placeOf, secretFingerprint } from './backup-servers.ts';

/** Resolves with the folder of the backup. Rejects with a `StartupError` that says what to do. */
export async function backUp(deps: BackupDeps, config: NodeConfig): Promise<string> {
  const lifecycle = createLifecycle({});
  let folder: BackupFolder | undefined;
  try {
    return await explained(config, async () => {
      const indexSets = await readIndexSetIds(deps, config.metadata_uri.reveal());
      folder = createBackupFolder(config.backup_dir, deps.clock.now());
      return fill({ deps, config, folder, indexSets }, await openServers(deps, config, lifecycle));
    });
  } catch (error) {
    await stopAll(lifecycle);
    if (folder !== undefined) discardBackup(folder);
    throw error;
  } finally {
    await stopAll(lifecycle);
  }
}

/** What goes wrong here must not hide what went wrong before. */
async function stopAll(lifecycle: Lifecycle): Promise<void> {
  await lifecycle.stop().catch(() => {});
}

interface Backup {
  readonly deps: BackupDeps;
  readonly config: NodeConfig;
  readonly folder: BackupFolder;
  /** That there were in the beginning. */
  readonly indexSets: readonly string[];
}

async function fill(backup: Backup, servers: readonly ClickHouseServer[]): Promise<string> {
  const { deps, config, folder, indexSets } = backup;
  const uri = config.metadata_uri.reveal();
  const messages = await Promise.all(servers.map((server, number) => backUpServer(backup, server, number)));
  const metadata = await writeMetadata(folder, (write) => dumpMetadata(deps, uri, write));
  const known = await readIndexSetIds(deps, uri);
  if (!indexSets.every((id) => known.includes(id))) {
    throw new StartupError(
      'an index set was deleted while it was backed up, so messages and metadata do not belong together',
      'Run the backup again.',
    );
  }
  const made = messages.filter((each) => each !== undefined);
  if (made.length < messages.length) deps.say(NO_MESSAGES);
  return completeBackup(folder, {
    format: 1,
    name: folder.name,
    made_by: readProduct().version,
    made_at: new Date(deps.clock.now()).toISOString(),
    database: config.clickhouse_database,
    metadata,
    messages: made,
    secret_fingerprint: secretFingerprint(config),
  });
}

const NO_MESSAGES =
  'The messages are NOT in this backup: set clickhouse_backup, so that your ClickHouse servers know where to put theirs.';

async function backUpServer(
  { deps: { say, signal }, config, folder }: Backup,
  shard: ClickHouseServer,
  number: number,
): Promise<ServerBackup | undefined> {
  const server = answeringReplica(shard);
  const place = placeOf(config, folder, number);
  if (place === undefined) return undefined;
  const database = config.clickhouse_database;
  const isInFolder = config.clickhouse_uri === undefined;
  if (isInFolder) requireSpace(folder, await storedBytes(server, database));
  const progress = sayProgress(say, `Messages of ${server.url}`);
  const figures = await backUpMessages(server, { database, place, progress, signal });
  if (isInFolder) requireAllBytes(folder, figures.bytes);
  say(`Messages of ${server.url}: ${shownBytes(figures.bytes)} in ${figures.files} files.`);
  return { where: isInFolder ? 'folder' : 'clickhouse_backup', ...figures };
}

const SPACE_LEFT_BYTES = 512 * 2 ** 20;

/** A backup that fills the disk of the node would stop it. */
function requireSpace(folder: BackupFolder, bytes: number): void {
  const { bavail, bsize } = fs.statfsSync(folder.path);
  if (bavail * bsize >= bytes + SPACE_LEFT_BYTES) return;
  throw new StartupError(
    `the disk of ${folder.path} has ${shownBytes(bavail * bsize)} left, and the messages are ${shownBytes(bytes)}`,
    'Free some space, of which half a gigabyte must stay free, or set backup_dir to a directory on another disk and restart the node.',
  );
}

/** The embedded ClickHouse does not notice every write that fails, such as on a full disk. */
function requireAllBytes(folder: BackupFolder, bytes: number): void {
  const found = bytesBelow(folder.messages);
  if (found === bytes) return;
  throw new PermanentError(`${folder.messages} has ${found} bytes instead of ${bytes}; is the disk full?`);
}
