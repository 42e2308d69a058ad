import type { ConfigurationFields, Field, FieldOptions, Report, ValueType } from './value-type.ts';

/** The typed configuration that a table describes. */
export type ConfigurationOf<Fields extends ConfigurationFields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Field<infer T> ? T : never;
};

/** A configuration as it is stored and sent: plain JSON. */
export type RawConfiguration = Readonly<Record<string, unknown>>;

export interface ConfigurationProblem {
  /** The field's name; inside of lists and objects `hosts[2]`, `headers[0].name`. */
  readonly path: string;
  readonly message: string;
}

export type ParsedConfiguration<Fields extends ConfigurationFields> =
  | { readonly ok: true; readonly config: ConfigurationOf<Fields> }
  | { readonly ok: false; readonly problems: readonly ConfigurationProblem[] };

/** A field with a default, an optional one, or one that every configuration must have. */
export function field<T>(
  type: ValueType<T>,
  options: FieldOptions & { readonly default: NoInfer<T> },
): Field<T>;
export function field<T>(
  type: ValueType<T>,
  options: FieldOptions & { readonly optional: true },
): Field<T | undefined>;
export function field<T>(type: ValueType<T>, options: FieldOptions): Field<T>;
export function field<T>(type: ValueType<T>, options: FieldOptions & { readonly default?: T }): Field<T> {
  return { ...options, type };
}

/** The typed configuration, or everything that is wrong with the raw one. */
export function parseConfiguration<Fields extends ConfigurationFields>(
  fields: Fields,
  raw: RawConfiguration,
): ParsedConfiguration<Fields> {
  const problems: ConfigurationProblem[] = [];
  const config = readFields(fields, raw, (message, path = '') => {
    problems.push({ path, message });
  });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, config };
}

/** The result counts only if nothing was reported. */
export function readFields<Fields extends ConfigurationFields>(
  fields: Fields,
  raw: RawConfiguration,
  report: Report,
  prefix = '',
): ConfigurationOf<Fields> {
  const config: Record<string, unknown> = {};
  for (const [name, declared] of Object.entries(fields)) {
    const given = Object.hasOwn(raw, name) ? raw[name] : undefined;
    config[name] = readField(declared, given, (message, path = '') => report(message, prefix + name + path));
  }
  return config as ConfigurationOf<Fields>;
}

function readField(declared: Field<unknown>, given: unknown, report: Report): unknown {
  // Forms send an empty text for a field that was left alone.
  const isLeftOut = given === undefined || given === null || (given === '' && declared.emptyIsValue !== true);
  if (!isLeftOut) return declared.type.read(given, report);
  if (declared.default !== undefined) return declared.default;
  return declared.optional ? undefined : report('is missing and has no default');
}

/** A configuration as it is stored: complete, with defaults, secrets in clear. Never log or show it. */
export function writeFields<Fields extends ConfigurationFields>(
  fields: Fields,
  config: ConfigurationOf<Fields>,
): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const [name, { type }] of Object.entries(fields)) {
    const value: unknown = config[name];
    if (value !== undefined) plain[name] = type.write(value);
  }
  return plain;
}
