import { randomUUID } from 'node:crypto';
import type { AlertNotice, NoticeStream } from '../notice.ts';

const MINUTE_MS = 60_000;

/** What somebody gets who tries a notification. */
export function testNotice(now: number, stream: NoticeStream | undefined): AlertNotice {
  const id = randomUUID();
  return {
    id: `test:${id}`,
    kind: 'test',
    rule: {
      id: `test-${id}`,
      title: 'Test of a notification',
      description: 'Somebody tries this notification.',
      remediationSteps: '',
      priority: 2,
      isAlert: true,
      creator: 'millrace',
      createdAt: now,
      graceMs: 0,
      backlogSize: 1,
    },
    condition: { type: 'dummy', parameters: {}, description: 'Dummy condition of a test' },
    alertId: null,
    streams: stream === undefined ? [] : [stream],
    query: '*',
    key: [],
    groupBy: {},
    triggeredAt: now,
    resolvedAt: null,
    window: { from: now - 5 * MINUTE_MS, to: now },
    resultDescription: 'This is a test: if you can read it, notices of alerts arrive here.',
    values: { 'count()': 1 },
    fields: {},
    backlog: [
      {
        id: 'test-message',
        index: '',
        message: 'A message of a test. Notices show the newest messages here.',
        source: 'millrace',
        timestamp: now,
        streamIds: stream === undefined ? [] : [stream.id],
        fields: { level: 6 },
      },
    ],
  };
}
