import { type FieldLayout, type FieldValue, type Message, messageIdLength } from '#core/index.ts';
import type { Encoder } from '../codec.ts';
import { addFields, type FlatForm, FlatJson, type FlatObject, ID_PLACE, keysByLayout } from '../flat-json.ts';

export interface JsonEncodeOptions {
  /** Adds `gl2_source_input`, `gl2_remote_ip`, `gl2_remote_port`, `gl2_receive_timestamp` and `streams`. */
  readonly serverFields?: boolean;
}

/**
 * Encodes messages as JSON objects on one line, with the field names of the API: `_id`, `timestamp` (ISO 8601),
 * `source`, `message`, `full_message`, `level`, and the message's own fields.
 */
export function createJsonEncoder(options: JsonEncodeOptions = {}): Encoder {
  const encodeText = textEncoder(options);
  const json = new FlatJson({ firstKey: '_id', objectOf: objectMaker(options), textOf: encodeText });
  return {
    encode: (message) => Buffer.from(encodeText(message), 'utf8'),
    encodeBatch: (messages) => json.encode(messages),
  };
}

/** For many messages: undefined for one that is encoded by itself. */
function objectMaker(options: JsonEncodeOptions): FlatForm['objectOf'] {
  const keysOf = keysByLayout((name) => name);
  return (message) => {
    const keys = keysOf(message.layout);
    if (keys === undefined || messageIdLength(message) !== ID_PLACE.length) return undefined;
    const { source, message: text, level } = message;
    const timestamp = new Date(message.timestamp).toISOString();
    const object: FlatObject = { _id: ID_PLACE, timestamp, source, message: text, level };
    if (message.fullMessage !== undefined) object.full_message = message.fullMessage;
    if (!addFields(object, keys, message.values)) return undefined;
    if (options.serverFields) {
      const { inputId, remoteAddress, remotePort } = message.origin;
      object.gl2_source_input = inputId;
      object.gl2_remote_ip = remoteAddress;
      object.gl2_remote_port = remotePort;
      object.gl2_receive_timestamp = new Date(message.receivedAt).toISOString();
      object.streams = message.streams;
    }
    return object;
  };
}

function textEncoder(options: JsonEncodeOptions): (message: Message) => string {
  const prefixesByLayout = new WeakMap<FieldLayout, readonly string[]>();

  function prefixesOf(layout: FieldLayout): readonly string[] {
    const known = prefixesByLayout.get(layout);
    if (known !== undefined) return known;
    const prefixes = layout.names.map((name) => `,${JSON.stringify(name)}:`);
    prefixesByLayout.set(layout, prefixes);
    return prefixes;
  }

  return function encodeText(message) {
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
  };
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
