import type { FieldLayout, FieldValue, Message } from '#core/index.ts';
import type { Encoder } from '../codec.ts';

export interface GelfEncodeOptions {
  /** Adds `_gl2_source_input`, `_gl2_remote_ip`, `_gl2_remote_port` and `_streams` (ids, comma separated). */
  readonly serverFields?: boolean;
  /** GELF knows strings and numbers only, and some servers drop booleans: `text` sends "true" and "false". */
  readonly booleans?: 'json' | 'text';
  /** Adds `_forwarder` with this value, unless the message has such a field already: the first forwarder counts. */
  readonly forwarder?: string;
  /** Adds `_id`, which servers do not store: a reader can tell by it that a message came twice. */
  readonly messageId?: boolean;
}

/** Encodes messages as GELF 1.1: one JSON object on one line. */
export function createGelfEncoder(options: GelfEncodeOptions = {}): Encoder {
  const booleansAsText = options.booleans === 'text';
  const forwarder =
    options.forwarder === undefined ? undefined : `,"_forwarder":${JSON.stringify(options.forwarder)}`;
  const prefixesByLayout = new WeakMap<FieldLayout, readonly string[]>();

  /** `,"_name":` for each field, made once for all messages with the same names. */
  function prefixesOf(layout: FieldLayout): readonly string[] {
    const known = prefixesByLayout.get(layout);
    if (known !== undefined) return known;
    const prefixes = layout.names.map((name) => `,${JSON.stringify(keyOf(name))}:`);
    prefixesByLayout.set(layout, prefixes);
    return prefixes;
  }

  function encodeText(message: Message): string {
    let text = `{"version":"1.1","host":${JSON.stringify(message.source)}`;
    text += `,"short_message":${JSON.stringify(message.message)}`;
    if (message.fullMessage !== undefined) text += `,"full_message":${JSON.stringify(message.fullMessage)}`;
    text += `,"timestamp":${message.timestamp / 1000},"level":${message.level}`;
    const prefixes = prefixesOf(message.layout);
    const values = message.values;
    for (let position = 0; position < prefixes.length; position++) {
      const encoded = encodeValue(values[position], booleansAsText);
      if (encoded !== undefined) text += prefixes[position] + encoded;
    }
    if (options.serverFields) text += serverFields(message);
    if (options.messageId) text += `,"_id":"${message.id}"`;
    if (forwarder !== undefined && message.getField('forwarder') === undefined) text += forwarder;
    return `${text}}`;
  }

  return { encode: (message) => Buffer.from(encodeText(message), 'utf8') };
}

/** Receivers drop `_id`, so a field of that name is sent without underscore, which they accept. */
function keyOf(name: string): string {
  return name === 'id' ? name : `_${name}`;
}

function encodeValue(value: FieldValue | undefined, booleansAsText: boolean): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === 'boolean') return booleansAsText ? `"${value}"` : String(value);
  return value === undefined ? undefined : String(value);
}

function serverFields(message: Message): string {
  const { inputId, remoteAddress, remotePort } = message.origin;
  return (
    `,"_gl2_source_input":${JSON.stringify(inputId)},"_gl2_remote_ip":${JSON.stringify(remoteAddress)}` +
    `,"_gl2_remote_port":${remotePort},"_streams":${JSON.stringify(message.streams.join(','))}`
  );
}
