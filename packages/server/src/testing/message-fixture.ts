import { createFieldLayouts, type FieldValue, type FrameSource, Message } from '#core/index.ts';

const layouts = createFieldLayouts();

export const FIXTURE_SOURCE: FrameSource = {
  inputId: '68a1b2c3d4e5f60718293a4b',
  remoteAddress: '192.0.2.7',
  remotePort: 40_000,
  codecId: 0,
};

/** A message with these fields; built-in ones by their API names, the rest are additional fields. */
export function aMessage(fields: Readonly<Record<string, FieldValue>> = {}): Message {
  const additional = new Map(Object.entries(fields));
  const take = <T extends FieldValue>(name: string, otherwise: T): T => {
    const value = additional.get(name) as T | undefined;
    additional.delete(name);
    return value ?? otherwise;
  };
  const fullMessage = additional.get('full_message');
  additional.delete('full_message');
  const message = new Message({
    timestamp: take('timestamp', Date.UTC(2026, 0, 1)),
    source: take('source', 'web-1'),
    message: take('message', 'a message'),
    fullMessage: fullMessage === undefined ? undefined : String(fullMessage),
    level: take('level', 6),
    layout: layouts.empty(),
    values: [],
    notes: 0,
    origin: {
      inputId: take('gl2_source_input', FIXTURE_SOURCE.inputId),
      remoteAddress: take('gl2_remote_ip', FIXTURE_SOURCE.remoteAddress),
      remotePort: take('gl2_remote_port', FIXTURE_SOURCE.remotePort),
    },
    receivedAt: take('gl2_receive_timestamp', Date.UTC(2026, 0, 1)),
    size: 100,
  });
  for (const [name, value] of additional) message.setField(name, value);
  return message;
}
