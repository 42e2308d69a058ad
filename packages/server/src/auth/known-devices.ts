import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { deriveKey, type Secret } from '#core/index.ts';

/**
 * Recognises browsers in which a user has logged in before, by a cookie. It gives no access. It only gives the browser
 * its own count of failed logins, so that failures of others behind the same address do not lock the owner out.
 */
export interface KnownDevices {
  /** The value of a cookie for a browser in which the user has just logged in. */
  issue(username: string): string;
  /** The id of the device; undefined if the value was not issued for this user. */
  identify(username: string, cookie: string | undefined): string | undefined;
}

const ID_BYTES = 16;
const KEY_PURPOSE = 'millrace known devices v1';

/** All nodes of a cluster share `passwordSecret`, so each of them knows the devices of the others. */
export function createKnownDevices(passwordSecret: Secret): KnownDevices {
  const key = deriveKey(passwordSecret, KEY_PURPOSE);
  const sign = (id: string, username: string): Buffer =>
    createHmac('sha256', key).update(`${id} ${username}`).digest();

  return {
    issue(username) {
      const id = randomBytes(ID_BYTES).toString('base64url');
      return `${id}.${sign(id, username).toString('base64url')}`;
    },
    identify(username, cookie) {
      const [id = '', signature = ''] = cookie?.split('.', 2) ?? [];
      const given = Buffer.from(signature, 'base64url');
      const expected = sign(id, username);
      return given.length === expected.length && timingSafeEqual(given, expected) ? id : undefined;
    },
  };
}
