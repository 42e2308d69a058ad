import { Secret } from './secret.ts';

/**
 * The configuration of a component (an input, an output, a condition, a notification) as a table of fields.
 * One table gives the typed configuration, its validation, the form that clients build from
 * `requested_configuration`, and what may be shown of a stored configuration.
 *
 * Stored and sent, a configuration is plain JSON under the fields' names; in the component it is typed,
 * complete and checked. Keys that the table does not know are dropped and not refused: clients written for
 * other versions send them.
 */

interface FieldBase {
  readonly humanName: string;
  readonly description: string;
  /** Optional without a default: the value may be undefined. */
  readonly optional?: boolean;
}

export interface TextField extends FieldBase {
  readonly type: 'text';
  readonly default?: string;
  readonly textarea?: boolean;
  /** Says what is wrong with a value, or nothing. */
  readonly check?: (value: string) => string | undefined;
}

/** A text that is shown to nobody once it is set. */
export interface PasswordField extends FieldBase {
  readonly type: 'password';
}

/** A whole number. */
export interface NumberField extends FieldBase {
  readonly type: 'number';
  readonly default?: number;
  readonly min?: number;
  readonly max?: number;
  /** A TCP or UDP port; 0 lets the system choose a free one. */
  readonly port?: boolean;
}

export interface BooleanField extends FieldBase {
  readonly type: 'boolean';
  readonly default: boolean;
}

export interface DropdownField<Value extends string = string> extends FieldBase {
  readonly type: 'dropdown';
  /** The values and how people read them. */
  readonly values: Readonly<Record<Value, string>>;
  readonly default?: NoInfer<Value>;
}

export interface ListField extends FieldBase {
  readonly type: 'list';
  readonly default?: readonly string[];
}

export type ConfigurationField =
  | TextField
  | PasswordField
  | NumberField
  | BooleanField
  | DropdownField
  | ListField;

export type ConfigurationFields = Readonly<Record<string, ConfigurationField>>;

type ValueOf<Field> = Field extends { type: 'password' }
  ? Secret
  : Field extends { type: 'number' }
    ? number
    : Field extends { type: 'boolean' }
      ? boolean
      : Field extends { type: 'list' }
        ? readonly string[]
        : Field extends { type: 'dropdown'; values: Readonly<Record<infer Value, string>> }
          ? Value
          : string;

type MayBeMissing<Field> = Field extends { optional: true }
  ? Field extends { default: string | number | boolean | readonly string[] }
    ? false
    : true
  : false;

/** The typed configuration that a table describes. */
export type ConfigurationOf<Fields extends ConfigurationFields> = {
  readonly [Name in keyof Fields]: MayBeMissing<Fields[Name]> extends true
    ? ValueOf<Fields[Name]> | undefined
    : ValueOf<Fields[Name]>;
};

/** A configuration as it is stored and sent: plain JSON. */
export type RawConfiguration = Readonly<Record<string, unknown>>;

export interface ConfigurationProblem {
  /** The field's name; with an index for an element of a list (`hosts[2]`). */
  readonly path: string;
  readonly message: string;
}

export type ParsedConfiguration<Fields extends ConfigurationFields> =
  | { readonly ok: true; readonly config: ConfigurationOf<Fields> }
  | { readonly ok: false; readonly problems: readonly ConfigurationProblem[] };

/** Keeps the literal types of a table, so that `ConfigurationOf` knows what is optional. */
export function defineFields<const Fields extends ConfigurationFields>(fields: Fields): Fields {
  return fields;
}

/** The typed configuration, or everything that is wrong with the raw one. */
export function parseConfiguration<Fields extends ConfigurationFields>(
  fields: Fields,
  raw: RawConfiguration,
): ParsedConfiguration<Fields> {
  const problems: ConfigurationProblem[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const given = Object.hasOwn(raw, name) ? raw[name] : undefined;
    const report = (message: string, element = ''): undefined => {
      problems.push({ path: name + element, message });
    };
    config[name] = isAbsent(given, field) ? absentValue(field, report) : readValue(field, given, report);
  }
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, config: config as ConfigurationOf<Fields> };
}

type Report = (message: string, element?: string) => undefined;

/** Forms send an empty text for a field that was left alone. */
function isAbsent(given: unknown, field: ConfigurationField): boolean {
  if (given === undefined || given === null) return true;
  return given === '' && field.type !== 'list';
}

function absentValue(field: ConfigurationField, report: Report): unknown {
  if ('default' in field && field.default !== undefined) return field.default;
  return field.optional ? undefined : report('is missing and has no default');
}

function readValue(field: ConfigurationField, given: unknown, report: Report): unknown {
  switch (field.type) {
    case 'text':
      return readText(field, given, report);
    case 'password':
      return typeof given === 'string' ? new Secret(given) : report('must be a text');
    case 'number':
      return readNumber(field, given, report);
    case 'boolean':
      if (given === true || given === 'true') return true;
      if (given === false || given === 'false') return false;
      return report(`must be true or false, not ${shown(given)}`);
    case 'dropdown':
      if (typeof given === 'string' && Object.hasOwn(field.values, given)) return given;
      return report(`must be one of ${Object.keys(field.values).join(', ')}, not ${shown(given)}`);
    case 'list':
      return readList(given, report);
  }
}

function readText(field: TextField, given: unknown, report: Report): string | undefined {
  if (typeof given !== 'string') return report(`must be a text, not ${shown(given)}`);
  const fault = field.check?.(given);
  return fault === undefined ? given : report(fault);
}

const WHOLE_NUMBER = /^\s*-?\d+\s*$/;

function readNumber(field: NumberField, given: unknown, report: Report): number | undefined {
  const value = typeof given === 'string' && WHOLE_NUMBER.test(given) ? Number(given) : given;
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
    return report(`must be a whole number, not ${shown(given)}`);
  }
  const { min, max } = boundsOf(field);
  if (value < min || value > max) {
    return report(`must be ${boundsText(min, max)}, not ${value}`);
  }
  return value;
}

function boundsOf(field: NumberField): { min: number; max: number } {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = field;
  return field.port ? { min: Math.max(0, min), max: Math.min(65_535, max) } : { min, max };
}

function boundsText(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return `at least ${min}`;
  return min === Number.NEGATIVE_INFINITY ? `at most ${max}` : `from ${min} to ${max}`;
}

function readList(given: unknown, report: Report): readonly string[] | undefined {
  if (!Array.isArray(given)) return report(`must be a list of texts, not ${shown(given)}`);
  return given.filter((element, index): element is string => {
    if (typeof element === 'string') return true;
    report(`must be a text, not ${shown(element)}`, `[${index}]`);
    return false;
  });
}

const LONGEST_SHOWN = 80;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

/** One field of `requested_configuration` in the API. */
export interface RequestedField {
  readonly type: 'text' | 'number' | 'boolean' | 'dropdown' | 'list';
  readonly human_name: string;
  readonly description: string;
  readonly default_value: string | number | boolean | readonly string[];
  readonly is_optional: boolean;
  readonly attributes: readonly string[];
  readonly additional_info: { readonly values?: Readonly<Record<string, string>> };
}

/** The form of a component as clients read it. */
export function requestedConfiguration(fields: ConfigurationFields): Record<string, RequestedField> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, requestedField(field)]));
}

function requestedField(field: ConfigurationField): RequestedField {
  return {
    type: field.type === 'password' ? 'text' : field.type,
    human_name: field.humanName,
    description: field.description,
    default_value: 'default' in field && field.default !== undefined ? field.default : emptyValue(field),
    is_optional: field.optional ?? false,
    attributes: attributesOf(field),
    additional_info: field.type === 'dropdown' ? { values: field.values } : {},
  };
}

function emptyValue(field: ConfigurationField): RequestedField['default_value'] {
  if (field.type === 'number') return 0;
  return field.type === 'list' ? [] : '';
}

function attributesOf(field: ConfigurationField): string[] {
  if (field.type === 'password') return ['is_password'];
  if (field.type === 'text' && field.textarea) return ['textarea'];
  if (field.type !== 'number') return [];
  if (field.port) return ['is_port_number'];
  return field.min !== undefined && field.min >= 0 ? ['only_positive'] : [];
}

/** What stands in the place of a password that is set. */
export const PASSWORD_SET = '<password set>';

/** The configuration as it may be shown to anybody: complete, with defaults, without passwords. */
export function publicConfiguration<Fields extends ConfigurationFields>(
  fields: Fields,
  config: ConfigurationOf<Fields>,
): Record<string, unknown> {
  return plainConfiguration(fields, config, () => PASSWORD_SET);
}

/** The configuration as it is stored: complete, with defaults, passwords in clear. Never log or show it. */
export function storedConfiguration<Fields extends ConfigurationFields>(
  fields: Fields,
  config: ConfigurationOf<Fields>,
): Record<string, unknown> {
  return plainConfiguration(fields, config, (secret) => secret.reveal());
}

function plainConfiguration<Fields extends ConfigurationFields>(
  fields: Fields,
  config: ConfigurationOf<Fields>,
  ofSecret: (secret: Secret) => string,
): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    const value: unknown = config[name];
    if (value !== undefined) plain[name] = value instanceof Secret ? ofSecret(value) : value;
  }
  return plain;
}

/**
 * A changed configuration as clients send it back: a password they only ever saw masked keeps the value
 * that is stored.
 */
export function withStoredPasswords(
  fields: ConfigurationFields,
  raw: RawConfiguration,
  stored: RawConfiguration,
): RawConfiguration {
  const merged: Record<string, unknown> = { ...raw };
  for (const [name, field] of Object.entries(fields)) {
    if (field.type === 'password' && merged[name] === PASSWORD_SET) merged[name] = stored[name];
  }
  return merged;
}
