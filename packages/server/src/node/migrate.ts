/**
 * Moves a single node, with SQLite and the embedded ClickHouse in its data directory, to a PostgreSQL and to ClickHouse
 * servers: messages first, then the metadata in one transaction, each checked by counts and hashes. The data directory stays
 * as it is. A run that was interrupted is taken up by the next one.
 */
import fs from 'node:fs';
import path from 'node:path';
import { type NodeConfig, prepareDataDirectory } from '#config/index.ts';
import { createLifecycle, type Lifecycle, lockDirectory, StartupError } from '#core/index.ts';
import { allocateSharedBudget, listPartitions, openPartition, sharedByteBudget } from '#journal/index.ts';
import { type DumpedLine, dumpMetadata, loadMetadata, recordsOf } from '#metadata/index.ts';
import {
  answeringReplica,
  type ClickHouse,
  type ClickHouseEndpoint,
  type ClickHouseServer,
  copyIndex,
  countMessages,
  createClickHouse,
  createEmbeddedEngine,
  createMessageTables,
  databasesWith,
  engineDirectory,
  indicesToCopy,
  lastColdDirectory,
  type MessageCopy,
} from '#storage/index.ts';
import { tableOf } from '#storage/service.ts';
import { createBackupFolder, discardBackup, readMetadata, writeMetadata } from './backup-folder.ts';
import { type BackupDeps, explained, secretFingerprint, startClickHouse } from './backup-servers.ts';
import { closing } from './closing.ts';
import { fingerprints, fingerprintsAt, isSameMetadata } from './metadata-fingerprints.ts';

interface Migration {
  readonly deps: BackupDeps;
  readonly config: NodeConfig;
  readonly from: string;
  readonly servers: readonly ClickHouseEndpoint[];
  readonly lifecycle: Lifecycle;
}

/** Rejects with a `StartupError` that says what to do. */
export async function migrate(deps: BackupDeps, config: NodeConfig): Promise<void> {
  const { migrate_from: from, clickhouse_uri: servers } = config;
  if (from === undefined) {
    throw new StartupError(
      'migrate needs the data of a single node',
      'Give its data_dir with --migrate_from.',
    );
  }
  if (servers === undefined || config.metadata_uri.reveal().startsWith('sqlite:')) {
    throw new StartupError(
      'there is nowhere to move to',
      'Set metadata_uri to a PostgreSQL and clickhouse_uri to ClickHouse servers.',
    );
  }
  const lifecycle = createLifecycle({});
  try {
    await explained(config, () => run({ deps, config, from, servers, lifecycle }));
  } finally {
    await lifecycle.stop().catch(() => {});
  }
}

const sqliteOf = (dataDir: string) => `sqlite:${path.join(dataDir, 'metadata.sqlite')}`;

async function run(migration: Migration): Promise<void> {
  const { deps, config, from, lifecycle } = migration;
  const lock = lockDirectory(from);
  await lifecycle.start(closing('data directory lock', () => lock.release()));
  await requireEmptyJournal(migration);
  prepareDataDirectory(config.data_dir);
  // A dump of the metadata, as a backup has it.
  const folder = createBackupFolder(path.join(config.data_dir, 'migration'), deps.clock.now());
  await lifecycle.start(closing('dump of the metadata', () => discardBackup(folder)));
  await writeMetadata(folder, (write) => dumpMetadata(deps, sqliteOf(from), write));
  const wanted = await fingerprints(readMetadata(folder));
  const present = await fingerprintsAt(deps, config.metadata_uri.reveal());
  if (present !== undefined && !isSameMetadata(wanted, present)) {
    throw new StartupError(
      'the metadata database is in use, and not by this installation as it is now',
      'Migrate into an empty one: set metadata_uri to another database.',
    );
  }
  await migrateMessages(migration, () => readMetadata(folder), present !== undefined);
  deps.signal.throwIfAborted();
  if (present === undefined) {
    await loadMetadata(deps, config.metadata_uri.reveal(), readMetadata(folder));
    const arrived = await fingerprintsAt(deps, config.metadata_uri.reveal());
    const table = [...wanted.keys()].find((each) => arrived?.get(each) !== wanted.get(each));
    if (table !== undefined) {
      throw new StartupError(
        `the table ${table} of the metadata is not the same in the new database: ${arrived?.get(table)} instead of ${wanted.get(table)}`,
        'Empty the database of metadata_uri and report this.',
      );
    }
  }
  const rows = [...wanted.values()].reduce((sum, text) => sum + Number(text.split(' ')[0]), 0);
  deps.say(`Metadata: ${rows} rows in ${wanted.size} tables, the same on both sides.`);
  fs.rmSync(markOf(config), { force: true });
  if (
    secretFingerprint({ ...config, password_secret: undefined, data_dir: from }) !== secretFingerprint(config)
  ) {
    deps.say(
      'The cluster does not have the password_secret of the single node: set it before the first start, or enter the passwords of inputs, outputs and notifications again.',
    );
  }
  deps.say(
    'Migration complete. Start the nodes of the cluster; the data directory of the single node is as it was.',
  );
}

/** What waits there would be missing, or stored twice by a node that starts on it later. */
async function requireEmptyJournal({ deps, from }: Migration): Promise<void> {
  const directory = path.join(from, 'journal');
  if (!fs.existsSync(directory)) return;
  for (const { directory: partition } of await listPartitions(directory)) {
    const budget = sharedByteBudget(allocateSharedBudget(Number.MAX_SAFE_INTEGER, 1), 0);
    const opened = await openPartition(
      { clock: deps.clock, budget, report: () => {} },
      { directory: partition, flushAgeMs: 5, fullPolicy: 'block' },
    );
    const { uncommittedRecords } = opened.stats();
    await opened.close();
    if (uncommittedRecords === 0) continue;
    throw new StartupError(
      `${uncommittedRecords} messages wait in the journal ${partition}`,
      'Start the node without senders until its journal is empty, or run `npm start -- drain` on its data directory.',
    );
  }
}

/** It says that the messages at the target are of this migration. */
const markOf = (config: NodeConfig) => path.join(config.data_dir, 'migrating');

async function migrateMessages(
  migration: Migration,
  metadata: () => AsyncIterable<DumpedLine>,
  mayBeThere: boolean,
): Promise<void> {
  const { deps, config, from, servers, lifecycle } = migration;
  const database = config.clickhouse_database;
  const clickhouse = await startClickHouse(deps, config, lifecycle);
  await claimTarget(migration, clickhouse, mayBeThere);
  const tables = createMessageTables(clickhouse, { database });
  await tables.createDatabase();
  const known = new Set<string>();
  for (const { id, prefix } of await recordsOf(metadata(), 'index_sets')) {
    const table = tableOf({ id: String(id), prefix: String(prefix) });
    await tables.ensure(table);
    known.add(table);
  }
  const source = await startSource(migration);
  const targets = clickhouse.servers.map((server, shard) => {
    const { url } = answeringReplica(server);
    const all = [servers[shard], ...(servers[shard]?.replicas ?? [])];
    const endpoint = all.find((each) => each?.url === url);
    if (endpoint === undefined) throw new Error(`${url} is not a server of the configuration`);
    return { server, endpoint };
  });
  const sourceDatabase = await findSourceDatabase(migration, source, known);
  const copy: MessageCopy = { source, from: sourceDatabase, targets, database, signal: deps.signal };
  const indices = (await indicesToCopy(copy)).filter(({ table }) => known.has(table));
  const total = indices.reduce((sum, { messages }) => sum + messages, 0);
  const line = progressLine(deps.say, total);
  for (const index of indices) {
    deps.signal.throwIfAborted();
    const result = await copyIndex(copy, index, line);
    const name = `Index ${index.number} of ${index.table}: ${index.messages} messages`;
    deps.say(result === 'copied' ? `${name}, the same on both sides.` : `${name} were there already.`);
  }
  deps.say(`Messages: ${total} in ${indices.length} indices of ${from}, the same on both sides.`);
}

/** The single node may have had another `clickhouse_database` than the cluster, or several one after the other. */
async function findSourceDatabase(
  { deps, config, from }: Migration,
  source: ClickHouseServer,
  tables: ReadonlySet<string>,
): Promise<string> {
  const wanted = config.clickhouse_database;
  const found = await databasesWith(source, [...tables]);
  const [only = wanted] = found;
  const chosen = found.includes(wanted) ? wanted : only;
  if (found.length < 2) return chosen;
  if (chosen !== wanted) {
    throw new StartupError(
      `${from} has messages in several databases: ${found.join(', ')}`,
      'Set clickhouse_database to the one that the single node had last.',
    );
  }
  const others = found.filter((each) => each !== chosen).join(', ');
  deps.say(
    `The messages of the database ${chosen} are moved. ${from} also has ${others}, which stays there.`,
  );
  return chosen;
}

const SAY_EVERY_MS = 2000;

function progressLine(say: (line: string) => void, total: number): (messages: number) => void {
  let done = 0;
  let saidAt = performance.now();
  return (messages) => {
    done += messages;
    if (performance.now() - saidAt < SAY_EVERY_MS) return;
    saidAt = performance.now();
    say(`${done} of ${total} messages (${Math.floor((100 * done) / Math.max(1, total))} %)`);
  };
}

/** The first run needs an empty database. Later ones may find what the first one has sent. */
async function claimTarget(
  { config, from, servers }: Migration,
  clickhouse: ClickHouse,
  mayBeThere: boolean,
): Promise<void> {
  const database = config.clickhouse_database;
  const claim = JSON.stringify({
    from: path.resolve(from),
    database,
    servers: servers.map(({ url }) => url),
  });
  const mark = markOf(config);
  if (fs.existsSync(mark) && fs.readFileSync(mark, 'utf8') === claim) return;
  for (const server of mayBeThere ? [] : clickhouse.servers.map(answeringReplica)) {
    const [table] = Object.keys(await countMessages(server, database));
    if (table === undefined) continue;
    throw new StartupError(
      `ClickHouse at ${server.url} has messages already, in ${database}.${table}`,
      'Migrate into an empty database: set clickhouse_database to another name, or drop this one. A migration that was interrupted goes on with the data_dir that it had.',
    );
  }
  fs.writeFileSync(mark, claim, { flush: true });
}

/** The ClickHouse of the single node, which may send to others here. Nothing is merged meanwhile. */
async function startSource({ deps, config, from, lifecycle }: Migration) {
  if (!fs.existsSync(engineDirectory(from).root)) {
    throw new StartupError(`${from} has no messages of an embedded ClickHouse`, 'Check --migrate_from.');
  }
  const engine = createEmbeddedEngine(
    { logger: deps.logger, clock: deps.clock },
    {
      dataDir: from,
      maxMemoryBytes: config.clickhouse_max_memory,
      isShard: true,
      coldDir: lastColdDirectory(engineDirectory(from)),
    },
  );
  await lifecycle.start(engine);
  const clickhouse = createClickHouse(() => [engine.endpoint()]);
  await lifecycle.start(closing('connection to the embedded ClickHouse', () => clickhouse.close()));
  const [source] = clickhouse.servers;
  if (source === undefined) throw new Error('the embedded ClickHouse has no address');
  await source.command('SYSTEM STOP MERGES');
  return source;
}
