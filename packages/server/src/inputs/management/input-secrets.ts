import type { ComponentSecrets } from '#core/index.ts';
import type { InputsRepository } from '#metadata/index.ts';
import type { Logger } from '#telemetry/index.ts';
import type { InputType } from '../input.ts';

type FindType = (type: string) => InputType | undefined;

export interface InputSecretsDeps {
  readonly secrets: ComponentSecrets;
  readonly findType: FindType;
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
