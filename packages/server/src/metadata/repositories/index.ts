import type { Kysely } from 'kysely';
import type { Clock } from '#core/index.ts';
import type { DatabaseKind } from '../columns.ts';
import { databaseTime } from '../database-time.ts';
import type { ImmediateReader } from '../sqlite-reader.ts';
import type { Database } from '../tables/index.ts';
import { type AccessTokensRepository, createAccessTokensRepository } from './access-tokens.ts';
import { createAlertDeliveriesRepository } from './alert-deliveries.ts';
import type { AlertDeliveriesRepository } from './alert-delivery-records.ts';
import {
  type AlertNotificationsRepository,
  createAlertNotificationsRepository,
} from './alert-notifications.ts';
import { type AlertRulesRepository, createAlertRulesRepository } from './alert-rules.ts';
import { type AlertsRepository, createAlertsRepository } from './alerts.ts';
import { type AuditLogRepository, createAuditLogRepository } from './audit-log.ts';
import { type ClusterSettingsRepository, createClusterSettingsRepository } from './cluster-settings.ts';
import { createExtractorsRepository, type ExtractorsRepository } from './extractors.ts';
import { createGrantsRepository, type GrantsRepository } from './grants.ts';
import { createGrokPatternsRepository, type GrokPatternsRepository } from './grok-patterns.ts';
import { createIndexSetFieldsRepository, type IndexSetFieldsRepository } from './index-set-fields.ts';
import { createIndexSetsRepository, type IndexSetsRepository } from './index-sets.ts';
import { createIndicesRepository, type IndicesRepository } from './indices.ts';
import { createInputsRepository, type InputsRepository } from './inputs.ts';
import { createLeasesRepository, type LeasesRepository } from './leases.ts';
import { createLoginsRepository, type LoginsRepository } from './logins.ts';
import {
  createLookupPartsRepository,
  createLookupTablesRepository,
  type LookupPartsRepository,
  type LookupTablesRepository,
} from './lookup.ts';
import { createLookupEntriesRepository, type LookupEntriesRepository } from './lookup-entries.ts';
import { createNodesRepository, type NodesRepository } from './nodes.ts';
import { createNotificationsRepository, type NotificationsRepository } from './notifications.ts';
import { createOutputsRepository, type OutputsRepository } from './outputs.ts';
import { createPipelineRulesRepository, type PipelineRulesRepository } from './pipeline-rules.ts';
import { createPipelinesRepository, type PipelinesRepository } from './pipelines.ts';
import { createRolesRepository, type RolesRepository } from './roles.ts';
import { createSavedSearchesRepository, type SavedSearchesRepository } from './saved-searches.ts';
import { createSearchHistoryRepository, type SearchHistoryRepository } from './search-history.ts';
import { createSessionsRepository, type SessionsRepository } from './sessions.ts';
import { createStreamFieldsRepository, type StreamFieldsRepository } from './stream-fields.ts';
import { createStreamsRepository, type StreamsRepository } from './streams.ts';
import { createSystemMessagesRepository, type SystemMessagesRepository } from './system-messages.ts';
import { createTrafficRepository, type TrafficRepository } from './traffic.ts';
import { createUsersRepository, type UsersRepository } from './users.ts';
import { createViewSearchesRepository, type ViewSearchesRepository } from './view-searches.ts';

export type { AttemptOutcome, DeliveryState } from '../tables/alert-notifications.ts';
export type { AuditOutcome } from '../tables/audit-log.ts';
export type { CursorStrategy, ExtractorConditionType, StoredConverter } from '../tables/extractors.ts';
export type { IndexState, StoredDataTiering, StoredStrategy } from '../tables/index-sets.ts';
export type { DesiredInputState } from '../tables/inputs.ts';
export type { LookupDefault, LookupEntryValue } from '../tables/lookup.ts';
export type { NotificationSeverity } from '../tables/notifications.ts';
export type { DesiredOutputState } from '../tables/outputs.ts';
export type { StreamMatchingType, StreamState } from '../tables/streams.ts';
export type { Startpage, UserStatus } from '../tables/users.ts';
export type { AccessTokenRecord, AccessTokensRepository, NewAccessToken } from './access-tokens.ts';
export type {
  AlertDeliveriesRepository,
  AttemptResult,
  ClaimedDelivery,
  DeliveryAttempt,
  DeliveryClaim,
  DeliveryFilter,
  DeliveryRecord,
  DeliveryTarget,
  HeldNotices,
  NewNoticeRecord,
} from './alert-delivery-records.ts';
export type {
  AlertNotificationProperties,
  AlertNotificationRecord,
  AlertNotificationsRepository,
  NewAlertNotification,
} from './alert-notifications.ts';
export type { AlertRulesRepository } from './alert-rules.ts';
export type {
  AlertContent,
  AlertKeyField,
  AlertRecord,
  AlertRuleContent,
  AlertRuleNotification,
  AlertRuleProperties,
  AlertRuleRecord,
  AlertRuleState,
  AlertSchedule,
  NewAlert,
  NewAlertRule,
  StoredCondition,
} from './alert-types.ts';
export type { AlertFilter, AlertsRepository } from './alerts.ts';
export type { AuditEntry, AuditFilter, AuditLogRepository, NewAuditEntry } from './audit-log.ts';
export type { ClusterSettingsRepository } from './cluster-settings.ts';
export type {
  ExtractorProperties,
  ExtractorRecord,
  ExtractorsRepository,
  NewExtractor,
} from './extractors.ts';
export type { GrantsRepository } from './grants.ts';
export type { GrokPatternProperties, GrokPatternRecord, GrokPatternsRepository } from './grok-patterns.ts';
export type { IndexSetField, IndexSetFieldsRepository } from './index-set-fields.ts';
export type { IndexSetProperties, IndexSetRecord, IndexSetsRepository, NewIndexSet } from './index-sets.ts';
export type { IndexRecord, IndicesRepository } from './indices.ts';
export type { InputProperties, InputRecord, InputsRepository, NewInput } from './inputs.ts';
export type { LeasesRepository } from './leases.ts';
export type { LoginSession, LoginsRepository, LoginToken, LoginUser } from './logins.ts';
export type {
  LookupPartProperties,
  LookupPartRecord,
  LookupPartsRepository,
  LookupTableProperties,
  LookupTableRecord,
  LookupTablesRepository,
} from './lookup.ts';
export type { LookupEntriesRepository, LookupEntry, StoredLookupEntry } from './lookup-entries.ts';
export type { NodeBeat, NodeRecord, NodesRepository, SeenNode } from './nodes.ts';
export type { NewNotification, NotificationRecord, NotificationsRepository } from './notifications.ts';
export type { NewOutput, OutputProperties, OutputRecord, OutputsRepository } from './outputs.ts';
export type { PipelineRuleRecord, PipelineRulesRepository } from './pipeline-rules.ts';
export type {
  PipelineConnection,
  PipelineProperties,
  PipelineRecord,
  PipelinesRepository,
} from './pipelines.ts';
export type { NewRole, RoleChanges, RoleRecord, RolesRepository } from './roles.ts';
export type {
  NewSavedSearch,
  SavedSearchesRepository,
  SavedSearchProperties,
  SavedSearchRecord,
} from './saved-searches.ts';
export type { HistoryOwner, SearchHistoryRepository, UsedQuery } from './search-history.ts';
export type { NewSession, SessionRecord, SessionsRepository } from './sessions.ts';
export type {
  NewStream,
  NewStreamRule,
  StreamProperties,
  StreamRecord,
  StreamRuleProperties,
  StreamRuleRecord,
  StreamsRepository,
} from './streams.ts';
export type { NewSystemMessage, SystemMessage, SystemMessagesRepository } from './system-messages.ts';
export type { TrafficAmounts, TrafficHour, TrafficRepository } from './traffic.ts';
export type {
  NewUser,
  UserChanges,
  UserListRequest,
  UserProperties,
  UserRecord,
  UsersRepository,
} from './users.ts';

export type { ViewSearchesRepository, ViewSearchRecord } from './view-searches.ts';

export interface Repositories {
  readonly accessTokens: AccessTokensRepository;
  readonly alertDeliveries: AlertDeliveriesRepository;
  readonly alertNotifications: AlertNotificationsRepository;
  readonly alertRules: AlertRulesRepository;
  readonly alerts: AlertsRepository;
  readonly auditLog: AuditLogRepository;
  readonly clusterSettings: ClusterSettingsRepository;
  readonly extractors: ExtractorsRepository;
  readonly indexSetFields: IndexSetFieldsRepository;
  readonly streamFields: StreamFieldsRepository;
  readonly indexSets: IndexSetsRepository;
  readonly indices: IndicesRepository;
  readonly grants: GrantsRepository;
  readonly grokPatterns: GrokPatternsRepository;
  readonly inputs: InputsRepository;
  readonly logins: LoginsRepository;
  readonly leases: LeasesRepository;
  readonly lookupAdapters: LookupPartsRepository;
  readonly lookupCaches: LookupPartsRepository;
  readonly lookupTables: LookupTablesRepository;
  readonly lookupEntries: LookupEntriesRepository;
  readonly nodes: NodesRepository;
  readonly notifications: NotificationsRepository;
  readonly outputs: OutputsRepository;
  readonly pipelineRules: PipelineRulesRepository;
  readonly pipelines: PipelinesRepository;
  readonly roles: RolesRepository;
  readonly savedSearches: SavedSearchesRepository;
  readonly searchHistory: SearchHistoryRepository;
  readonly sessions: SessionsRepository;
  readonly streams: StreamsRepository;
  readonly systemMessages: SystemMessagesRepository;
  readonly traffic: TrafficRepository;
  readonly users: UsersRepository;
  readonly viewSearches: ViewSearchesRepository;
}

/**
 * All repositories over one database or one transaction. Cheap: each is a handful of closures. Pass no reader inside a
 * transaction, because it would not see what the transaction has written.
 */
export function createRepositories(
  db: Kysely<Database>,
  clock: Clock,
  kind: DatabaseKind,
  reader?: ImmediateReader,
): Repositories {
  const now = databaseTime(kind, clock);
  return {
    accessTokens: createAccessTokensRepository(db, clock),
    alertDeliveries: createAlertDeliveriesRepository(db, clock, now),
    alertNotifications: createAlertNotificationsRepository(db, clock),
    alertRules: createAlertRulesRepository(db, clock),
    alerts: createAlertsRepository(db),
    auditLog: createAuditLogRepository(db, clock),
    clusterSettings: createClusterSettingsRepository(db, clock),
    extractors: createExtractorsRepository(db, clock),
    indexSetFields: createIndexSetFieldsRepository(db),
    streamFields: createStreamFieldsRepository(db),
    indexSets: createIndexSetsRepository(db, clock),
    indices: createIndicesRepository(db, clock),
    grants: createGrantsRepository(db),
    grokPatterns: createGrokPatternsRepository(db, clock),
    inputs: createInputsRepository(db, clock),
    logins: createLoginsRepository(db, reader),
    leases: createLeasesRepository(db, now),
    lookupAdapters: createLookupPartsRepository(db, clock, 'lookup_adapters'),
    lookupCaches: createLookupPartsRepository(db, clock, 'lookup_caches'),
    lookupTables: createLookupTablesRepository(db, clock),
    lookupEntries: createLookupEntriesRepository(db, clock),
    nodes: createNodesRepository(db, now),
    notifications: createNotificationsRepository(db, clock),
    outputs: createOutputsRepository(db, clock),
    pipelineRules: createPipelineRulesRepository(db, clock),
    pipelines: createPipelinesRepository(db, clock),
    roles: createRolesRepository(db, clock),
    savedSearches: createSavedSearchesRepository(db, clock),
    searchHistory: createSearchHistoryRepository(db, clock),
    sessions: createSessionsRepository(db, clock),
    streams: createStreamsRepository(db, clock),
    systemMessages: createSystemMessagesRepository(db, clock),
    traffic: createTrafficRepository(db),
    users: createUsersRepository(db, clock),
    viewSearches: createViewSearchesRepository(db, clock),
  };
}
