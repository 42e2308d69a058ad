/** Alerts that are open, and those that were. Lists leave out the events of rules that do not alert. */
import {
  type AlertsPageQuery,
  type AlertsQuery,
  type AllAlertsPageQuery,
  formatTimestamp,
  MAX_ALERTS,
  type TriggeredAlert,
  type TriggeredAlertList,
} from '@millrace/contract';
import { type Caller, NotFoundError, type Principal, recordAction } from '#core/index.ts';
import type { AlertFilter, AlertRecord } from '#metadata/index.ts';
import { CONDITION_TYPES } from '../conditions/registry.ts';
import { tellEnd } from '../evaluation/alert-end.ts';
import { requireAlert, requireReadableAlert } from '../notifications/service.ts';
import { type RuleContext, requireStream } from '../rules/access.ts';

type Reader = Pick<Principal, 'can'>;

/** Contract: newest first, at most `MAX_ALERTS`. Throws `NotFoundError` for an unknown stream. */
export interface AlertHistory {
  /** `total` counts the alerts in the answer. */
  ofStream(streamId: string, query: AlertsQuery): Promise<TriggeredAlertList>;
  /** `total` counts those on all pages. */
  pageOfStream(streamId: string, query: AlertsPageQuery): Promise<TriggeredAlertList>;
  /** Of all streams that the reader may read. */
  all(reader: Reader, query: AlertsQuery): Promise<TriggeredAlertList>;
  page(reader: Reader, query: AllAlertsPageQuery): Promise<TriggeredAlertList>;
  /** Throws `ForbiddenError` if the reader may not read its stream. */
  get(reader: Reader, alertId: string): Promise<TriggeredAlert>;
  /** Ends an alert by hand. Nothing happens if it is not open. */
  resolve(caller: Caller, streamId: string, alertId: string): Promise<TriggeredAlert>;
}

export function createAlertHistory(context: RuleContext): AlertHistory {
  const { metadata, audit, clock } = context;
  const { alerts, streams } = metadata.repositories;

  /** Undefined for somebody who may read all streams. */
  async function readableStreams(reader: Reader): Promise<readonly string[] | undefined> {
    if (reader.can('streams:read')) return undefined;
    return (await streams.list()).flatMap(({ id }) => (reader.can('streams:read', id) ? [id] : []));
  }

  async function since(filter: AlertFilter, query: AlertsQuery): Promise<TriggeredAlertList> {
    const { items } = await alerts.page(
      { ...filter, since: Math.ceil(query.since * 1000) },
      { limit: Math.min(query.limit, MAX_ALERTS), offset: 0 },
    );
    return { total: items.length, alerts: items.map(alertView) };
  }

  async function page(filter: AlertFilter, query: AlertsPageQuery): Promise<TriggeredAlertList> {
    const state = query.state.toLowerCase();
    const { items, total } = await alerts.page(
      {
        ...filter,
        state: state === 'resolved' || state === 'unresolved' ? state : undefined,
        text: query.query.trim(),
        ruleId: query.condition_id,
      },
      { limit: Math.min(query.limit, MAX_ALERTS), offset: query.skip },
      { by: query.sort, direction: query.order },
    );
    return { total, alerts: items.map(alertView) };
  }

  return {
    async ofStream(streamId, query) {
      await requireStream(metadata, streamId);
      return since({ streamIds: [streamId] }, query);
    },
    async pageOfStream(streamId, query) {
      await requireStream(metadata, streamId);
      return page({ streamIds: [streamId] }, query);
    },
    all: async (reader, query) => since({ streamIds: await readableStreams(reader) }, query),
    async page(reader, query) {
      const readable = await readableStreams(reader);
      const wanted = query.stream_id;
      if (wanted === undefined) return page({ streamIds: readable }, query);
      const isReadable = readable === undefined || readable.includes(wanted);
      return page({ streamIds: isReadable ? [wanted] : [] }, query);
    },
    get: async (reader, alertId) => alertView(await requireReadableAlert(metadata, reader, alertId)),
    async resolve(caller, streamId, alertId) {
      await requireStream(metadata, streamId);
      const alert = await requireAlert(metadata, alertId);
      if (!alert.streams.includes(streamId)) throw new NotFoundError(`Alert ${alertId} not found!`);
      const at = Math.max(clock.now(), alert.triggeredAt);
      const isResolved = await metadata.transaction(async (scope) => {
        if (!(await scope.repositories.alerts.resolve(alertId, at))) return false;
        const rule = await scope.repositories.alertRules.find(alert.ruleId);
        const reason = `Resolved by hand by ${caller.principal.username}.`;
        if (rule !== undefined) await tellEnd(context, scope, rule, [{ ...alert, resolvedAt: at }], reason);
        return true;
      });
      if (isResolved) {
        await recordAction(audit, caller, 'alert.resolve', { objectId: alertId });
      }
      return alertView((await alerts.find(alertId)) ?? alert);
    },
  };
}

export function alertView(alert: AlertRecord): TriggeredAlert {
  return {
    id: alert.id,
    condition_id: alert.ruleId,
    stream_id: alert.streams[0] ?? '',
    description: alert.description,
    condition_parameters: { ...alert.parameters },
    triggered_at: formatTimestamp(alert.triggeredAt),
    resolved_at: alert.resolvedAt === null ? null : formatTimestamp(alert.resolvedAt),
    is_interval: alert.sourceMessage === undefined,
    title: alert.title,
    key: Object.fromEntries(alert.key.map(({ field, value }) => [field, value])),
    condition_type: CONDITION_TYPES.find(alert.conditionType)?.wireType ?? alert.conditionType,
    stream_ids: [...alert.streams],
    window: { from: formatTimestamp(alert.windowFrom), to: formatTimestamp(alert.windowTo) },
  };
}
