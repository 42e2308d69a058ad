import type {
  AuditPage,
  AuditQuery,
  ClusterNodeList,
  ClusterOverview,
  ExposedConfiguration,
  JournalSummary,
  LoggerSubsystems,
  MessageCount,
  MessageSearchResultView,
  MetricsSummary,
  NotificationList,
  PluginView,
  RecentLogMessages,
  RuntimeMemory,
  SystemJob,
  SystemJobList,
  SystemMessageList,
  Traffic,
} from '@millrace/contract';

export interface SystemEndpoints {
  'GET /': { response: { cluster_id: string; node_id: string; version: string } };
  'GET /count/total': { response: MessageCount };
  /** The newest message, on the page with the first steps. */
  'GET /search/universal/relative': {
    query: { query: string; range: number; limit: number; sort: string };
    response: MessageSearchResultView;
  };
  'GET /system/notifications': { response: NotificationList };
  'DELETE /system/notifications/{notificationType}': { response: undefined };
  'GET /system/messages': { query: { page?: number }; response: SystemMessageList };
  'GET /system/audit': { query: Partial<AuditQuery>; response: AuditPage };
  /** By node; null for one that does not answer. */
  'GET /cluster/jobs': { response: Readonly<Record<string, SystemJobList | null>> };
  'DELETE /cluster/jobs/{jobId}': { response: SystemJob };
  'GET /system/configuration': { response: ExposedConfiguration };
  'GET /system/plugins': { response: { total: number; plugins: readonly PluginView[] } };
  'PUT /system/plugins/{name}/enable': { response: unknown };
  'PUT /system/plugins/{name}/disable': { response: unknown };

  'GET /cluster': { response: ClusterOverview };
  'GET /system/cluster/nodes': { response: ClusterNodeList };
  'GET /system/cluster/traffic': { query: { days?: number; daily?: boolean }; response: Traffic };
  'GET /system/indexer/cluster/health': { response: { status: string } };
  'GET /system/indices/index_sets/stats': {
    response: { indices: number; documents: number; size: number };
  };
  'GET /cluster/{nodeId}/journal': { response: JournalSummary };
  'GET /cluster/{nodeId}/jvm': { response: RuntimeMemory };
  'GET /cluster/{nodeId}/threaddump': { response: { threaddump: string } };
  'GET /cluster/{nodeId}/metrics/namespace/{namespace}': { response: MetricsSummary };
  'PUT /cluster/{nodeId}/processing/pause': { response: undefined };
  'PUT /cluster/{nodeId}/processing/resume': { response: undefined };
  'PUT /cluster/{nodeId}/lbstatus/override/{status}': { response: undefined };
  'DELETE /cluster/{nodeId}/lbstatus/override': { response: undefined };
  'POST /cluster/{nodeId}/shutdown': { response: undefined };
  /** By node; null for one that does not answer. */
  'GET /cluster/system/loggers/subsystems': { response: Readonly<Record<string, LoggerSubsystems | null>> };
  'PUT /cluster/system/loggers/{nodeId}/subsystems/{subsystem}/level/{level}': { response: undefined };
  'GET /cluster/system/loggers/{nodeId}/messages/recent': {
    query: { limit?: number; level?: string };
    response: RecentLogMessages;
  };
}
