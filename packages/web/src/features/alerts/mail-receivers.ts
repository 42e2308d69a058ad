import type { Problem } from '../../lib/api/index.ts';
import type { FormValues } from '../../lib/forms/index.ts';

const ADDRESSES = 'email_receivers';
const USERS = 'user_receivers';

/**
 * A mail without a receiver is refused here only: Graylog's clients make the notification first and name its receivers
 * afterwards, so the server takes it.
 */
export function missingReceivers(fields: readonly string[], values: FormValues): Problem[] {
  if (!fields.includes(ADDRESSES)) return [];
  const hasSome = [values[ADDRESSES], values[USERS]].some((list) => Array.isArray(list) && list.length > 0);
  return hasSome
    ? []
    : [{ path: ADDRESSES, message: 'Name an address, or a user below: nobody gets the mail.' }];
}
