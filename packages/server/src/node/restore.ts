/**
 * Brings a backup back into an installation without data: an empty data directory, or empty databases. The node that
 * starts on it then is a new one, with an empty journal: what was in the journal of the old one is not in a backup.
 */
import fs from 'node:fs';
import { type NodeConfig, prepareDataDirectory, restoringFile } from '#config/index.ts';
import { createLifecycle, type Lifecycle, PermanentError, StartupError } from '#core/index.ts';
import { loadMetadata, recordsOf, requireLoadable } from '#metadata/index.ts';
import {
  answeringReplica,
  type ClickHouse,
  type ClickHouseServer,
  countMessages,
  createMessageTables,
  engineDirectory,
  restoreMessages,
} from '#storage/index.ts';
import { tableOf } from '#storage/service.ts';
import { bytesBelow, openBackup, readMetadata, requireMetadata } from './backup-folder.ts';
import { sayProgress } from './backup-messages.ts';
import {
  type BackupDeps,
  explained,
  lockData,
  placeOf,
  secretFingerprint,
  startClickHouse,
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
    await explained(config, () => restoreUnderLock(deps, config, backup, lifecycle));
  } finally {
    await lifecycle.stop().catch(() => {});
  }
}

/** A node does not start where a restore was interrupted: it would run on a part of the messages. */
async function restoreUnderLock(
  deps: BackupDeps,
  config: NodeConfig,
  backup: OpenedBackup,
  lifecycle: Lifecycle,
): Promise<void> {
  requireEmptyData(config);
  await requireUsable(deps, config, backup);
  const mark = restoringFile(config.data_dir);
  fs.writeFileSync(mark, `${backup.path}\n`, { flush: true });
  const servers = createLifecycle({});
  await lifecycle.start({
    name: 'servers of the restore',
    start: async () => {},
    stop: () => servers.stop(),
  });
  // From then on the mark stays if something fails: there would be metadata without messages.
  let isLoading = false;
  try {
    await restoreAll(deps, config, backup, servers, () => {
      isLoading = true;
    });
  } catch (error) {
    await servers.stop().catch(() => {});
    if (isLoading) throw error;
    const { root } = engineDirectory(config.data_dir);
    if (config.clickhouse_uri === undefined) fs.rmSync(root, { recursive: true, force: true });
    fs.rmSync(mark, { force: true });
    throw error;
  }
  await servers.stop();
  fs.rmSync(mark, { force: true });
}

/** What can be known before hours of work. */
async function requireUsable(deps: BackupDeps, config: NodeConfig, backup: OpenedBackup): Promise<void> {
  const { metadata, messages } = backup.description;
  await requireMetadata(backup, metadata.sha256);
  for await (const first of readMetadata(backup)) {
    await requireLoadable(deps, config.metadata_uri.reveal(), first);
    break;
  }
  const inFolder = messages
    .filter(({ where }) => where === 'folder')
    .reduce((sum, { bytes }) => sum + bytes, 0);
  if (config.clickhouse_uri !== undefined || inFolder === 0) return;
  const found = fs.existsSync(backup.messages) ? bytesBelow(backup.messages) : 0;
  if (found === inFolder) return;
  throw new StartupError(
    `${backup.messages} has ${found} bytes instead of ${inFolder}: a part of the backup is missing`,
    'Copy the backup again, as a whole, or use an earlier one.',
  );
}

async function restoreAll(
  deps: BackupDeps,
  config: NodeConfig,
  backup: OpenedBackup,
  lifecycle: Lifecycle,
  loading: () => void,
): Promise<void> {
  const { say } = deps;
  const { description } = backup;
  if (description.messages.length === 0) say('This backup has no messages, only metadata.');
  else {
    // The embedded ClickHouse may read from there while it is restored, and only then.
    const clickhouse = await startClickHouse(deps, { ...config, backup_dir: backup.path }, lifecycle);
    const servers = clickhouse.servers.map(answeringReplica);
    await requireNoMessages(servers, config);
    let hasOwnTables = clickhouse.replication !== undefined;
    if (hasOwnTables) await createTables(clickhouse, config, backup);
    for (const [number, { where }] of description.messages.entries()) {
      const server = servers[number % servers.length];
      if (server === undefined) continue;
      const target = { server, number, where, addsToTables: number >= servers.length };
      try {
        await restoreServer(deps, config, backup, { ...target, hasOwnTables });
      } catch (error) {
        if (hasOwnTables || !isUnknownPolicy(error)) throw error;
        say('The storage policy of the backup does not exist here: its messages go to the usual disks.');
        hasOwnTables = true;
        await createTables(clickhouse, config, backup);
        await restoreServer(deps, config, backup, { ...target, hasOwnTables });
      }
    }
    const counts = await Promise.all(
      servers.map((server) => countMessages(server, config.clickhouse_database)),
    );
    const messages = counts.flatMap((tables) => Object.values(tables)).reduce((sum, count) => sum + count, 0);
    say(`${messages} messages are there.`);
  }
  deps.signal.throwIfAborted();
  loading();
  const loaded = await loadMetadata(deps, config.metadata_uri.reveal(), readMetadata(backup));
  const { users = 0, streams = 0, inputs = 0 } = loaded;
  say(`${users} users, ${streams} streams, ${inputs} inputs and everything else of the metadata are there.`);
  if (description.secret_fingerprint !== secretFingerprint(config)) {
    say(
      'This installation does not have the password_secret of the backup: set it before the first start, or enter the passwords of inputs, outputs and notifications again.',
    );
  }
}

/** The tables of the backup name the disks of where it was made. They are created before any message is restored. */
function isUnknownPolicy(error: unknown): boolean {
  return error instanceof PermanentError && /UNKNOWN_POLICY|storage policy/i.test(error.message);
}

/** Those of the backup may not be replicated, have the path of another database, or a storage policy of other disks. */
async function createTables(clickhouse: ClickHouse, config: NodeConfig, backup: OpenedBackup): Promise<void> {
  const tables = createMessageTables(clickhouse, { database: config.clickhouse_database });
  await tables.createDatabase();
  for (const { id, prefix } of await recordsOf(readMetadata(backup), 'index_sets')) {
    await tables.ensure(tableOf({ id: String(id), prefix: String(prefix) }));
  }
}

interface RestoreTarget {
  readonly server: ClickHouseServer;
  readonly number: number;
  readonly where: string;
  readonly addsToTables: boolean;
  /** The tables are there, and may be defined otherwise. */
  readonly hasOwnTables: boolean;
}

async function restoreServer(
  { say, signal }: BackupDeps,
  config: NodeConfig,
  backup: OpenedBackup,
  target: RestoreTarget,
): Promise<void> {
  const { server, number, where, addsToTables, hasOwnTables } = target;
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
  const database = config.clickhouse_database;
  await restoreMessages(server, { database, from, place, addsToTables, hasOwnTables, progress, signal });
}

/** Messages that wait in a journal would be stored beside those of the backup that are the same. */
function requireEmptyData(config: NodeConfig): void {
  const places = [
    config.message_journal_dir,
    engineDirectory(config.data_dir).root,
    restoringFile(config.data_dir),
  ];
  const used = places.find(isUsed);
  if (used === undefined) return;
  throw new StartupError(
    `this data directory is in use, or a restore into it was interrupted: there is ${used}`,
    'Restore into a new one, with --data_dir, or move this one away.',
  );
}

/** A directory may be there and empty, as a volume that was just mounted. */
function isUsed(place: string): boolean {
  if (!fs.existsSync(place)) return false;
  return !fs.statSync(place).isDirectory() || fs.readdirSync(place).length > 0;
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
