import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Copies a built-in stream as often as needed, inside of the metadata: through the API a thousand take minutes. */
export function copyStreams(dataDir: string, count: number, title: string): void {
  const database = new DatabaseSync(path.join(dataDir, 'metadata.sqlite'));
  try {
    database.exec('PRAGMA busy_timeout = 30000');
    database
      .prepare(
        `WITH RECURSIVE copies (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM copies WHERE number < ? - 1)
         INSERT INTO streams (id, title, description, creator, matching_type, remove_matches, index_set_id, state, created_at)
         SELECT printf('b%023x', number), printf('%s %04d', ?, number), '', creator, matching_type, remove_matches,
           index_set_id, 'paused', created_at
         FROM streams CROSS JOIN copies WHERE id = '000000000000000000000001'`,
      )
      .run(count, title);
  } finally {
    database.close();
  }
}
