import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Copies an input of a node, stopped, inside of the metadata: through the API each one would be started first. */
export function copyInputs(dataDir: string, id: string, count: number, title: string): void {
  const database = new DatabaseSync(path.join(dataDir, 'metadata.sqlite'));
  try {
    database.exec('PRAGMA busy_timeout = 30000');
    database
      .prepare(
        `WITH RECURSIVE copies (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM copies WHERE number < ? - 1)
         INSERT INTO inputs (id, title, type, global, node_id, configuration, desired_state, creator, content_pack, created_at)
         SELECT printf('d%023x', number), printf('%s %04d', ?, number), type, global, node_id, configuration, 'stopped',
           creator, content_pack, created_at
         FROM (SELECT * FROM inputs WHERE id = ?) CROSS JOIN copies`,
      )
      .run(count, title, id);
  } finally {
    database.close();
  }
}
