import { isEncrypted } from '../secret-cipher.ts';
import type { RawConfiguration } from './fields.ts';
import type { ConfigurationFields, ValueType } from './value-type.ts';

/** What clients see in the place of a secret that is set, and send back to keep it. */
export const PASSWORD_SET = '<password set>';

/**
 * A stored configuration as it may be shown to anybody. Without keys that the table does not know: they could be
 * anything, a password of an older version too.
 */
export function redactConfiguration(
  fields: ConfigurationFields,
  stored: RawConfiguration,
): Record<string, unknown> {
  return mapKnown(fields, stored, redact);
}

/**
 * The same for configurations that are answered as they were sent, with the keys that the table does not know. Whoever
 * stores them calls `unknownSecrets` first.
 */
export function redactAsSent(fields: ConfigurationFields, stored: RawConfiguration): Record<string, unknown> {
  return { ...stored, ...redactConfiguration(fields, stored), ...encryptedOnes(fields, stored) };
}

/** Secrets of another version of the program, which knows their fields. */
function encryptedOnes(fields: ConfigurationFields, stored: RawConfiguration): Record<string, unknown> {
  const found = unknownTexts(fields, stored).filter(([, text]) => isEncrypted(text));
  return Object.fromEntries(found.map(([name]) => [name, PASSWORD_SET]));
}

const NAME_OF_SECRET =
  /passw|passphrase|(?<![a-z])pass(?![a-z])|pwd|secret|tokens?(?![a-z])|credential|(api|private|access)_?key|authorization/;

function isNameOfSecret(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .toLowerCase();
  return NAME_OF_SECRET.test(words) && !words.endsWith('_name');
}

/**
 * Where keys that the table does not know seem to hold secrets, at any depth: nothing would protect them. A boolean is
 * no secret; everything else below such a name may be one.
 */
export function unknownSecrets(fields: ConfigurationFields, raw: RawConfiguration): string[] {
  const found: string[] = [];
  // Not recursive: clients decide how deep it is.
  const left = Object.entries(raw)
    .filter(([name]) => !Object.hasOwn(fields, name))
    .map(([name, value]) => ({ path: name, value, isSecret: isNameOfSecret(name) }));
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { path, value, isSecret } = next;
    if (Array.isArray(value)) {
      for (const [index, each] of value.entries()) {
        left.push({ path: `${path}[${index}]`, value: each, isSecret });
      }
    } else if (isRecord(value)) {
      for (const [name, each] of Object.entries(value)) {
        left.push({ path: `${path}.${name}`, value: each, isSecret: isSecret || isNameOfSecret(name) });
      }
    } else if (isSecret && isSet(value)) found.push(path);
  }
  return found;
}

function isSet(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value !== '' && value !== PASSWORD_SET);
}

function unknownTexts(fields: ConfigurationFields, raw: RawConfiguration): [string, string][] {
  return Object.entries(raw).flatMap(([name, value]): [string, string][] =>
    typeof value !== 'string' || Object.hasOwn(fields, name) ? [] : [[name, value]],
  );
}

function redact(type: ValueType<unknown>, stored: unknown): unknown {
  if (!type.secret || stored === null || stored === '') return stored;
  const { element, fields } = type.shape;
  if (element !== undefined && Array.isArray(stored)) return stored.map((each) => redact(element, each));
  if (fields !== undefined && isRecord(stored)) return redactConfiguration(fields, stored);
  return PASSWORD_SET;
}

function mapKnown(
  fields: ConfigurationFields,
  stored: RawConfiguration,
  change: (type: ValueType<unknown>, value: unknown) => unknown,
): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(stored)) {
    const declared = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (declared !== undefined) shown[name] = change(declared.type, value);
  }
  return shown;
}

/**
 * A configuration in which every text that is a secret is replaced, at any depth; undefined removes it. `path` is where
 * it stands, such as `headers[0].value`.
 */
export function mapSecrets(
  fields: ConfigurationFields,
  raw: RawConfiguration,
  replace: (text: string, path: string) => string | undefined,
  prefix = '',
): RawConfiguration {
  const mapped: Record<string, unknown> = { ...raw };
  for (const [name, { type }] of Object.entries(fields)) {
    if (!type.secret || !Object.hasOwn(raw, name)) continue;
    const value = mapSecret(type, raw[name], replace, prefix + name);
    if (value === undefined) delete mapped[name];
    else mapped[name] = value;
  }
  return mapped;
}

function mapSecret(
  type: ValueType<unknown>,
  value: unknown,
  replace: (text: string, path: string) => string | undefined,
  path: string,
): unknown {
  const { element, fields } = type.shape;
  if (element !== undefined && Array.isArray(value)) {
    return value.map((each, index) => mapSecret(element, each, replace, `${path}[${index}]`));
  }
  if (fields !== undefined && isRecord(value)) return mapSecrets(fields, value, replace, `${path}.`);
  // A form sends an empty text for a secret that was left alone.
  return typeof value === 'string' && value !== '' ? replace(value, path) : value;
}

/** A changed configuration as clients send it back: a secret they only ever saw masked keeps the value that is stored. */
export function keepStoredSecrets(
  fields: ConfigurationFields,
  raw: RawConfiguration,
  stored: RawConfiguration,
): RawConfiguration {
  const merged: Record<string, unknown> = { ...raw };
  for (const [name, { type }] of Object.entries(fields)) {
    if (type.secret && Object.hasOwn(raw, name)) merged[name] = keep(type, raw[name], stored[name]);
  }
  return merged;
}

function keep(type: ValueType<unknown>, given: unknown, stored: unknown): unknown {
  if (given === PASSWORD_SET) return typeof stored === 'string' ? stored : undefined;
  const { element, fields } = type.shape;
  if (fields !== undefined && isRecord(given)) {
    return keepStoredSecrets(fields, given, isRecord(stored) ? stored : {});
  }
  if (element === undefined || !Array.isArray(given)) return given;
  const candidates = Array.isArray(stored) ? stored : [];
  return given.map((each) => keep(element, each, sameElement(element, each, candidates)));
}

/**
 * The stored element that a client shows again: the one whose open fields are the same. Not the one at the same place,
 * or removing the first header would give its secret to the second.
 */
function sameElement(element: ValueType<unknown>, given: unknown, candidates: readonly unknown[]): unknown {
  const { fields } = element.shape;
  if (fields === undefined) return undefined;
  const open = (value: unknown): string =>
    JSON.stringify(
      Object.entries(fields).map(([name, { type }]) =>
        type.secret || !isRecord(value) ? null : value[name],
      ),
    );
  return candidates.find((candidate) => open(candidate) === open(given));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
