/** Keys of Graylog's server.conf that have no meaning here, with what to use instead: people copy old files. */
const HINTS: Readonly<Record<string, string>> = {
  is_leader: 'nodes elect their leader themselves; remove it',
  is_master: 'nodes elect their leader themselves; remove it',
  mongodb_uri: 'use metadata_uri (SQLite or PostgreSQL)',
  mongodb_max_connections: 'use metadata_uri (SQLite or PostgreSQL)',
  elasticsearch_hosts: 'use clickhouse_uri, or nothing for the embedded ClickHouse',
  message_journal_enabled: 'the journal is always on; remove it',
  message_journal_flush_interval: 'use message_journal_flush_age',
  allow_leading_wildcard_searches: 'leading wildcards are always allowed; remove it',
  processbuffer_processors: 'use processing_workers',
  outputbuffer_processors: 'use processing_workers',
  inputbuffer_processors: 'use processing_workers',
  rest_listen_uri: 'use http_bind_address',
  web_listen_uri: 'use http_bind_address',
  rest_transport_uri: 'use http_publish_uri',
  web_endpoint_uri: 'use http_external_uri',
  transport_email_subject_prefix: 'subjects are set per notification; remove it',
};

export function graylogKeyHint(key: string): string | undefined {
  return Object.hasOwn(HINTS, key) ? HINTS[key] : undefined;
}
