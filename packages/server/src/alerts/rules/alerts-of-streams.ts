/** What becomes of the alert rules and notifications of a stream that is copied or deleted. */
import { type Caller, recordAction } from '#core/index.ts';
import type { AlertRuleRecord, MetadataScope } from '#metadata/index.ts';
import type { CopyNotifications } from '../notifications/service.ts';
import { endRule, type RuleContext, ruleRemoved, usableNotifications } from './access.ts';

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
        const notifications = await usableNotifications(scope, caller.principal, rule);
        copies.push(await alertRules.insert({ ...rule, streams: [copyId], notifications, creator }));
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
      const { alertRules, streams } = scope.repositories;
      const rules = (await alertRules.list()).filter((rule) => rule.streams.includes(streamId));
      // Earlier versions left the ids of deleted streams in rules.
      const left = new Set((await streams.list()).map(({ id }) => id).filter((id) => id !== streamId));
      const goesOn = (rule: AlertRuleRecord) => rule.streams.some((id) => left.has(id));
      const ending = rules.filter((rule) => !goesOn(rule));
      const reason = `The stream was deleted by ${caller.principal.username}.`;
      // The notifications of the stream itself are deleted with it.
      for (const rule of ending) await endRule(deps, scope, { ...rule, notifiesStream: false }, reason);
      const changes: { before: AlertRuleRecord; after: AlertRuleRecord | undefined }[] = [];
      for (const before of rules.filter(goesOn)) {
        changes.push({ before, after: await lookOnlyAt(scope, before, left) });
      }
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

function lookOnlyAt(
  { repositories }: MetadataScope,
  { id }: AlertRuleRecord,
  streamIds: ReadonlySet<string>,
): Promise<AlertRuleRecord | undefined> {
  return repositories.alertRules.update(id, (before) => {
    const streams = before.streams.filter((each) => streamIds.has(each));
    // A rule without streams would look at all of them.
    return streams.length === 0 ? before : { ...before, streams };
  });
}
