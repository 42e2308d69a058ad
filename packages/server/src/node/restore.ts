/**
 * Brings a backup back into an installation without data: an empty data directory, or empty databases. The node that
 * starts on it then is a new one, with an empty journal: what was in the journal of the old one is not in a backup.
 */
import fs from 'node:fs';
import { type NodeConfig, prepareDataDirectory, readPasswordSecret } from '#config/index.ts';
import { createLifecycle, type Lifecycle, StartupError } from '#core/index.ts';
import { loadMetadata } from '#metadata/index.ts';
import { type ClickHouseServer, countMessages, engineDirectory, restoreMessages } from '#storage/index.ts';
import { openBackup, readMetadata } from './backup-folder.ts';
import { sayProgress } from './backup-messages.ts';
import {
  type BackupDeps,
  explained,
  lockData,
  placeOf,
  secretFingerprint,
  startServers,
} from './backup-servers.ts';

type OpenedBackup = ReturnType<typeof openBackup>;

/** Rejects with a `StartupError` that says what to do; the embedded ClickHouse is then as empty as before. */
export async function restore(deps: BackupDeps, config: NodeConfig): Promise<void> {
  if (config.restore_from === undefined) {
    throw new StartupError('restore needs a backup', 'Give its folder with --restore_from.');
  }
  const backup = openBackup(config.restore_from);
  prepareDataDirectory(config.data_dir);
  const lifecycle = createLifecycle({});
  try {
    await lockData(config, lifecycle);
    requireEmptyData(config);
    try {
      await restoreAll(deps, config, backup, lifecycle);
    } catch (error) {
      await lifecycle.stop();
      const { root } = engineDirectory(config.data_dir);
      if (config.clickhouse_uri === undefined) fs.rmSync(root, { recursive: true, force: true });
      throw error;
    }
  } finally {
    await lifecycle.stop();
  }
}

async function restoreAll(
  deps: BackupDeps,
  config: NodeConfig,
  backup: OpenedBackup,
  lifecycle: Lifecycle,
): Promise<void> {
  const { logger, clock, say } = deps;
  const { description } = backup;
  if (description.messages.length > 0) {
    // The embedded ClickHouse may read from there while it is restored, and only then.
    const servers = await startServers(deps, { ...config, backup_dir: backup.path }, lifecycle);
    await requireNoMessages(servers, config);
    for (const [number, { where }] of description.messages.entries()) {
      const server = servers[number % servers.length];
      if (server === undefined) continue;
      await explained(() => restoreServer(deps, config, backup, { server, number, where }));
    }
    const counts = await Promise.all(
      servers.map((server) => countMessages(server, config.clickhouse_database)),
    );
    const messages = counts.flatMap((tables) => Object.values(tables)).reduce((sum, count) => sum + count, 0);
    say(`${messages} messages are there.`);
  }
  const lines = readMetadata(backup, description.metadata);
  const loaded = await loadMetadata({ logger, clock }, config.metadata_uri.reveal(), lines);
  const { users = 0, streams = 0, inputs = 0 } = loaded;
  say(`${users} users, ${streams} streams, ${inputs} inputs and everything else of the metadata are there.`);
  if (description.secret_fingerprint !== secretFingerprint(readPasswordSecret(config).reveal())) {
    say(
      'This installation has another password_secret than that of the backup: enter the passwords of inputs, outputs and notifications again, or put the old one into the configuration before the first start.',
    );
  }
}

async function restoreServer(
  { say }: BackupDeps,
  config: NodeConfig,
  backup: OpenedBackup,
  { server, number, where }: { server: ClickHouseServer; number: number; where: string },
): Promise<void> {
  const isEmbedded = config.clickhouse_uri === undefined;
  const place = placeOf(config, backup, number);
  if (place === undefined || (isEmbedded && where !== 'folder')) {
    throw new StartupError(
      isEmbedded
        ? 'the messages of this backup were put elsewhere by ClickHouse servers, which the embedded ClickHouse cannot read'
        : 'the configuration does not say where the ClickHouse servers find the messages of the backup',
      isEmbedded
        ? 'Set clickhouse_uri and clickhouse_backup as they were when the backup was made.'
        : 'Set clickhouse_backup; for the backup of an embedded ClickHouse, copy its folder `messages` there first.',
    );
  }
  const progress = sayProgress(say, `Messages for ${server.url}`);
  const { database: from } = backup.description;
  await restoreMessages(server, { database: config.clickhouse_database, from, place, progress });
}

/** Messages that wait in a journal would be stored beside those of the backup that are the same. */
function requireEmptyData(config: NodeConfig): void {
  const used = [config.message_journal_dir, engineDirectory(config.data_dir).root].find((directory) =>
    fs.existsSync(directory),
  );
  if (used === undefined) return;
  throw new StartupError(
    `a node has used this data directory: there is ${used}`,
    'Restore into a new one, with --data_dir, or move the old one away.',
  );
}

async function requireNoMessages(servers: readonly ClickHouseServer[], config: NodeConfig): Promise<void> {
  for (const server of servers) {
    const counts = await countMessages(server, config.clickhouse_database);
    const [table] = Object.keys(counts);
    if (table === undefined) continue;
    throw new StartupError(
      `ClickHouse at ${server.url} has messages already: ${counts[table]} in ${config.clickhouse_database}.${table}`,
      'Restore into an empty database: set clickhouse_database to another name, or drop this one.',
    );
  }
}
