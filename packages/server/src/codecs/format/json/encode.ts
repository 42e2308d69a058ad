import type { FieldLayout, FieldValue, Message } from '#core/index.ts';
import type { Encoder } from '../codec.ts';

export interface JsonEncodeOptions {
  /** Adds `gl2_source_input`, `gl2_remote_ip`, `gl2_remote_port`, `gl2_receive_timestamp` and `streams`. */
  readonly serverFields?: boolean;
}

/**
 * Encodes messages as JSON objects on one line, with the field names of the API: `_id`, `timestamp` (ISO 8601),
 * `source`, `message`, `full_message`, `level`, and the message's own fields.
 */
export function createJsonEncoder(options: JsonEncodeOptions = {}): Encoder {
  const prefixesByLayout = new WeakMap<FieldLayout, readonly string[]>();

  function prefixesOf(layout: FieldLayout): readonly string[] {
    const known = prefixesByLayout.get(layout);
    if (known !== undefined) return known;
    const prefixes = layout.names.map((name) => `,${JSON.stringify(name)}:`);
    prefixesByLayout.set(layout, prefixes);
    return prefixes;
  }

  function encodeText(message: Message): string {
    let text = `{"_id":"${message.id}","timestamp":"${new Date(message.timestamp).toISOString()}"`;
    text += `,"source":${JSON.stringify(message.source)},"message":${JSON.stringify(message.message)}`;
    if (message.fullMessage !== undefined) text += `,"full_message":${JSON.stringify(message.fullMessage)}`;
    text += `,"level":${message.level}`;
    const prefixes = prefixesOf(message.layout);
    for (let position = 0; position < prefixes.length; position++) {
      const encoded = encodeValue(message.values[position]);
      if (encoded !== undefined) text += prefixes[position] + encoded;
    }
    if (options.serverFields) text += serverFields(message);
    return `${text}}`;
  }

  return { encode: (message) => Buffer.from(encodeText(message), 'utf8') };
}

/** Integers beyond 2^53 are written digit by digit: readers decide how many of them they keep. */
function encodeValue(value: FieldValue | undefined): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number' && !Number.isFinite(value)) return undefined;
  return value === undefined ? undefined : String(value);
}

function serverFields({ origin, receivedAt, streams }: Message): string {
  const { inputId, remoteAddress, remotePort } = origin;
  return (
    `,"gl2_source_input":${JSON.stringify(inputId)},"gl2_remote_ip":${JSON.stringify(remoteAddress)}` +
    `,"gl2_remote_port":${remotePort},"gl2_receive_timestamp":"${new Date(receivedAt).toISOString()}"` +
    `,"streams":${JSON.stringify(streams)}`
  );
}
