/** What the journals of this node have to tell: to the log, and to operators where a person is needed. */
import path from 'node:path';
import type { Notifications, SystemMessages } from '#cluster/service.ts';
import type { Logger } from '#telemetry/index.ts';
import type { ReportedIncident } from './intake-protocol.ts';

export interface IncidentDesk {
  report(incident: ReportedIncident): void;
  threadDied(thread: number, reason: string): void;
  /** How full the journal is now, from 0 to 1. */
  utilization(ratio: number): void;
}

export interface IncidentDeskDeps {
  readonly notifications: Notifications;
  readonly systemMessages: SystemMessages;
  readonly logger: Logger;
}

export interface IncidentDeskConfig {
  readonly nodeId: string;
  /** From here on, from 0 to 1, operators are told that the journal fills up. */
  readonly highUtilization: number;
}

/** Ends a high utilization only well below its begin, so that it does not come and go all the time. */
const RELIEF = 0.1;

export function createIncidentDesk(deps: IncidentDeskDeps, config: IncidentDeskConfig): IncidentDesk {
  const logger = deps.logger.child({ component: 'journal' });
  const { notifications, systemMessages } = deps;
  const { nodeId } = config;
  let lost = 0;
  let isHigh: boolean | undefined;

  function tellLoss({ kind, message, records, bytes, file }: ReportedIncident): void {
    lost += records;
    void notifications.publish({
      type: 'journal_uncommitted_messages_deleted',
      key: nodeId,
      severity: 'urgent',
      details: { node_id: nodeId, messages_lost: lost, latest: message, kind, bytes, file: file ?? null },
    });
    void systemMessages.publish('journal', message);
  }

  function tellDisk({ kind, message, partition, cause }: ReportedIncident): void {
    const key = `journal-write:${nodeId}:${path.basename(partition)}`;
    if (kind === 'write_recovered') {
      void notifications.fix('generic', key);
    } else {
      void notifications.publish({
        type: 'generic',
        key,
        severity: 'urgent',
        details: { title: 'The journal cannot be written', description: message, reason: cause ?? null },
      });
    }
    void systemMessages.publish('journal', message);
  }

  return {
    report(incident) {
      const { message, ...fields } = incident;
      const isLoss = incident.records > 0 || incident.kind === 'segment_unusable';
      if (isLoss || incident.kind.endsWith('_failing')) logger.error(fields, message);
      else logger.warn(fields, message);
      if (isLoss) tellLoss(incident);
      else if (incident.kind === 'write_failing' || incident.kind === 'write_recovered') tellDisk(incident);
      else if (incident.kind === 'checkpoint_lost') void systemMessages.publish('journal', message);
    },
    threadDied(thread, reason) {
      void systemMessages.publish('intake', `Intake thread ${thread} ended and is started again: ${reason}`);
    },
    utilization(ratio) {
      const limit = config.highUtilization - (isHigh ? RELIEF : 0);
      const high = ratio >= limit;
      if (high === isHigh) return;
      isHigh = high;
      if (!high) void notifications.fix('journal_utilization_too_high', nodeId);
      else
        void notifications.publish({
          type: 'journal_utilization_too_high',
          key: nodeId,
          severity: 'urgent',
          details: { node_id: nodeId, journal_utilization_percentage: Math.round(ratio * 100) },
        });
    },
  };
}
