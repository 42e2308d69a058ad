import type { NewAlert, NewAlertRule } from '#metadata/index.ts';

export function anAlertRule(changes: Partial<NewAlertRule> = {}): NewAlertRule {
  return {
    title: 'Too many errors',
    description: '',
    enabled: true,
    streams: [],
    condition: { type: 'message_count', parameters: { time: 5, threshold: 10 } },
    schedule: { kind: 'interval', everyMs: null },
    notifiesStream: true,
    notifications: [],
    priority: 2,
    isAlert: true,
    extras: {},
    creator: 'anna',
    ...changes,
  };
}

export function anAlert(changes: Partial<NewAlert> = {}): NewAlert {
  return {
    id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    ruleId: 'rule',
    triggeredAt: 1000,
    notifiedAt: 1000,
    description: 'Stream had 12 messages',
    title: 'Too many errors',
    conditionType: 'message_count',
    parameters: { time: 5, threshold: 10 },
    streams: [],
    key: [],
    windowFrom: 0,
    windowTo: 1000,
    values: { 'count()': 12 },
    priority: 2,
    isAlert: true,
    ...changes,
  };
}
