import type { AccessTokensTable } from './access-tokens.ts';
import type {
  AlertDeliveriesTable,
  AlertDeliveryAttemptsTable,
  AlertNoticesTable,
  AlertNotificationsTable,
} from './alert-notifications.ts';
import type { AlertRuleStatesTable, AlertRulesTable, AlertsTable } from './alerts.ts';
import type { AuditLogTable } from './audit-log.ts';
import type { ClusterSettingsTable } from './cluster-settings.ts';
import type { ExtractorsTable } from './extractors.ts';
import type { GrokPatternsTable } from './grok-patterns.ts';
import type {
  IndexSetFieldsTable,
  IndexSetsTable,
  IndexVersionTable,
  IndicesTable,
  IndicesWithoutStreamFieldsTable,
  StreamFieldsTable,
} from './index-sets.ts';
import type { InputStaticFieldsTable, InputsTable } from './inputs.ts';
import type { LeasesTable } from './leases.ts';
import type { LookupEntriesTable, LookupPartsTable, LookupTablesTable } from './lookup.ts';
import type { NodesTable } from './nodes.ts';
import type { NotificationsTable } from './notifications.ts';
import type { OutputsTable, StreamOutputsTable } from './outputs.ts';
import type { PipelineConnectionsTable, PipelineRulesTable, PipelinesTable } from './pipelines.ts';
import type { RolesTable, UserRolesTable } from './roles.ts';
import type { SavedSearchesTable, SearchHistoryTable, ViewSearchesTable } from './saved-searches.ts';
import type { SchemaMigrationsTable } from './schema-migrations.ts';
import type { SessionsTable } from './sessions.ts';
import type { StreamRulesTable, StreamsTable } from './streams.ts';
import type { SystemMessagesTable } from './system-messages.ts';
import type { TrafficTable } from './traffic.ts';
import type { UsersTable } from './users.ts';

/** The tables after the newest migration. `repositories/` documents the meaning of their columns. */
export interface Database {
  access_tokens: AccessTokensTable;
  alert_deliveries: AlertDeliveriesTable;
  alert_delivery_attempts: AlertDeliveryAttemptsTable;
  alert_notices: AlertNoticesTable;
  alert_notifications: AlertNotificationsTable;
  alert_rule_states: AlertRuleStatesTable;
  alert_rules: AlertRulesTable;
  alerts: AlertsTable;
  audit_log: AuditLogTable;
  cluster_settings: ClusterSettingsTable;
  extractors: ExtractorsTable;
  grok_patterns: GrokPatternsTable;
  index_set_fields: IndexSetFieldsTable;
  stream_fields: StreamFieldsTable;
  indices_without_stream_fields: IndicesWithoutStreamFieldsTable;
  index_sets: IndexSetsTable;
  index_version: IndexVersionTable;
  indices: IndicesTable;
  input_static_fields: InputStaticFieldsTable;
  inputs: InputsTable;
  leases: LeasesTable;
  lookup_adapters: LookupPartsTable;
  lookup_caches: LookupPartsTable;
  lookup_tables: LookupTablesTable;
  lookup_entries: LookupEntriesTable;
  nodes: NodesTable;
  notifications: NotificationsTable;
  outputs: OutputsTable;
  pipeline_connections: PipelineConnectionsTable;
  pipeline_rules: PipelineRulesTable;
  pipelines: PipelinesTable;
  roles: RolesTable;
  saved_searches: SavedSearchesTable;
  schema_migrations: SchemaMigrationsTable;
  search_history: SearchHistoryTable;
  sessions: SessionsTable;
  stream_outputs: StreamOutputsTable;
  stream_rules: StreamRulesTable;
  streams: StreamsTable;
  system_messages: SystemMessagesTable;
  traffic: TrafficTable;
  user_roles: UserRolesTable;
  users: UsersTable;
  view_searches: ViewSearchesTable;
}
