import type { Problem } from '../../lib/api/index.ts';
import type { FormValues } from '../../lib/forms/index.ts';

/** Addresses and users: of a stream's notification, and of one that rules name. */
const RECEIVERS = [
  ['email_receivers', 'user_receivers'],
  ['email_recipients', 'user_recipients'],
] as const;

/**
 * A mail without a receiver is refused here only: Graylog's clients make the notification first and name its receivers
 * afterwards, so the server takes it.
 */
export function missingReceivers(fields: readonly string[], values: FormValues): Problem[] {
  const names = RECEIVERS.find(([addresses]) => fields.includes(addresses));
  if (names === undefined || names.some((name) => hasEntries(values[name]))) return [];
  return [{ path: names[0], message: 'Name an address, or a user below: nobody gets the mail.' }];
}

function hasEntries(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
