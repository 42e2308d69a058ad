import {
  type ConfigurationFields,
  keepStoredSecrets,
  mapSecrets,
  PASSWORD_SET,
  type RawConfiguration,
} from './schema/index.ts';
import { isEncrypted, type SecretCipher } from './secret-cipher.ts';
import { InvalidError } from './service-errors.ts';

/**
 * The secrets in stored configurations of components: every field whose type is `secret`, also inside lists and objects.
 * Each value is bound to its owner and its field.
 */
export interface ComponentSecrets {
  /** A configuration as it is stored. Every secret in it must be in clear. */
  encrypt(ownerId: string, fields: ConfigurationFields, clear: RawConfiguration): RawConfiguration;
  decrypt(ownerId: string, fields: ConfigurationFields, stored: RawConfiguration): DecryptedConfiguration;
  /**
   * A changed configuration with the stored secrets in the places where the client sent the mask. Throws `InvalidError`
   * if such a secret cannot be decrypted: without the check a change would silently remove it. Throws it too if a field
   * that receives secrets has another origin now: whoever may change a component must not learn its secrets by having
   * them sent to a server of their own.
   */
  keep(
    fields: ConfigurationFields,
    raw: RawConfiguration,
    stored: StoredConfiguration | undefined,
    prefix?: string,
  ): RawConfiguration;
  /**
   * For configurations that were stored before secrets were encrypted: encrypts those still in clear. Undefined if
   * there are none.
   */
  encryptClearOnes(
    ownerId: string,
    fields: ConfigurationFields,
    stored: RawConfiguration,
  ): RawConfiguration | undefined;
}

/** A configuration as it is stored, of a type with these fields. */
export interface StoredConfiguration {
  readonly ownerId: string;
  readonly fields: ConfigurationFields;
  readonly configuration: RawConfiguration;
}

export interface DecryptedConfiguration {
  /** With secrets in clear; those that are unreadable are missing. */
  readonly configuration: RawConfiguration;
  /** The paths of secrets that this node's `password_secret` does not decrypt. */
  readonly unreadable: readonly string[];
}

/** `kind` is the kind of component, such as `input`: ids are unique within it. */
export function createComponentSecrets(cipher: SecretCipher, kind: string): ComponentSecrets {
  const place = (ownerId: string, path: string): string => `${kind}/${ownerId}/${path}`;

  function decrypt(ownerId: string, fields: ConfigurationFields, stored: RawConfiguration) {
    const unreadable: string[] = [];
    const configuration = mapSecrets(fields, stored, (text, path) => {
      // Not migrated yet: written by a node of an older version.
      if (!isEncrypted(text)) return text;
      const clear = cipher.decrypt(text, place(ownerId, path));
      if (clear === undefined) unreadable.push(path);
      return clear;
    });
    return { configuration, unreadable };
  }

  return {
    decrypt,

    encrypt: (ownerId, fields, clear) =>
      mapSecrets(fields, clear, (text, path) => cipher.encrypt(text, place(ownerId, path))),

    keep(fields, raw, stored, prefix = 'configuration') {
      if (stored === undefined) return keepStoredSecrets(fields, raw, {});
      const { configuration, unreadable } = decrypt(stored.ownerId, stored.fields, stored.configuration);
      const lost = unreadable.filter((path) => isMasked(raw[topLevelName(path)]));
      if (lost.length > 0) throw new InvalidError(unreadableSecrets(lost), { path: `${prefix}.${lost[0]}` });
      const destination = movedDestination(fields, raw, configuration);
      const masked = destination === undefined ? [] : maskedSecrets(fields, raw);
      if (destination !== undefined && masked.length > 0) {
        throw new InvalidError(
          `${destination} leads to another server than before, so the secrets that are stored are not sent there. Enter ${masked.join(', ')} again, or leave ${masked.length > 1 ? 'them' : 'it'} out.`,
          { path: `${prefix}.${masked[0]}` },
        );
      }
      return keepStoredSecrets(fields, raw, configuration);
    },

    encryptClearOnes(ownerId, fields, stored) {
      let found = false;
      const encrypted = mapSecrets(fields, stored, (text, path) => {
        if (isEncrypted(text)) return text;
        found = true;
        return cipher.encrypt(text, place(ownerId, path));
      });
      return found ? encrypted : undefined;
    },
  };
}

function isMasked(value: unknown): boolean {
  return JSON.stringify(value ?? null).includes(JSON.stringify(PASSWORD_SET));
}

/** The field that received the stored secrets and now names another server. */
function movedDestination(
  fields: ConfigurationFields,
  raw: RawConfiguration,
  stored: RawConfiguration,
): string | undefined {
  return Object.entries(fields).find(([name, { type, default: fallback, receivesSecrets }]) => {
    if (receivesSecrets !== true) return false;
    const usual = fallback === undefined ? undefined : type.write(fallback);
    return originOf(raw[name] || usual) !== originOf(stored[name] || usual);
  })?.[0];
}

function originOf(address: unknown): string {
  const origin = URL.parse(String(address))?.origin ?? 'null';
  return origin === 'null' ? String(address) : origin;
}

/** The paths of the secrets that the client sent as masks. */
function maskedSecrets(fields: ConfigurationFields, raw: RawConfiguration): string[] {
  const paths: string[] = [];
  mapSecrets(fields, raw, (text, path) => {
    if (text === PASSWORD_SET) paths.push(path);
    return text;
  });
  return paths;
}

function topLevelName(path: string): string {
  return path.split(/[.[]/, 1)[0] ?? path;
}

/** What people read when a component cannot run because its secrets are unreadable. */
export function unreadableSecrets(paths: readonly string[]): string {
  return `${paths.join(', ')} cannot be decrypted: password_secret is not the one it was encrypted with. Set password_secret to the former value on all nodes, or enter ${paths.length > 1 ? 'them' : 'it'} again.`;
}
