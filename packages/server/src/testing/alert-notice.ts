import type { AlertNotice, BacklogMessage } from '#alerts/notifications/service.ts';

const MINUTE_MS = 60_000;

/** 2026-03-01T12:00:00.000Z, when the notices of tests were triggered. */
export const TRIGGERED_AT = Date.UTC(2026, 2, 1, 12);

export function aBacklogMessage(changes: Partial<BacklogMessage> = {}): BacklogMessage {
  return {
    id: '01hxf0000000000000000000aa',
    index: 'millrace_0',
    message: 'payment failed',
    source: 'shop-1',
    timestamp: TRIGGERED_AT - 1000,
    streamIds: ['5f0000000000000000000001'],
    fields: { level: 3, user: 'anna' },
    ...changes,
  };
}

/** A notice as the rule "Too many errors" of the stream "Shop" causes it. */
export function aNotice(changes: Partial<AlertNotice> = {}): AlertNotice {
  return {
    id: 'alert-1:triggered',
    kind: 'triggered',
    rule: {
      id: '6f1b7a0c-0000-4000-8000-000000000001',
      title: 'Too many errors',
      description: 'Payments fail',
      remediationSteps: 'Restart the shop',
      priority: 2,
      isAlert: true,
      creator: 'anna',
      createdAt: TRIGGERED_AT - 1000 * MINUTE_MS,
      graceMs: MINUTE_MS,
      backlogSize: 5,
    },
    condition: {
      type: 'message_count',
      parameters: { time: 5, threshold_type: 'MORE', threshold: 3, grace: 1, backlog: 5 },
      description: 'time: 5, threshold_type: more, threshold: 3, grace: 1',
    },
    alertId: 'alert-1',
    streams: [{ id: '5f0000000000000000000001', title: 'Shop', description: 'What the web shop writes' }],
    query: 'level:<4',
    key: [],
    groupBy: {},
    triggeredAt: TRIGGERED_AT,
    resolvedAt: null,
    window: { from: TRIGGERED_AT - 5 * MINUTE_MS, to: TRIGGERED_AT },
    resultDescription:
      'Stream had 7 messages in the last 5 minutes with trigger condition more than 3 messages. (Current grace time: 1 minutes)',
    values: { 'count()': 7 },
    fields: {},
    backlog: [aBacklogMessage()],
    ...changes,
  };
}
