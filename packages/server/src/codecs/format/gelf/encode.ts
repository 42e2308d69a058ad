import type { FieldValue, Message } from '#core/index.ts';

/** Messages to GELF 1.1, for outputs and for tests. Decoding the result gives the message back. */
export interface GelfEncodeOptions {
  /** Adds `_gl2_source_input`, `_gl2_remote_ip`, `_gl2_remote_port` and `_streams` (ids, comma separated). */
  readonly serverFields?: boolean;
  /** GELF knows strings and numbers only, and some servers drop booleans: `text` sends "true" and "false". */
  readonly booleans?: 'json' | 'text';
}

export function encodeGelf(message: Message, options: GelfEncodeOptions = {}): Buffer {
  return Buffer.from(encodeGelfText(message, options), 'utf8');
}

export function encodeGelfText(message: Message, options: GelfEncodeOptions = {}): string {
  const booleansAsText = options.booleans === 'text';
  let text = `{"version":"1.1","host":${JSON.stringify(message.source)}`;
  text += `,"short_message":${JSON.stringify(message.message)}`;
  if (message.fullMessage !== undefined) text += `,"full_message":${JSON.stringify(message.fullMessage)}`;
  text += `,"timestamp":${message.timestamp / 1000},"level":${message.level}`;
  message.forEachField((name, value) => {
    const encoded = encodeValue(value, booleansAsText);
    if (encoded !== undefined) text += `,${JSON.stringify(keyOf(name))}:${encoded}`;
  });
  if (options.serverFields) text += serverFields(message);
  return `${text}}`;
}

/** Receivers omit `_id`, so a field of that name travels without underscore; they accept that. */
function keyOf(name: string): string {
  return name === 'id' ? name : `_${name}`;
}

function encodeValue(value: FieldValue, booleansAsText: boolean): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === 'bigint') return String(value);
  return booleansAsText ? `"${value}"` : String(value);
}

function serverFields(message: Message): string {
  const { inputId, remoteAddress, remotePort } = message.origin;
  return (
    `,"_gl2_source_input":${JSON.stringify(inputId)},"_gl2_remote_ip":${JSON.stringify(remoteAddress)}` +
    `,"_gl2_remote_port":${remotePort},"_streams":${JSON.stringify(message.streams.join(','))}`
  );
}
