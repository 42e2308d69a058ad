import path from 'node:path';
import { formatHostPort, type HostPort, Secret } from '#core/index.ts';
import type { NodeConfig, WrittenConfig } from './settings/index.ts';

/** What defaults depend on besides the settings. */
export interface Machine {
  readonly hostname: string;
  readonly cores: number;
  readonly memoryBytes: number;
}

const MEBIBYTE = 2 ** 20;

/** Fills in the defaults that follow from other settings or from the machine. */
export function completeConfig(written: WrittenConfig, machine: Machine): NodeConfig {
  const inDataDir = (name: string): string => path.join(written.data_dir, name);
  const publishUri =
    written.http_publish_uri ??
    publishUriOf(written.http_bind_address, written.http_enable_tls, machine.hostname);
  const externalUri = written.http_external_uri ?? publishUri;
  const share = Math.floor((machine.memoryBytes * 0.4) / MEBIBYTE) * MEBIBYTE;
  const engineMemory = written.clickhouse_max_memory ?? Math.max(512 * MEBIBYTE, share);

  return {
    ...written,
    node_id_file: written.node_id_file ?? inDataDir('node_id'),
    plugin_dir: written.plugin_dir ?? inDataDir('plugins'),
    http_publish_uri: publishUri,
    http_external_uri: externalUri,
    metadata_uri: written.metadata_uri ?? new Secret(`sqlite:${inDataDir('metadata.sqlite')}`),
    clickhouse_max_memory: engineMemory,
    backup_dir: written.backup_dir ?? inDataDir('backups'),
    search_max_memory: written.search_max_memory ?? Math.floor(engineMemory / 2),
    message_journal_dir: written.message_journal_dir ?? inDataDir('journal'),
    output_files_dir: written.output_files_dir ?? inDataDir('output-files'),
    lookup_files_dir: written.lookup_files_dir ?? inDataDir('lookup-files'),
    processing_workers:
      written.processing_workers ?? Math.min(16, Math.max(1, Math.floor(machine.cores / 2))),
    transport_email_use_tls: written.transport_email_use_tls ?? !written.transport_email_use_ssl,
    transport_email_from_email: written.transport_email_from_email ?? `millrace@${machine.hostname}`,
    transport_email_web_interface_url: written.transport_email_web_interface_url ?? externalUri,
  };
}

/** The address under which others reach what listens at `bind`. Call it with the port that was bound. */
export function publishUriOf(bind: HostPort, tls: boolean, hostname: string): string {
  const host = isWildcard(bind.host) ? hostname : bind.host;
  const scheme = tls ? 'https' : 'http';
  // The name of a machine may not be valid in a URL.
  const url = URL.parse(`${scheme}://${formatHostPort(host, bind.port)}/`);
  return (url ?? new URL(`${scheme}://localhost:${bind.port}/`)).href;
}

export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || /^[0:]+$/.test(host);
}
