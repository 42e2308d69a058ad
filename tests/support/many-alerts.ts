import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface ManyAlerts {
  readonly count: number;
  readonly title: string;
  readonly streamId: string;
}

/** Resolved alerts of a condition that is gone, inside of the metadata: real ones would take months. */
export function writePastAlerts(dataDir: string, { count, title, streamId }: ManyAlerts): void {
  const database = new DatabaseSync(path.join(dataDir, 'metadata.sqlite'));
  const now = Date.now();
  const content = (number: string) =>
    JSON.stringify({
      description: 'Stream had 12 messages',
      title: `${title} ${number}`,
      conditionType: 'message_count',
      parameters: { time: 5, threshold: 10, threshold_type: 'MORE', query: '*' },
      streams: [streamId],
      key: [],
      windowFrom: now - 600_000,
      windowTo: now - 300_000,
      values: { 'count()': 12 },
      priority: 2,
      isAlert: true,
    });
  try {
    database.exec('PRAGMA busy_timeout = 30000; BEGIN');
    const insert = database.prepare(
      `INSERT INTO alerts (id, rule_id, stream_id, key_id, triggered_at, resolved_at, notified_at, event_stored, search_key, content)
       VALUES (?, 'gone', ?, '', ?, ?, ?, 1, ?, ?)`,
    );
    for (let at = 0; at < count; at += 1) {
      const number = String(at).padStart(5, '0');
      const triggered = now - (count - at) * 60_000;
      const key = `${title} ${number}\nStream had 12 messages`.toLowerCase();
      insert.run(`past-${number}`, streamId, triggered, triggered + 30_000, triggered, key, content(number));
    }
    database.exec('COMMIT');
  } finally {
    database.close();
  }
}
