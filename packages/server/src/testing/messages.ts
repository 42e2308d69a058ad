import {
  createFieldLayouts,
  type FieldLayouts,
  type FieldValue,
  Message,
  messageIdText,
  type RoutingTarget,
} from '#core/index.ts';

export interface MessageParts {
  readonly id?: string;
  readonly timestamp?: number;
  readonly receivedAt?: number;
  readonly source?: string;
  readonly message?: string;
  readonly fullMessage?: string | undefined;
  readonly level?: number;
  readonly fields?: Readonly<Record<string, FieldValue>> | readonly (readonly [string, FieldValue])[];
  readonly inputId?: string;
  readonly remoteAddress?: string;
  readonly remotePort?: number;
}

const sharedLayouts = createFieldLayouts();

/** An id as processing makes them, for the record at an offset of a journal partition. */
export function testMessageId(offset: number, receivedAt = 1_789_000_000_000, partition = 77): string {
  return messageIdText({ receivedAt, partition, offset });
}

/** A message with everything that is not given filled in. */
export function testMessage(parts: MessageParts = {}, layouts: FieldLayouts = sharedLayouts): Message {
  const receivedAt = parts.receivedAt ?? 1_789_000_000_000;
  const message = new Message({
    timestamp: parts.timestamp ?? receivedAt,
    source: parts.source ?? 'host-1',
    message: parts.message ?? 'something happened',
    fullMessage: parts.fullMessage,
    level: parts.level ?? 6,
    layout: layouts.empty(),
    values: [],
    notes: 0,
    origin: {
      inputId: parts.inputId ?? '65a1b2c3d4e5f60718293a4b',
      remoteAddress: parts.remoteAddress ?? '192.0.2.7',
      remotePort: parts.remotePort ?? 51_000,
    },
    receivedAt,
    size: 300,
  });
  message.id = parts.id ?? testMessageId(0, receivedAt);
  const fields = parts.fields ?? {};
  const entries = Array.isArray(fields) ? fields : Object.entries(fields);
  for (const [name, value] of entries) message.setField(name, value);
  return message;
}

export function testTarget(
  indexSetIds: readonly string[],
  streamIds: readonly string[] = ['000000000000000000000001'],
): RoutingTarget {
  return { indexSetIds, streamIds, outputIds: [] };
}
