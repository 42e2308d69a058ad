/** Alerts that are open, and those that were. */
import {
  type AlertsPageQuery,
  type AlertsQuery,
  formatTimestamp,
  MAX_ALERTS,
  type TriggeredAlert,
  type TriggeredAlertList,
} from '@millrace/contract';
import { type Caller, ForbiddenError, NotFoundError, type Principal, recordAction } from '#core/index.ts';
import type { AlertFilter, AlertRecord } from '#metadata/index.ts';
import { tellEnd } from '../evaluation/alert-end.ts';
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
  page(reader: Reader, query: AlertsPageQuery): Promise<TriggeredAlertList>;
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
      { ...filter, since: query.since * 1000 },
      { limit: Math.min(query.limit, MAX_ALERTS), offset: 0 },
    );
    return { total: items.length, alerts: items.map(alertView) };
  }

  async function page(filter: AlertFilter, query: AlertsPageQuery): Promise<TriggeredAlertList> {
    const state = query.state.toLowerCase();
    const { items, total } = await alerts.page(
      { ...filter, state: state === 'resolved' || state === 'unresolved' ? state : undefined },
      { limit: Math.min(query.limit, MAX_ALERTS), offset: query.skip },
    );
    return { total, alerts: items.map(alertView) };
  }

  async function requireAlert(alertId: string): Promise<AlertRecord> {
    const alert = alertId.includes('\0') ? undefined : await alerts.find(alertId);
    if (alert === undefined) throw new NotFoundError(`Alert ${alertId} not found!`);
    return alert;
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
    page: async (reader, query) => page({ streamIds: await readableStreams(reader) }, query),
    async get(reader, alertId) {
      const alert = await requireAlert(alertId);
      const isForbidden =
        alert.streams.length === 0
          ? !reader.can('streams:read')
          : alert.streams.some((id) => !reader.can('streams:read', id));
      if (isForbidden) throw new ForbiddenError(`Not authorized to access alert ${alertId}`);
      return alertView(alert);
    },
    async resolve(caller, streamId, alertId) {
      await requireStream(metadata, streamId);
      const alert = await requireAlert(alertId);
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
  };
}
