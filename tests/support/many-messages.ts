import { askEngine } from './engine-of-node.ts';

export interface CopiedMessages {
  readonly count: number;
  /** SQL over `number`: how many milliseconds before the copied message. */
  readonly ageMs: string;
  /** SQL over `number`, the same whenever it is evaluated. */
  readonly message: string;
  readonly fullMessage?: string;
}

/**
 * Copies the newest message as often as needed, inside of the engine: sending a million takes minutes. The copies have
 * ids of their own.
 */
export async function copyMessages(
  dataDir: string,
  { count, ageMs, message, fullMessage = "''" }: CopiedMessages,
): Promise<void> {
  const [found] = await askEngine<{ name: string }>(
    dataDir,
    "SELECT concat(database, '.', name) AS name FROM system.tables WHERE system.tables.name LIKE 'millrace\\_%'",
  );
  if (found === undefined) throw new Error('there is no table of messages');
  await askEngine(
    dataDir,
    `INSERT INTO ${found.name} SELECT newest.* REPLACE (
       timestamp - toIntervalMillisecond(${ageMs}) AS timestamp,
       id_offset + 1000000 + number AS id_offset,
       if(empty(${fullMessage}), ${message}, concat(${message}, '\\n', ${fullMessage})) AS text,
       length(${message}) AS message_length,
       length(${fullMessage}) AS full_message_length)
     FROM (SELECT * FROM ${found.name} ORDER BY timestamp DESC LIMIT 1) AS newest
     CROSS JOIN numbers(${count}) AS copies`,
  );
}
