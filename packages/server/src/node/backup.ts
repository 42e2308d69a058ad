/**
 * Makes a backup of the metadata and the messages, while nodes run or while they do not. Messages are backed up first: an
 * index of which the metadata knows more than the messages is complete again as soon as the node that wrote it goes on,
 * and the other way round its messages would never be deleted.
 */
import path from 'node:path';
import { type NodeConfig, readPasswordSecret, readProduct } from '#config/index.ts';
import { createLifecycle, type Lifecycle, PermanentError, StartupError } from '#core/index.ts';
import { dumpMetadata, readIndexVersion } from '#metadata/index.ts';
import { backUpMessages } from '#storage/index.ts';
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

/** While indices are rotated or deleted, messages and metadata do not belong together. */
const ATTEMPTS = 3;

/** Resolves with the folder of the backup. Rejects with a `StartupError` that says what to do. */
export async function backUp(deps: BackupDeps, config: NodeConfig): Promise<string> {
  const lifecycle = createLifecycle({});
  const folder = createBackupFolder(config.backup_dir, deps.clock.now());
  try {
    return await fill(deps, config, lifecycle, folder);
  } catch (error) {
    discardBackup(folder);
    throw error;
  } finally {
    await lifecycle.stop();
  }
}

async function fill(
  deps: BackupDeps,
  config: NodeConfig,
  lifecycle: Lifecycle,
  folder: BackupFolder,
): Promise<string> {
  const { logger, clock, say } = deps;
  const uri = config.metadata_uri.reveal();
  let version = await readIndexVersion({ logger, clock }, uri);
  const servers = await openServers(deps, config, lifecycle);
  for (let attempt = 1; ; attempt++) {
    const messages = await Promise.all(
      servers.map((server, number) => explained(() => backUpServer(deps, config, folder, server, number))),
    );
    const metadata = await writeMetadata(folder, (write) => dumpMetadata({ logger, clock }, uri, write));
    const after = await readIndexVersion({ logger, clock }, uri);
    if (after === version) {
      const made = messages.filter((each) => each !== undefined);
      if (made.length < messages.length) say(NO_MESSAGES);
      return completeBackup(folder, {
        format: 1,
        made_by: readProduct().version,
        made_at: new Date(clock.now()).toISOString(),
        database: config.clickhouse_database,
        metadata,
        messages: made,
        secret_fingerprint: secretFingerprint(readPasswordSecret(config).reveal()),
      });
    }
    if (attempt === ATTEMPTS || config.clickhouse_uri !== undefined) throw restless();
    say('An index was rotated or deleted meanwhile: starting again.');
    discardBackup({ ...folder, path: folder.messages });
    version = after;
  }
}

const NO_MESSAGES =
  'The messages are NOT in this backup: set clickhouse_backup, so that your ClickHouse servers know where to put theirs.';

function restless(): StartupError {
  return new StartupError(
    'an index was rotated or deleted while it was backed up, so messages and metadata do not belong together',
    'Run the backup again.',
  );
}

async function backUpServer(
  { say }: BackupDeps,
  config: NodeConfig,
  folder: BackupFolder,
  server: Parameters<typeof backUpMessages>[0],
  number: number,
): Promise<ServerBackup | undefined> {
  const place = placeOf(config, folder, number);
  if (place === undefined) return undefined;
  const progress = sayProgress(say, `Messages of ${server.url}`);
  const figures = await backUpMessages(server, { database: config.clickhouse_database, place, progress });
  const isInFolder = config.clickhouse_uri === undefined;
  if (isInFolder) requireAllBytes(folder, figures.bytes);
  say(`Messages of ${server.url}: ${shownBytes(figures.bytes)} in ${figures.files} files.`);
  return { where: isInFolder ? 'folder' : 'clickhouse_backup', ...figures };
}

/** The embedded ClickHouse does not notice every write that fails, such as on a full disk. */
function requireAllBytes(folder: BackupFolder, bytes: number): void {
  const found = bytesBelow(folder.messages);
  if (found === bytes) return;
  throw new PermanentError(
    `${path.join(folder.messages)} has ${found} bytes instead of ${bytes}; is the disk full?`,
  );
}
