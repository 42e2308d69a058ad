import { type FieldLayout, type FieldValue, type Message, messageIdLength } from '#core/index.ts';
import type { Encoder } from '../codec.ts';
import { addFields, type FlatForm, FlatJson, type FlatObject, ID_PLACE, keysByLayout } from '../flat-json.ts';
import { gelfPassing } from './passing.ts';

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
  const encodeText = textEncoder(options);
  const json = new FlatJson({
    firstKey: options.messageId ? '_id' : 'version',
    objectOf: objectMaker(options),
    textOf: encodeText,
  });
  return {
    encode: (message) => Buffer.from(encodeText(message), 'utf8'),
    encodeBatch: (messages) => json.encode(messages),
    // What the sender does not know, and booleans as text, take the long way.
    ...(!options.serverFields && options.booleans !== 'text' && { passing: gelfPassing(options) }),
  };
}

/** For many messages: undefined for one that is encoded by itself. */
function objectMaker(options: GelfEncodeOptions): FlatForm['objectOf'] {
  const { forwarder, messageId, booleans } = options;
  const keysOf = keysByLayout(keyOf);
  return (message) => {
    const keys = keysOf(message.layout);
    if (keys === undefined || booleans === 'text') return undefined;
    if (messageId && messageIdLength(message) !== ID_PLACE.length) return undefined;
    const { source: host, message: short_message, level } = message;
    const timestamp = message.timestamp / 1000;
    const object: FlatObject = messageId
      ? { _id: ID_PLACE, version: '1.1', host, short_message, timestamp, level }
      : { version: '1.1', host, short_message, timestamp, level };
    if (message.fullMessage !== undefined) object.full_message = message.fullMessage;
    if (!addFields(object, keys, message.values)) return undefined;
    if (options.serverFields) {
      const { inputId, remoteAddress, remotePort } = message.origin;
      object._gl2_source_input = inputId;
      object._gl2_remote_ip = remoteAddress;
      object._gl2_remote_port = remotePort;
      object._streams = message.streams.join(',');
    }
    if (forwarder !== undefined) object._forwarder ??= forwarder;
    return object;
  };
}

function textEncoder(options: GelfEncodeOptions): (message: Message) => string {
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

  return function encodeText(message) {
    let text = options.messageId ? `{"_id":"${message.id}","version":"1.1"` : '{"version":"1.1"';
    text += `,"host":${JSON.stringify(message.source)},"short_message":${JSON.stringify(message.message)}`;
    if (message.fullMessage !== undefined) text += `,"full_message":${JSON.stringify(message.fullMessage)}`;
    text += `,"timestamp":${message.timestamp / 1000},"level":${message.level}`;
    const prefixes = prefixesOf(message.layout);
    const values = message.values;
    for (let position = 0; position < prefixes.length; position++) {
      const encoded = encodeValue(values[position], booleansAsText);
      if (encoded !== undefined) text += prefixes[position] + encoded;
    }
    if (options.serverFields) text += serverFields(message);
    if (forwarder !== undefined && encodeValue(message.getField('forwarder'), false) === undefined)
      text += forwarder;
    return `${text}}`;
  };
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
