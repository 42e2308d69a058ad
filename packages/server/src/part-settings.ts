import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ExposedConfiguration } from '@millrace/contract';
import { type ApiSettings, DEFAULT_API_SETTINGS } from '#api/index.ts';
import type { AuthConfig } from '#auth/index.ts';
import { type NodeConfig, type NodeFiles, publishUriOf } from '#config/index.ts';
import { errorMessage, Secret, StartupError } from '#core/index.ts';

/** What the parts of a node take, made from what a person configured. */

const WEB_DIRECTORY = path.resolve(import.meta.dirname, '../../web/dist');

/** Settings that operators look up through the API. None of them is a secret or says where one is. */
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

/** Where others reach this node; a free port (0) is known only now. */
export function publishedAddress(config: NodeConfig, boundAddress: string): string {
  if (config.http_bind_address.port !== 0) return config.http_publish_uri;
  const port = Number(new URL(boundAddress).port);
  return publishUriOf({ host: config.http_bind_address.host, port }, config.http_enable_tls, os.hostname());
}

export function authConfig(config: NodeConfig, files: NodeFiles): AuthConfig {
  return {
    root: {
      username: config.root_username,
      password: files.rootPassword,
      email: config.root_email ?? '',
      timezone: config.root_timezone,
      sessionTimeoutMs: config.session_timeout,
    },
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
