import type { Message } from '#core/index.ts';

/** A message as GELF, for those that could not be stored: with everything that was known of it. */
export function frameOfMessage(message: Message): Buffer {
  const members: [string, unknown][] = [
    ['version', '1.1'],
    ['host', message.source],
    ['short_message', message.message],
    ...(message.fullMessage === undefined
      ? []
      : [['full_message', message.fullMessage] as [string, unknown]]),
    ['timestamp', message.timestamp / 1000],
    ['level', message.level],
  ];
  message.forEachField((name, value) => {
    members.push([`_${name}`, typeof value === 'bigint' ? value.toString() : value]);
  });
  return Buffer.from(JSON.stringify(Object.fromEntries(members)));
}
