import type { FieldLayout, FieldValue, Message } from '#core/index.ts';
import { SHOWN_OWN_FIELDS } from '../own-fields.ts';

/** Writes a message as the API shows it: a flat JSON object without line feeds. */
export type MessageJson = (message: Message) => string;

/**
 * Longer texts are cut, because a message of megabytes would displace hundreds of others. The stored message has the
 * whole text.
 */
const MAX_TEXT_LENGTH = 16_384;

/** Fields that come from properties of the message; an additional field cannot replace them. */
const BUILT_IN = ['_id', 'timestamp', ...SHOWN_OWN_FIELDS];

/**
 * @param fields only these, and always `_id` and `timestamp`
 * @param visibleStreams only these are named as streams of a message; undefined for all
 */
export function createMessageJson(
  nodeId: string,
  fields: readonly string[] | undefined,
  visibleStreams?: readonly string[] | undefined,
): MessageJson {
  const visible = visibleStreams && new Set(visibleStreams);
  const selected = fields === undefined ? undefined : new Set(fields);
  const has = (name: string): boolean => selected === undefined || selected.has(name);
  const builtIn = SHOWN_OWN_FIELDS.filter(has);
  const nodeText = JSON.stringify(nodeId);
  // The names of a layout become JSON once, not once per message.
  const keysOfLayout = new WeakMap<FieldLayout, readonly string[]>();

  function keysOf(layout: FieldLayout): readonly string[] {
    let keys = keysOfLayout.get(layout);
    if (keys === undefined) {
      keys = layout.names.map((name) =>
        has(name) && !BUILT_IN.includes(name) ? `,${JSON.stringify(name)}:` : '',
      );
      keysOfLayout.set(layout, keys);
    }
    return keys;
  }

  function builtInText(message: Message, name: string): string | undefined {
    switch (name) {
      case 'source':
        return textOf(message.source);
      case 'message':
        return textOf(message.message);
      case 'full_message':
        return message.fullMessage === undefined ? undefined : textOf(message.fullMessage);
      case 'level':
        return String(message.level);
      case 'streams':
        return JSON.stringify(visible ? message.streams.filter((id) => visible.has(id)) : message.streams);
      case 'gl2_source_input':
        return JSON.stringify(message.origin.inputId);
      case 'gl2_source_node':
        return nodeText;
      case 'gl2_remote_ip':
        return JSON.stringify(message.origin.remoteAddress);
      case 'gl2_remote_port':
        return String(message.origin.remotePort);
      default:
        return timeText(message.receivedAt);
    }
  }

  return (message) => {
    let json = `{"_id":"${message.id}","timestamp":${timeText(message.timestamp)}`;
    for (const name of builtIn) {
      const text = builtInText(message, name);
      if (text !== undefined) json += `,"${name}":${text}`;
    }
    const keys = keysOf(message.layout);
    for (let position = 0; position < keys.length; position++) {
      const key = keys[position];
      const value = message.values[position];
      if (key && value !== undefined) json += key + valueText(value);
    }
    return `${json}}`;
  };
}

function valueText(value: FieldValue): string {
  // A bigint becomes a JSON number with all its digits.
  return typeof value === 'string' ? textOf(value) : String(value);
}

function textOf(text: string): string {
  return JSON.stringify(text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text);
}

function timeText(milliseconds: number): string {
  return `"${new Date(milliseconds).toISOString()}"`;
}
