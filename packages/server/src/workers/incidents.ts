/** Reports what workers notice to the log, and to operators when a person must act. */
import path from 'node:path';
import { errorMessage } from '#core/index.ts';
import type { ManyFieldNames } from '#storage/index.ts';
import type { Notifications, SystemMessages } from '#system/service.ts';
import type { Logger } from '#telemetry/index.ts';
import type { ReportedIncident } from './protocol.ts';

export interface IncidentReporter {
  report(incident: ReportedIncident): void;
  workerDied(worker: number, reason: string): void;
  manyFieldNames(found: ManyFieldNames): void;
  /** How full the journal is now, from 0 to 1. */
  utilization(ratio: number): void;
}

export interface IncidentReporterDeps {
  readonly notifications: Notifications;
  readonly systemMessages: SystemMessages;
  readonly logger: Logger;
  /** The title of an input; undefined for one that does not exist any more. */
  readonly inputTitle: (inputId: string) => string | undefined;
}

export interface IncidentReporterSettings {
  readonly nodeId: string;
  /** From this utilization on (0 to 1), operators are told that the journal fills up. */
  readonly highUtilization: number;
}

/** High utilization ends this far below where it began, so that the notification does not flap. */
const HYSTERESIS = 0.1;

export function createIncidentReporter(
  deps: IncidentReporterDeps,
  settings: IncidentReporterSettings,
): IncidentReporter {
  const logger = deps.logger.child({ component: 'journal' });
  const workersLogger = deps.logger.child({ component: 'workers' });
  const { notifications, systemMessages } = deps;
  const { nodeId } = settings;
  const diskState = createDiskState({ ...deps, logger }, nodeId);
  let lost = 0;
  let isHigh: boolean | undefined;

  function publishLoss({ kind, message, records, bytes, file }: ReportedIncident): void {
    lost += records;
    void notifications.publish({
      type: 'journal_uncommitted_messages_deleted',
      key: nodeId,
      severity: 'urgent',
      details: { node_id: nodeId, messages_lost: lost, latest: message, kind, bytes, file: file ?? null },
    });
    void systemMessages.publish('journal', message);
  }

  return {
    report(incident) {
      const { message, ...fields } = incident;
      const isLoss = incident.records > 0 || incident.kind === 'segment_unusable';
      if (isLoss || incident.kind.endsWith('_failing')) logger.error(fields, message);
      else logger.warn(fields, message);
      if (isLoss) publishLoss(incident);
      else if (incident.kind === 'write_failing' || incident.kind === 'write_recovered')
        diskState.publish(incident);
      else if (incident.kind === 'checkpoint_lost') void systemMessages.publish('journal', message);
    },
    workerDied(worker, reason) {
      void systemMessages.publish('workers', `Worker ${worker} ended and is restarted: ${reason}`);
    },
    manyFieldNames({ inputId, pattern, count, examples }) {
      const input = deps.inputTitle(inputId) ?? inputId;
      const description = `Input ${JSON.stringify(input)} (${inputId}) receives messages whose field names contain ids: ${count} different names like ${JSON.stringify(pattern)} in one batch, for example ${examples.map((name) => JSON.stringify(name)).join(', ')}. Each name costs storage and memory, and searches become slow. Let the sender put the varying part into a value.`;
      workersLogger.warn({ inputId, pattern, count, examples }, 'field names contain ids');
      void notifications.publish({
        type: 'generic',
        key: `field-names:${inputId}`,
        details: { title: 'Field names contain ids', description, input_id: inputId, pattern },
      });
    },
    utilization(ratio) {
      diskState.forgetEarlierRuns();
      const limit = settings.highUtilization - (isHigh ? HYSTERESIS : 0);
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

/** Whether the journals of this node can be written. */
function createDiskState(
  { notifications, systemMessages, logger }: Omit<IncidentReporterDeps, 'inputTitle'>,
  nodeId: string,
) {
  const keys = `journal-write:${nodeId}:`;
  const failing = new Set<string>();
  let earlierRuns: 'kept' | 'being forgotten' | 'forgotten' = 'kept';

  async function forget(): Promise<void> {
    for (const { type, key } of await notifications.list()) {
      if (type !== 'generic' || key === null || !key.startsWith(keys)) continue;
      if (!failing.has(key)) await notifications.fix('generic', key);
    }
  }

  return {
    publish({ kind, message, partition, cause }: ReportedIncident): void {
      const key = `${keys}${path.basename(partition)}`;
      if (kind === 'write_recovered') {
        failing.delete(key);
        void notifications.fix('generic', key);
      } else {
        failing.add(key);
        void notifications.publish({
          type: 'generic',
          key,
          severity: 'urgent',
          details: { title: 'The journal cannot be written', description: message, reason: cause ?? null },
        });
      }
      void systemMessages.publish('journal', message);
    },
    /** Once the journals are open again: what still cannot be written is reported again. Tried until it succeeds. */
    forgetEarlierRuns(): void {
      if (earlierRuns !== 'kept') return;
      earlierRuns = 'being forgotten';
      forget().then(
        () => {
          earlierRuns = 'forgotten';
        },
        (error: unknown) => {
          earlierRuns = 'kept';
          logger.debug({ reason: errorMessage(error) }, 'notifications of an earlier run stay for now');
        },
      );
    },
  };
}
