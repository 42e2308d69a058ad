/** Joins the alerts with the search, the notices and the cluster. */

import type { NotificationsService } from '#alerts/notifications/service.ts';
import { type AlertsService, createAlertsService, type EventStore } from '#alerts/service.ts';
import type { Cluster } from '#cluster/service.ts';
import type { AuditLog, Clock } from '#core/index.ts';
import type { Metadata } from '#metadata/index.ts';
import type { SearchService } from '#search/service.ts';
import type { Notifications } from '#system/service.ts';
import type { Logger, Metrics } from '#telemetry/index.ts';

export interface NodeAlertsDeps {
  readonly metadata: Metadata;
  readonly audit: AuditLog;
  readonly search: SearchService;
  readonly alertNotifications: Pick<NotificationsService, 'queue' | 'deliveries' | 'copyOfStream'>;
  readonly eventStore: EventStore;
  readonly cluster: Pick<Cluster, 'nodeId' | 'registry'>;
  readonly notifications: Notifications;
  /** Every message that this node received before this time is stored. */
  readonly storedUntil: () => number;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface NodeAlertsSettings {
  /** `alert_check_interval` */
  readonly checkIntervalMs: number;
}

/** What nodes tell each other about their storage. */
export const STORED_UNTIL_DETAIL = 'stored_until';

export function createNodeAlerts(deps: NodeAlertsDeps, settings: NodeAlertsSettings): AlertsService {
  const { cluster, alertNotifications } = deps;
  const { registry } = cluster;

  function storedUntil(): number {
    const peers = registry.activeNodes().filter(({ nodeId }) => nodeId !== cluster.nodeId);
    const times = peers.map(({ details }) => details[STORED_UNTIL_DETAIL]);
    return Math.min(deps.storedUntil(), ...times.filter((time) => typeof time === 'number'));
  }

  return createAlertsService(
    {
      ...deps,
      queue: alertNotifications.queue,
      deliveries: alertNotifications.deliveries,
      copyNotifications: alertNotifications.copyOfStream,
      isLeader: () => registry.isLeader(),
      storedUntil,
    },
    { ...settings, nodeId: cluster.nodeId },
  );
}
