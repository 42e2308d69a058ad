import { type ConfigurationFields, mapSecrets, type RawConfiguration } from './schema/index.ts';
import { isEncrypted, type SecretCipher } from './secret-cipher.ts';

/**
 * The secrets in stored configurations of components: every field whose type is `secret`, also inside lists and objects.
 * Each value is bound to its owner and its field.
 */
export interface ComponentSecrets {
  /** A configuration as it is stored. Every secret in it must be in clear. */
  encrypt(ownerId: string, fields: ConfigurationFields, clear: RawConfiguration): RawConfiguration;
  decrypt(ownerId: string, fields: ConfigurationFields, stored: RawConfiguration): DecryptedConfiguration;
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

export interface DecryptedConfiguration {
  /** With secrets in clear; those that are unreadable are missing. */
  readonly configuration: RawConfiguration;
  /** The paths of secrets that this node's `password_secret` does not decrypt. */
  readonly unreadable: readonly string[];
}

/** `kind` is the kind of component, such as `input`: ids are unique within it. */
export function createComponentSecrets(cipher: SecretCipher, kind: string): ComponentSecrets {
  const place = (ownerId: string, path: string): string => `${kind}/${ownerId}/${path}`;
  return {
    encrypt: (ownerId, fields, clear) =>
      mapSecrets(fields, clear, (text, path) => cipher.encrypt(text, place(ownerId, path))),

    decrypt(ownerId, fields, stored) {
      const unreadable: string[] = [];
      const configuration = mapSecrets(fields, stored, (text, path) => {
        // Not migrated yet: written by a node of an older version.
        if (!isEncrypted(text)) return text;
        const clear = cipher.decrypt(text, place(ownerId, path));
        if (clear === undefined) unreadable.push(path);
        return clear;
      });
      return { configuration, unreadable };
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

/** What people read when a component cannot run because its secrets are unreadable. */
export function unreadableSecrets(paths: readonly string[]): string {
  return `${paths.join(', ')} cannot be decrypted: password_secret is not the one it was encrypted with. Set password_secret to the former value on all nodes, or enter ${paths.length > 1 ? 'them' : 'it'} again.`;
}
