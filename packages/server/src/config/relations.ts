import { isWildcard } from './complete.ts';
import type { NodeConfig, SettingKey } from './settings/index.ts';
import type { ClickHouseServer } from './value-types.ts';

/** A rule that holds between settings. The first key is the one the message is about. */
interface Relation {
  readonly keys: readonly [SettingKey, ...SettingKey[]];
  /** What is wrong and what would be right, or undefined. */
  check(config: NodeConfig): string | undefined;
}

function needs(key: SettingKey & SwitchKey, needed: SettingKey): Relation {
  return {
    keys: [key, needed],
    check: (config) =>
      config[key] && config[needed] === undefined ? `needs ${needed} to be set` : undefined,
  };
}

/** A retry on another replica stores everything twice where tables are not replicated. */
function needsReplicated(key: SettingKey, isUsed: (config: NodeConfig) => boolean): Relation {
  return {
    keys: [key, 'clickhouse_replicated'],
    check: (config) =>
      isUsed(config) && !config.clickhouse_replicated ? 'needs clickhouse_replicated = true' : undefined,
  };
}

function allServers(shards: readonly ClickHouseServer[]): ClickHouseServer[] {
  return shards.flatMap(({ replicas = [], ...first }) => [first, ...replicas]);
}

type SwitchKey = {
  [Key in SettingKey]: NodeConfig[Key] extends boolean ? Key : never;
}[SettingKey];

/** Every relation that does not hold, except those about keys whose value is invalid anyway. */
export function brokenRelations(
  config: NodeConfig,
  invalid: ReadonlySet<SettingKey>,
): { readonly key: SettingKey; readonly message: string }[] {
  const broken: { key: SettingKey; message: string }[] = [];
  for (const { keys, check } of relations) {
    if (keys.some((key) => invalid.has(key))) continue;
    const message = check(config);
    if (message !== undefined) broken.push({ key: keys[0], message });
  }
  return broken;
}

const relations: readonly Relation[] = [
  needs('http_enable_tls', 'http_tls_cert_file'),
  needs('http_enable_tls', 'http_tls_key_file'),
  needs('http_enable_cors', 'http_allowed_origins'),
  needs('clickhouse_replicated', 'clickhouse_uri'),
  needs('transport_email_enabled', 'transport_email_hostname'),
  needs('transport_email_use_auth', 'transport_email_auth_username'),
  needs('transport_email_use_auth', 'transport_email_auth_password'),
  needsReplicated('clickhouse_cluster', ({ clickhouse_cluster }) => clickhouse_cluster !== undefined),
  needsReplicated('clickhouse_insert_quorum', ({ clickhouse_insert_quorum }) => clickhouse_insert_quorum > 0),
  needsReplicated('clickhouse_uri', ({ clickhouse_uri = [] }) =>
    clickhouse_uri.some(({ replicas }) => replicas !== undefined),
  ),
  {
    keys: ['clickhouse_storage_policy', 'clickhouse_uri'],
    check: ({ clickhouse_storage_policy: policy, clickhouse_uri: shards }) =>
      policy !== undefined && shards === undefined ? 'needs clickhouse_uri to be set' : undefined,
  },
  {
    keys: ['clickhouse_cold_dir', 'clickhouse_uri'],
    check: ({ clickhouse_cold_dir: directory, clickhouse_uri: shards }) =>
      directory !== undefined && shards !== undefined
        ? 'is for the embedded ClickHouse; for your own servers, set clickhouse_storage_policy'
        : undefined,
  },
  {
    keys: ['clickhouse_uri', 'clickhouse_database'],
    check: ({ clickhouse_uri: shards = [] }) =>
      new Set(allServers(shards).map((server) => server.url)).size < allServers(shards).length
        ? 'names the same server twice; name every shard and replica once'
        : undefined,
  },
  {
    keys: ['clickhouse_uri'],
    check: ({ clickhouse_uri: shards = [] }) =>
      new Set(
        allServers(shards).map(({ url, username, password }) =>
          JSON.stringify([new URL(url).protocol, username, password.reveal()]),
        ),
      ).size > 1
        ? 'must give all servers the same user, password and protocol: they read from each other with these'
        : undefined,
  },
  {
    keys: ['transport_email_use_ssl', 'transport_email_use_tls'],
    check: (config) =>
      config.transport_email_use_ssl && config.transport_email_use_tls
        ? 'cannot be combined with transport_email_use_tls; set one of them to false'
        : undefined,
  },
  {
    keys: ['http_publish_uri', 'http_bind_address', 'http_enable_tls'],
    check: ({ http_publish_uri }) =>
      isWildcard(new URL(http_publish_uri).hostname.replace(/^\[|\]$/g, ''))
        ? 'must name a host that others can reach, not all interfaces'
        : undefined,
  },
  {
    keys: ['http_external_uri', 'http_publish_uri', 'http_bind_address', 'http_enable_tls'],
    check: ({ http_external_uri: external, http_publish_uri: publish }) =>
      external !== publish && new URL(external).pathname !== '/'
        ? 'must not have a path: the web interface works only at the root of a host name'
        : undefined,
  },
  {
    keys: ['message_journal_segment_size', 'message_journal_max_size'],
    check: (config) =>
      config.message_journal_segment_size > config.message_journal_max_size
        ? 'must not be larger than message_journal_max_size'
        : undefined,
  },
  {
    keys: ['default_input_http_port', 'default_input_tcp_port', 'default_inputs'],
    check: (config) =>
      config.default_inputs &&
      config.default_input_http_port !== 0 &&
      config.default_input_http_port === config.default_input_tcp_port
        ? 'must not be the port of default_input_tcp_port: both are TCP'
        : undefined,
  },
  ...(['default_input_tcp_port', 'default_input_http_port'] as const).map(
    (key): Relation => ({
      keys: [key, 'http_bind_address', 'default_inputs', 'default_inputs_bind_address'],
      check: (config) =>
        config.default_inputs &&
        config[key] !== 0 &&
        config[key] === config.http_bind_address.port &&
        overlap(config)
          ? 'must not be the port of http_bind_address'
          : undefined,
    }),
  ),
];

function overlap({ http_bind_address, default_inputs_bind_address: inputs }: NodeConfig): boolean {
  return isWildcard(inputs) || isWildcard(http_bind_address.host) || inputs === http_bind_address.host;
}
