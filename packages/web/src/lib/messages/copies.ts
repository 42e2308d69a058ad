import type { LogMessage } from './log-message.ts';
import { fieldText, messageJson, orderedFieldNames } from './message-text.ts';

/** Set by the server, so no sender may send them. */
const OURS = /^(?:gl2_.*|streams|timestamp|source|message|full_message|level|_id|id)$/;

/** As a sender would send it: for trying it again elsewhere. */
export function messageGelf({ timestamp, fields }: LogMessage): string {
  const { source, message, full_message, level } = fields;
  const additional = Object.entries(fields)
    .filter(([name, value]) => !OURS.test(name) && ['string', 'number', 'bigint'].includes(typeof value))
    .map(([name, value]) => [`_${name}`, value]);
  return JSON.stringify(
    {
      version: '1.1',
      host: fieldText(source),
      short_message: fieldText(message),
      ...(full_message === undefined ? {} : { full_message }),
      timestamp: timestamp / 1000,
      ...(level === undefined ? {} : { level }),
      ...Object.fromEntries(additional),
    },
    null,
    2,
  );
}

/** One line for each field. */
export function messagePlain({ fields }: LogMessage): string {
  return orderedFieldNames(fields)
    .map((name) => `${name}: ${fieldText(fields[name])}`)
    .join('\n');
}

export const COPY_FORMATS = {
  JSON: messageJson,
  GELF: messageGelf,
  text: messagePlain,
} as const;
