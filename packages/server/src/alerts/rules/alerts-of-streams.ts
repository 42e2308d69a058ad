/** What becomes of the alert rules and notifications of a stream that is copied or deleted. */
import { type Caller, recordAction } from '#core/index.ts';
import type { AlertRuleRecord, MetadataScope } from '#metadata/index.ts';
import type { CopyNotifications } from '../notifications/service.ts';
import { endRule, type RuleContext, ruleRemoved } from './access.ts';

/** Both work within a transaction and resolve with what has to be done when that is committed. */
export interface AlertsOfStreams {
  readonly copy: CopyNotifications;
  /** To be called before the stream is deleted. */
  remove(scope: MetadataScope, caller: Caller, streamId: string): Promise<() => Promise<void>>;
}

export interface AlertsOfStreamsDeps extends RuleContext {
  readonly copyNotifications: CopyNotifications;
}

export function createAlertsOfStreams(deps: AlertsOfStreamsDeps): AlertsOfStreams {
  return {
    async copy(scope, caller, sourceId, copyId) {
      const { alertRules } = scope.repositories;
      const creator = caller.principal.username;
      const copies: AlertRuleRecord[] = [];
      for (const rule of await alertRules.listByStream(sourceId)) {
        copies.push(await alertRules.insert({ ...rule, streams: [copyId], creator }));
      }
      const notificationsCopied = await deps.copyNotifications(scope, caller, sourceId, copyId);
      return async () => {
        for (const rule of copies) {
          await recordAction(deps.audit, caller, 'alert_rule.create', { objectId: rule.id, after: rule });
        }
        await notificationsCopied();
      };
    },

    /** Rules that look at other streams too go on with those. Others end, with their alerts; the history stays. */
    async remove(scope, caller, streamId) {
      const rules = (await scope.repositories.alertRules.list()).filter(({ streams }) =>
        streams.includes(streamId),
      );
      const ending = rules.filter(({ streams }) => streams.length === 1);
      const going = rules.filter(({ streams }) => streams.length > 1);
      const reason = `The stream was deleted by ${caller.principal.username}.`;
      for (const rule of ending) await endRule(deps, scope, rule, reason);
      const changes: { before: AlertRuleRecord; after: AlertRuleRecord | undefined }[] = [];
      for (const before of going) changes.push({ before, after: await without(scope, before, streamId) });
      await scope.repositories.alerts.forgetStream(streamId);
      return async () => {
        for (const rule of ending) await ruleRemoved(deps, caller, rule);
        for (const { before, after } of changes) {
          await recordAction(deps.audit, caller, 'alert_rule.update', { objectId: before.id, before, after });
        }
      };
    },
  };
}

function without(
  { repositories }: MetadataScope,
  { id }: AlertRuleRecord,
  streamId: string,
): Promise<AlertRuleRecord | undefined> {
  return repositories.alertRules.update(id, (before) => ({
    ...before,
    streams: before.streams.filter((each) => each !== streamId),
  }));
}
