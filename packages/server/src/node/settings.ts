import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ExposedConfiguration } from '@millrace/contract';
import type { MailSettings, NotificationsServiceSettings } from '#alerts/notifications/service.ts';
import { type ApiSettings, DEFAULT_API_SETTINGS } from '#api/index.ts';
import type { AuthSettings } from '#auth/index.ts';
import { type NodeConfig, type NodeFiles, publishUriOf } from '#config/index.ts';
import { errorMessage, Secret, StartupError } from '#core/index.ts';
import type { PluginAssignment } from '#plugins/index.ts';
import type { PluginsServiceSettings } from '#plugins/service.ts';
import type { LiveTailSettings, SearchServiceSettings } from '#search/service.ts';
import { EMBEDDED_TIERS, type StorageTiers } from '#storage/index.ts';
import type { MessageStorageSettings } from '#storage/service.ts';
import type { NodeAlertsSettings } from './alerts.ts';
import type { IntakeSettings } from './intake.ts';
import type { MessagePathSettings } from './message-path.ts';

/** Makes the settings of each part of a node from the configuration. */

/** Packages that are installed together with Millrace are below it. */
const INSTALLATION = path.resolve(import.meta.dirname, '../../../..');
const WEB_DIRECTORY = path.resolve(import.meta.dirname, '../../../web/dist');
/** The workers may use this share of `shutdown_timeout` to stop; the rest is for the other parts of the node. */
const WORKERS_SHARE_OF_SHUTDOWN = 0.6;

/** Settings that the API shows to operators. None of them is a secret or the location of one. */
const EXPOSED = [
  'http_publish_uri',
  'http_enable_gzip',
  'http_enable_tls',
  'processing_workers',
  'message_journal_max_size',
  'message_journal_max_age',
  'message_journal_flush_age',
  'message_journal_full_policy',
  'lb_throttle_threshold_percentage',
  'stream_processing_timeout',
  'stream_processing_max_faults',
  'alert_check_interval',
  'session_timeout',
  'shutdown_timeout',
  'udp_recvbuffer_sizes',
] as const satisfies readonly (keyof NodeConfig)[];

export function exposedConfiguration(config: NodeConfig): ExposedConfiguration {
  return Object.fromEntries(EXPOSED.map((key) => [key, config[key]]));
}

/** Where others reach this node. Port 0 has been replaced by the real port when the API listens. */
export function publishedAddress(config: NodeConfig, boundAddress: string): string {
  if (config.http_bind_address.port !== 0) return config.http_publish_uri;
  const port = Number(new URL(boundAddress).port);
  return publishUriOf({ host: config.http_bind_address.host, port }, config.http_enable_tls, os.hostname());
}

export function authSettings(config: NodeConfig, files: NodeFiles): AuthSettings {
  return {
    passwordSecret: files.passwordSecret,
    root: {
      username: config.root_username,
      password: files.rootPassword,
      email: config.root_email ?? '',
      timezone: config.root_timezone,
      sessionTimeoutMs: config.session_timeout,
    },
  };
}

export function messageStorageSettings(config: NodeConfig): MessageStorageSettings {
  return {
    servers: config.clickhouse_uri,
    replication: config.clickhouse_replicated
      ? { cluster: config.clickhouse_cluster, insertQuorum: config.clickhouse_insert_quorum }
      : undefined,
    dataDir: config.data_dir,
    maxMemoryBytes: config.clickhouse_max_memory,
    backupDir: config.backup_dir,
    coldDir: config.clickhouse_cold_dir,
  };
}

function tiersOf({
  clickhouse_cold_dir: directory,
  clickhouse_storage_policy: policy,
  clickhouse_cold_volume: volume,
}: NodeConfig): StorageTiers | undefined {
  if (directory !== undefined) return EMBEDDED_TIERS;
  return policy === undefined ? undefined : { policy, volume };
}

export function messagePathSettings(config: NodeConfig, nodeId: string): MessagePathSettings {
  return {
    nodeId,
    database: config.clickhouse_database,
    tiers: tiersOf(config),
    streamTimeoutMs: config.stream_processing_timeout,
    maxFaults: config.stream_processing_max_faults,
  };
}

export function pluginSettings(config: NodeConfig, nodeId: string): PluginsServiceSettings {
  return {
    nodeId,
    directory: config.plugin_dir,
    packages: config.plugins ?? [],
    allowed: config.plugins_allowed,
    packageRoots: [INSTALLATION],
    workers: config.processing_workers,
    limitMs: config.plugin_call_timeout,
    maxFaults: config.plugin_max_faults,
  };
}

export function intakeSettings(
  config: NodeConfig,
  nodeId: string,
  plugins: PluginAssignment,
): IntakeSettings {
  return {
    nodeId,
    workers: {
      workers: config.processing_workers,
      journalDirectory: config.message_journal_dir,
      maxJournalBytes: config.message_journal_max_size,
      journal: {
        flushAgeMs: config.message_journal_flush_age,
        fullPolicy: config.message_journal_full_policy,
        segmentBytes: config.message_journal_segment_size,
        segmentAgeMs: config.message_journal_segment_age,
      },
      logLevel: config.log_level,
      udpReceiveBufferBytes: config.udp_recvbuffer_sizes,
      certificateDirectory: path.join(config.data_dir, 'tls'),
      outputQueueDirectory: path.join(config.data_dir, 'outputs'),
      outputFilesDirectory: config.output_files_dir,
      plugins,
      stopTimeoutMs: config.shutdown_timeout * WORKERS_SHARE_OF_SHUTDOWN,
    },
    maxJournalAgeMs: config.message_journal_max_age,
    highJournalUtilization: config.lb_throttle_threshold_percentage / 100,
    inputs: {
      rootUsername: config.root_username,
      defaultInputs: config.default_inputs
        ? {
            bindAddress: config.default_inputs_bind_address,
            udpPort: config.default_input_udp_port,
            tcpPort: config.default_input_tcp_port,
            httpPort: config.default_input_http_port,
          }
        : undefined,
    },
  };
}

export function searchSettings(config: NodeConfig): SearchServiceSettings {
  return {
    timeoutMs: config.search_timeout,
    maxMemoryBytes: config.search_max_memory,
    maxParallel: config.search_max_parallel,
    exportTimeoutMs: config.search_export_timeout,
    timeRangeLimitMs: config.query_time_range_limit === 0 ? undefined : config.query_time_range_limit,
  };
}

export function liveTailSettings(config: NodeConfig, nodeId: string): LiveTailSettings {
  return {
    nodeId,
    maxFollowers: config.live_tail_max_followers,
    maxFollowersPerUser: config.live_tail_max_followers_per_user,
  };
}

/** @param address where this node is reached; known when the API listens */
export function notificationSettings(
  config: NodeConfig,
  nodeId: string,
  address: () => string,
): NotificationsServiceSettings {
  const { transport_email_web_interface_url: webInterface, http_publish_uri: publishUri } = config;
  return {
    nodeId,
    mail: mailSettings(config),
    webInterface: () => (webInterface === publishUri ? address() : webInterface),
    allowedNetworks: config.notification_allowed_networks ?? [],
    scriptsFolder: config.notification_scripts_dir,
    limits: {
      perRule: config.notification_limit_per_rule,
      perNotification: config.notification_limit_per_notification,
      total: config.notification_limit_total,
    },
    root: {
      username: config.root_username,
      email: config.root_email ?? '',
      timezone: config.root_timezone,
    },
  };
}

function mailSettings(config: NodeConfig): MailSettings | undefined {
  const { transport_email_hostname: host, transport_email_ca_file: certificates } = config;
  if (!config.transport_email_enabled || host === undefined) return undefined;
  const { transport_email_auth_username: username, transport_email_auth_password: password } = config;
  const hasAuth = config.transport_email_use_auth && username !== undefined && password !== undefined;
  return {
    host,
    port: config.transport_email_port,
    auth: hasAuth ? { username, password } : undefined,
    security: config.transport_email_use_ssl ? 'tls' : config.transport_email_use_tls ? 'starttls' : 'none',
    from: config.transport_email_from_email,
    ...(certificates !== undefined && {
      certificates: readConfiguredFile('transport_email_ca_file', certificates),
    }),
  };
}

export function apiSettings(config: NodeConfig): ApiSettings {
  return {
    ...DEFAULT_API_SETTINGS,
    host: config.http_bind_address.host,
    port: config.http_bind_address.port,
    ...tlsSettings(config),
    maxBodySize: config.http_max_body_size,
    maxHeaderSize: config.http_max_header_size,
    enableGzip: config.http_enable_gzip,
    corsOrigins: config.http_enable_cors ? (config.http_allowed_origins ?? []) : [],
    trustedProxies: config.trusted_proxies ?? [],
    behindProxy: config.http_external_uri !== config.http_publish_uri,
    ...(fs.existsSync(path.join(WEB_DIRECTORY, 'index.html')) && { webDirectory: WEB_DIRECTORY }),
  };
}

function tlsSettings(config: NodeConfig): Pick<ApiSettings, 'tls'> {
  const { http_tls_cert_file: certificate, http_tls_key_file: key } = config;
  if (!config.http_enable_tls || certificate === undefined || key === undefined) return {};
  return {
    tls: {
      certificate: readConfiguredFile('http_tls_cert_file', certificate),
      key: new Secret(readConfiguredFile('http_tls_key_file', key)),
      ...(config.http_tls_key_password && { keyPassword: config.http_tls_key_password }),
    },
  };
}

function readConfiguredFile(setting: string, file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    throw new StartupError(
      `${setting} names the file ${file}, which cannot be read: ${errorMessage(error)}`,
      `Correct ${setting}, or make the file readable for the user that runs Millrace.`,
      { cause: error },
    );
  }
}

export function alertSettings(config: NodeConfig): NodeAlertsSettings {
  return { checkIntervalMs: config.alert_check_interval };
}
