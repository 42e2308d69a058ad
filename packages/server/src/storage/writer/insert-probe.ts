/**
 * Tells whether an engine stores rows right now. An empty block cannot tell: it is accepted by an engine whose disk
 * fails. The probe inserts one real row into a table that has the layout of all message tables and nothing else in it.
 */
import { createFieldLayouts, Message, PermanentError, type RoutingTarget } from '#core/index.ts';
import {
  answeringReplica,
  type ClickHouseServer,
  qualifiedName,
  type Replication,
} from '../clickhouse/index.ts';
import { createMessageBlock } from '../message-block.ts';
import { createMessageTable, INSERT_SETTINGS } from '../schema/message-table.ts';

const PROBE_TABLE = 'insert_probe';
const PROBE_TARGET: RoutingTarget = { streamIds: [], indexSetIds: [], outputIds: [] };

/** False when the server refuses the row for good; rejects with a `RetryableError` while it cannot be reached. */
export async function storesRows(
  asked: ClickHouseServer,
  database: string,
  replication: Replication | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  const server = answeringReplica(asked);
  try {
    // Not replicated: it tells about this server only, and needs no quorum.
    const create = createMessageTable(database, PROBE_TABLE, { replication, isLocal: true });
    await server.command(create, { signal });
    await server.insertNative({
      database,
      table: PROBE_TABLE,
      block: probeBlock(),
      settings: INSERT_SETTINGS,
      signal,
    });
    await server.command(`TRUNCATE TABLE ${qualifiedName(database, PROBE_TABLE)}`, { signal });
    return true;
  } catch (error) {
    if (error instanceof PermanentError) return false;
    throw error;
  }
}

function probeBlock(): Buffer {
  const message = new Message({
    timestamp: 0,
    source: 'probe',
    message: 'probe',
    fullMessage: undefined,
    level: 6,
    layout: createFieldLayouts().empty(),
    values: [],
    notes: 0,
    origin: { inputId: '', remoteAddress: '', remotePort: 0 },
    receivedAt: 0,
    size: 0,
  });
  message.setField('probe', 'probe');
  message.idPartition = 0;
  message.idOffset = 0;
  const block = createMessageBlock({ indexSetId: '', nodeId: '' });
  block.append(message, PROBE_TARGET);
  return block.encode(0);
}
