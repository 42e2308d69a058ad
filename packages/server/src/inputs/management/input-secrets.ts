import {
  type ComponentSecrets,
  InvalidError,
  keepStoredSecrets,
  PASSWORD_SET,
  type RawConfiguration,
  unreadableSecrets,
} from '#core/index.ts';
import type { InputRecord, InputsRepository } from '#metadata/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { InputType } from '../input.ts';

type FindType = (type: string) => InputType | undefined;

export interface InputSecretsDeps {
  readonly secrets: ComponentSecrets;
  readonly findType: FindType;
}

/**
 * A changed configuration with the stored secrets in the places where the client sent the mask. Throws if such a secret
 * cannot be decrypted: without the check a change would silently remove it.
 */
export function withStoredSecrets(
  { secrets, findType }: InputSecretsDeps,
  type: InputType,
  raw: RawConfiguration,
  stored: InputRecord | undefined,
): RawConfiguration {
  const storedType = stored && findType(stored.type);
  if (stored === undefined || storedType === undefined) return keepStoredSecrets(type.fields, raw, {});
  const { configuration, unreadable } = secrets.decrypt(stored.id, storedType.fields, stored.configuration);
  const isKept = (path: string): boolean =>
    JSON.stringify(raw[topLevelName(path)] ?? null).includes(JSON.stringify(PASSWORD_SET));
  const lost = unreadable.filter(isKept);
  if (lost.length > 0) {
    throw new InvalidError(unreadableSecrets(lost), { path: `configuration.${lost[0]}` });
  }
  return keepStoredSecrets(type.fields, raw, configuration);
}

function topLevelName(path: string): string {
  return path.split(/[.[]/, 1)[0] ?? path;
}

/**
 * Encrypts the secrets of inputs that a version without encryption stored. Nodes that start together may all do it: a
 * configuration is replaced only while it is the one that was read.
 */
export async function encryptStoredSecrets(
  { secrets, findType }: InputSecretsDeps,
  { inputs, logger }: { readonly inputs: InputsRepository; readonly logger: Logger },
): Promise<void> {
  for (const { id, title, type, configuration } of await inputs.list()) {
    const fields = findType(type)?.fields;
    const encrypted = fields && secrets.encryptClearOnes(id, fields, configuration);
    if (encrypted === undefined) continue;
    if (await inputs.replaceConfiguration(id, configuration, encrypted)) {
      logger.info({ input: id, title }, 'the secrets of an input were stored in clear and are now encrypted');
    }
  }
}
