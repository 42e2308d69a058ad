import type { Repositories } from '#metadata/index.ts';
import { anAlert, anAlertRule } from './alert-records.ts';

interface Seeded {
  readonly streamId: string;
  readonly alertRuleId: string;
}

type Sample = (repositories: Repositories, seeded: Seeded) => Promise<unknown>;
type Samples<Name extends keyof Repositories> = {
  readonly [Of in Name]: { readonly [Call in keyof Repositories[Of]]: Sample };
};

/** A call of each function of the repositories of alerts. */
export const ALERT_SAMPLES: Samples<'alertRules' | 'alerts'> = {
  alertRules: {
    insert: (r, { streamId }) => r.alertRules.insert(anAlertRule({ streams: [streamId] })),
    update: (r, { alertRuleId }) => r.alertRules.update(alertRuleId, anAlertRule()),
    remove: (r, { alertRuleId }) => r.alertRules.remove(alertRuleId),
    find: (r, { alertRuleId }) => r.alertRules.find(alertRuleId),
    list: (r) => r.alertRules.list(),
    listByStream: (r, { streamId }) => r.alertRules.listByStream(streamId),
    revision: (r) => r.alertRules.revision(),
    states: (r, { alertRuleId }) => r.alertRules.states(alertRuleId),
    advance: (r, { alertRuleId }) => r.alertRules.advance(alertRuleId, 1, 2, 3),
    failed: (r, { alertRuleId }) => r.alertRules.failed(alertRuleId, 'away', 3),
    mute: (r, { alertRuleId }) => r.alertRules.mute(alertRuleId, 4),
    restart: (r, { alertRuleId }) => r.alertRules.restart(alertRuleId, 5, 4),
  },
  alerts: {
    insert: (r) => r.alerts.insert(anAlert()),
    resolve: (r) => r.alerts.resolve('alert', 2),
    resolveOfRule: (r) => r.alerts.resolveOfRule('rule', 2),
    forgetStream: (r, { streamId }) => r.alerts.forgetStream(streamId),
    notified: (r) => r.alerts.notified('alert', 2),
    find: (r) => r.alerts.find('alert'),
    findMany: (r) => r.alerts.findMany(['alert']),
    current: (r) => r.alerts.current(['rule'], 1),
    lastNotified: (r) => r.alerts.lastNotified('rule', ['a', 'b'], 1),
    lastTriggered: (r) => r.alerts.lastTriggered(['a', 'b']),
    page: (r, { streamId }) =>
      r.alerts.page(
        { streamIds: [streamId], since: 1, state: 'resolved', ruleId: 'rule', text: 'Web' },
        { limit: 10, offset: 20 },
        { by: 'title', direction: 'asc' },
      ),
    withoutEvent: (r) => r.alerts.withoutEvent(10),
    eventStored: (r) => r.alerts.eventStored(['alert']),
    removeTriggeredBefore: (r) => r.alerts.removeTriggeredBefore(1),
  },
};
