/** Reads the messages back from a block of `createMessageBlock`, to store its rows one by one after a refusal. */
import { type FieldLayouts, type FieldValue, Message, type RoutingTarget } from '#core/index.ts';
import { type NativeFields, readNativeBlock } from './clickhouse/index.ts';
import { fieldNameOfPath } from './schema/fields.ts';

export interface BlockMessage {
  readonly message: Message;
  readonly target: RoutingTarget;
}

/** In the order of the block, without sizes and decoder notes. */
export function messagesOfBlock(block: Buffer, indexSetId: string, layouts: FieldLayouts): BlockMessage[] {
  const read = readNativeBlock(block);
  const columns = new Map<string, readonly unknown[]>();
  function value<T>(name: string, row: number): T {
    let column = columns.get(name);
    if (column === undefined) {
      column = read.column(name);
      columns.set(name, column);
    }
    return column[row] as T;
  }

  return Array.from({ length: read.rows }, (_, row) => {
    const receivedAt = Number(value<bigint>('received_at', row));
    const text = Buffer.from(value<string>('text', row));
    const end = value<number>('message_length', row);
    const fullLength = value<number>('full_message_length', row);
    const message = new Message({
      timestamp: Number(value<bigint>('timestamp', row)),
      source: value<string>('source', row),
      message: text.toString('utf8', 0, end),
      fullMessage: fullLength === 0 ? undefined : text.toString('utf8', end + 1, end + 1 + fullLength),
      level: value<number>('level', row),
      layout: layouts.empty(),
      values: [],
      notes: 0,
      origin: {
        inputId: value<string>('input', row),
        remoteAddress: value<string>('remote_address', row),
        remotePort: value<number>('remote_port', row),
      },
      receivedAt,
      size: 0,
    });
    message.idPartition = Number(value<bigint>('id_partition', row));
    message.idOffset = Number(value<bigint>('id_offset', row));
    for (const [path, field] of value<NativeFields>('fields', row)) {
      message.setField(fieldNameOfPath(path), field as FieldValue);
    }
    const streamIds = value<readonly string[]>('streams', row);
    const indexSets = value<readonly string[]>('index_sets', row);
    message.streams = streamIds;
    const indexSetIds = indexSets.length > 0 ? indexSets : [indexSetId];
    return { message, target: { streamIds, indexSetIds, outputIds: [] } };
  });
}
