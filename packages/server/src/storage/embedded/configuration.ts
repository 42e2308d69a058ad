import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { errorCode, Secret, StartupError } from '#core/index.ts';
import { INSTANCE_MACRO } from '../clickhouse/index.ts';

/**
 * The folder of the embedded engine inside `data_dir`:
 *
 *   engine.xml        configuration, rewritten at every start; readable by the owner only
 *   password          of the user `millrace`, generated once; readable by the owner only
 *   engine.pid        who is running the engine (see previous-engine.ts)
 *   engine.log        standard output and error of the engine process, size-bounded
 *   clickhouse.log    ClickHouse's own log, rotated by ClickHouse
 *   store/            ClickHouse's data
 *   definitions/      copies of the definitions of tables (see definitions.ts)
 */
export interface EngineDirectory {
  readonly root: string;
  readonly configuration: string;
  readonly password: string;
  readonly pid: string;
  readonly log: string;
  readonly clickhouseLog: string;
  readonly store: string;
  readonly definitions: string;
}

export const ENGINE_USER = 'millrace';
export const LOOPBACK = '127.0.0.1';

const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_DIRECTORY = 0o700;
const PASSWORD_BYTES = 24;
const LOG_SIZE = '10M';
const LOG_COUNT = 3;
const MOST_KEPT_FREE_BYTES = 256 * 2 ** 20;
/** The limit of the user without a password, who only keeps the server open. */
const IDLE_MEMORY_BYTES = 64 * 2 ** 20;

/**
 * Everything Millrace does with its tables. Deliberately not included: reading and writing files and addresses (FILE,
 * URL, S3, REMOTE), users and permissions, shutting down the server.
 */
const WORK_GRANTS = [
  'GRANT SHOW, SELECT, INSERT, ALTER, CREATE, DROP, TRUNCATE, OPTIMIZE, KILL QUERY ON *.*',
  'GRANT BACKUP ON *.*',
  'GRANT SYSTEM MERGES, SYSTEM TTL MERGES, SYSTEM MOVES, SYSTEM FLUSH, SYSTEM DROP CACHE ON *.*',
  'GRANT TABLE ENGINE ON *',
];

/** What a shard needs in addition: to read from the others in a statement that it answers. */
const SHARD_GRANTS = ['GRANT REMOTE, CREATE TEMPORARY TABLE ON *.*'];

export interface EngineSettings {
  readonly directory: EngineDirectory;
  readonly port: number;
  /** Undefined: no other server talks to this one. */
  readonly nativePort: number | undefined;
  readonly password: Secret;
  readonly maxMemoryBytes: number;
  /** The only place outside of its folder that it may write to and read from, for backups; undefined for none. */
  readonly backupDir?: string | undefined;
  /** The disk for old messages; undefined for none. */
  readonly coldDir?: string | undefined;
  readonly emulated: boolean;
  /** Of this run of the engine. */
  readonly instance: string;
}

export function engineDirectory(dataDir: string): EngineDirectory {
  const root = path.resolve(dataDir, 'clickhouse');
  return {
    root,
    configuration: path.join(root, 'engine.xml'),
    password: path.join(root, 'password'),
    pid: path.join(root, 'engine.pid'),
    log: path.join(root, 'engine.log'),
    clickhouseLog: path.join(root, 'clickhouse.log'),
    store: path.join(root, 'store'),
    definitions: path.join(root, 'definitions'),
  };
}

/** Creates the engine's folder and checks that it is writable, instead of leaving that to the engine's log. */
export function prepareDirectory(directory: EngineDirectory): void {
  try {
    fs.mkdirSync(directory.store, { recursive: true, mode: OWNER_ONLY_DIRECTORY });
    fs.chmodSync(directory.root, OWNER_ONLY_DIRECTORY);
    fs.accessSync(directory.store, fs.constants.W_OK);
  } catch (error) {
    throw new StartupError(
      `cannot write to ${directory.root} (${errorCode(error) ?? String(error)})`,
      'give data_dir a directory that the user running Millrace may write to',
      { cause: error },
    );
  }
}

/** Only the owner may read the messages there. */
function prepareColdDirectory(directory: string): void {
  try {
    fs.mkdirSync(directory, { recursive: true, mode: OWNER_ONLY_DIRECTORY });
    fs.accessSync(directory, fs.constants.W_OK);
  } catch (error) {
    throw new StartupError(
      `cannot write to ${directory} (${errorCode(error) ?? String(error)})`,
      'give clickhouse_cold_dir a directory that the user running Millrace may write to',
      { cause: error },
    );
  }
}

/** The password of the user `millrace`: from the file, or a new one that is stored there. */
export function enginePassword(file: string): Secret {
  try {
    const kept = fs.readFileSync(file, 'utf8').trim();
    if (kept !== '') return new Secret(kept);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  const generated = randomBytes(PASSWORD_BYTES).toString('base64url');
  writeOwnerOnly(file, `${generated}\n`);
  return new Secret(generated);
}

/** What every request to the engine must carry. */
export function engineAuthorization(password: Secret): string {
  return `Basic ${Buffer.from(`${ENGINE_USER}:${password.reveal()}`).toString('base64')}`;
}

export function writeConfiguration(settings: EngineSettings): void {
  if (settings.coldDir !== undefined) prepareColdDirectory(settings.coldDir);
  const volumeBytes = volumeSize(settings.directory.store);
  const coldBytes = settings.coldDir === undefined ? 0 : volumeSize(settings.coldDir);
  writeOwnerOnly(settings.directory.configuration, renderConfiguration(settings, volumeBytes, coldBytes));
}

function volumeSize(directory: string): number {
  const { blocks, bsize } = fs.statfsSync(directory);
  return blocks * bsize;
}

/** The directory for old messages that an engine was last started with, which its tables need. */
export function lastColdDirectory({ configuration }: EngineDirectory): string | undefined {
  let text: string;
  try {
    text = fs.readFileSync(configuration, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  const { volume } = EMBEDDED_TIERS;
  const found = new RegExp(`<${volume}><path>([^<]*)</path>`).exec(text)?.[1];
  return found === undefined ? undefined : unescapeXml(found);
}

/** Writes beside the target and renames, so nobody reads a half-written file. Others can never read it. */
export function writeOwnerOnly(file: string, content: string): void {
  const temporary = `${file}.new`;
  fs.rmSync(temporary, { force: true });
  fs.writeFileSync(temporary, content, { mode: OWNER_ONLY_FILE, flag: 'wx', flush: true });
  fs.renameSync(temporary, file);
}

/**
 * ClickHouse's configuration. The start statement runs as the user `default`, which must exist without a password.
 * That user may open the port and nothing else, and nobody can log in as that user: requests are handled only when
 * they carry the credentials of the user with the generated password, who does all the work.
 */
export function renderConfiguration(settings: EngineSettings, volumeBytes: number, coldBytes = 0): string {
  const { directory, maxMemoryBytes, nativePort } = settings;
  const grants = nativePort === undefined ? WORK_GRANTS : [...WORK_GRANTS, ...SHARD_GRANTS];
  const passwordHash = createHash('sha256').update(settings.password.reveal()).digest('hex');
  // Caches count towards the memory limit but do not shrink for queries: keep them small.
  const cache = Math.floor(maxMemoryBytes / 32);
  return `<clickhouse>
  <http_port>${settings.port}</http_port>${nativePort === undefined ? '' : `\n  <tcp_port>${nativePort}</tcp_port>`}
  <listen_host>${LOOPBACK}</listen_host>
  <http_handlers>
    <rule>
      <headers><Authorization>${engineAuthorization(settings.password)}</Authorization></headers>
      <handler><type>dynamic_query_handler</type><query_param_name>query</query_param_name></handler>
    </rule>
  </http_handlers>
  <path>${escapeXml(`${directory.store}${path.sep}`)}</path>
  <user_files_path>${escapeXml(path.join(directory.store, 'user_files', path.sep))}</user_files_path>
  <timezone>UTC</timezone>${renderBackups(settings)}
  <storage_configuration>${renderDisks(settings, volumeBytes, coldBytes)}</storage_configuration>
  <macros><${INSTANCE_MACRO}>${settings.instance}</${INSTANCE_MACRO}></macros>
  <log-level>warning</log-level>
  <logger>
    <log>${escapeXml(directory.clickhouseLog)}</log>
    <size>${LOG_SIZE}</size>
    <count>${LOG_COUNT}</count>
  </logger>
  <max_server_memory_usage>${maxMemoryBytes}</max_server_memory_usage>
${renderMergeMemory(maxMemoryBytes)}
  <mark_cache_size>${cache * 2}</mark_cache_size>
  <index_mark_cache_size>${cache}</index_mark_cache_size>
  <primary_index_cache_size>${cache}</primary_index_cache_size>
  <text_index_tokens_cache_size>${cache}</text_index_tokens_cache_size>
  <text_index_header_cache_size>${cache}</text_index_header_cache_size>
  <text_index_postings_cache_size>${cache * 2}</text_index_postings_cache_size>
  <database_atomic_delay_before_drop_table_sec>0</database_atomic_delay_before_drop_table_sec>
  <users_config>${escapeXml(path.basename(directory.configuration))}</users_config>
  <profiles>
    <default>${renderSettings({ ...workSettings(settings.emulated), ...temporaryDataSettings(volumeBytes) })}</default>
    <idle>
      <max_threads>1</max_threads>
      <max_memory_usage_for_user>${IDLE_MEMORY_BYTES}</max_memory_usage_for_user>
      <constraints>
        <max_threads><readonly/></max_threads>
        <max_memory_usage_for_user><readonly/></max_memory_usage_for_user>
      </constraints>
    </idle>
  </profiles>
  <quotas><default/></quotas>
  <users>
    <default>
      <password></password>
      <networks><ip>${LOOPBACK}</ip></networks>
      <profile>idle</profile>
      <quota>default</quota>
      <grants><query>GRANT SYSTEM LISTEN ON *.*</query></grants>
    </default>
    <${ENGINE_USER}>
      <password_sha256_hex>${passwordHash}</password_sha256_hex>
      <networks><ip>${LOOPBACK}</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants>${grants.map((grant) => `<query>${escapeXml(grant)}</query>`).join('')}</grants>
    </${ENGINE_USER}>
  </users>
</clickhouse>
`;
}

function renderBackups({ backupDir, coldDir }: EngineSettings): string {
  const allowed =
    backupDir === undefined ? '' : `<allowed_path>${escapeXml(folder(backupDir))}</allowed_path>`;
  const disk = coldDir === undefined ? '' : `<allowed_disk>${EMBEDDED_TIERS.volume}</allowed_disk>`;
  return allowed === '' && disk === '' ? '' : `\n  <backups>${disk}${allowed}</backups>`;
}

/** Tables can get this storage policy later, because its first volume is that of ClickHouse's own policy. */
export const EMBEDDED_TIERS = { policy: 'millrace_tiers', volume: 'cold' } as const;

function renderDisks({ coldDir }: EngineSettings, volumeBytes: number, coldBytes: number): string {
  const free = (bytes: number) => `<keep_free_space_bytes>${keptFree(bytes)}</keep_free_space_bytes>`;
  const hot = `<default>${free(volumeBytes)}</default>`;
  if (coldDir === undefined) return `<disks>${hot}</disks>`;
  const { policy, volume } = EMBEDDED_TIERS;
  const cold = `<${volume}><path>${escapeXml(folder(coldDir))}</path>${free(coldBytes)}</${volume}>`;
  const volumes = `<default><disk>default</disk></default><${volume}><disk>${volume}</disk></${volume}>`;
  // Nothing moves because a disk gets full: index sets decide.
  return `<disks>${hot}${cold}</disks>
    <policies><${policy}><volumes>${volumes}</volumes><move_factor>0</move_factor></${policy}></policies>`;
}

function folder(directory: string): string {
  return path.join(directory, path.sep);
}

const LITTLE_MEMORY_BYTES = 2 ** 30;

/**
 * No merge begins while merges have half of the memory: the rest is for inserts and searches. With little memory there
 * are fewer merges at the same time, which costs up to a quarter more CPU and takes a tenth less memory.
 */
function renderMergeMemory(maxMemoryBytes: number): string {
  const half = Math.floor(maxMemoryBytes / 2);
  const fewer =
    maxMemoryBytes > LITTLE_MEMORY_BYTES
      ? ''
      : '\n  <background_merges_mutations_concurrency_ratio>1</background_merges_mutations_concurrency_ratio>';
  return `  <merges_mutations_memory_usage_soft_limit>${half}</merges_mutations_memory_usage_soft_limit>${fewer}`;
}

/** Replaces defaults of ClickHouse that do not suit us. */
function workSettings(emulated: boolean): Readonly<Record<string, number>> {
  return {
    // The profiler samples for a log table that does not exist in this mode of ClickHouse.
    query_profiler_real_time_period_ns: 0,
    query_profiler_cpu_time_period_ns: 0,
    // Keeps the lists of the messages that have a word. The page, the total and the histogram of a search need the same
    // ones, and so does the next page; otherwise each statement reads and unpacks them again. A list takes at most an
    // eighth of a byte for each message of a table. Later releases of ClickHouse do so by themselves.
    use_text_index_postings_cache: 1,
    // Compiled machine code would have to be translated by the emulator: that is not worth it.
    ...(emulated && {
      compile_expressions: 0,
      compile_aggregate_expressions: 0,
      compile_sort_description: 0,
    }),
  };
}

/**
 * Large sorts and groupings write temporary files to the volume of the messages, which is usually also that of the
 * journal. They get a tenth of it, one statement half of that, and never the last tenth. The engine applies the first
 * two limits to groupings only, the last one to sorts too.
 */
function temporaryDataSettings(volumeBytes: number): Readonly<Record<string, number>> {
  const tenth = Math.floor(volumeBytes / 10);
  return {
    max_temporary_data_on_disk_size_for_user: tenth,
    max_temporary_data_on_disk_size_for_query: Math.floor(tenth / 2),
    min_free_disk_space_for_temporary_data: tenth,
  };
}

/** Inserts and merges are refused before the disk is full, so that those that have begun can be written. */
function keptFree(volumeBytes: number): number {
  return Math.floor(Math.min(volumeBytes / 100, MOST_KEPT_FREE_BYTES));
}

function renderSettings(settings: Readonly<Record<string, number>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('');
}

const XML_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Escapes text for an XML element. XML cannot express most control characters: those are refused. */
export function escapeXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters XML 1.0 cannot hold
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(text) || !text.isWellFormed()) {
    throw new StartupError(
      `the path ${JSON.stringify(text)} contains a character that the engine's configuration cannot hold`,
      'choose a data_dir without control characters',
    );
  }
  return text.replace(/[&<>"'\t\n\r]/g, (character) => XML_ENTITIES[character] ?? character);
}

/** A port that is free on the loopback address now. Another program may still take it before ClickHouse does. */
export function freeLoopbackPort(preferred = 0): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.unref();
    server.once('error', (error) => {
      if (preferred !== 0 && errorCode(error) === 'EADDRINUSE') resolve(freeLoopbackPort());
      else reject(error);
    });
    server.listen({ host: LOOPBACK, port: preferred, exclusive: true }, () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

function unescapeXml(text: string): string {
  const characters = new Map(Object.entries(XML_ENTITIES).map(([character, entity]) => [entity, character]));
  return text.replace(/&[^;]+;/g, (entity) => characters.get(entity) ?? entity);
}
