/** The value is not one of the type. `expected` completes the sentences "expected …" and "must be …". */
export class InvalidValue {
  readonly expected: string;

  constructor(expected: string) {
    this.expected = expected;
  }
}

export interface ParseContext {
  /** What relative paths are relative to; undefined: they stay relative. */
  readonly cwd?: string;
}

/** Says what is wrong; `path` is where inside the value, such as `[2].name`. */
export type Report = (message: string, path?: string) => undefined;

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A type of value that users configure: what is valid, how it is written as JSON (in the API and in the database) and
 * as text (in the settings file, the environment and flags), and how forms and documents show it.
 *
 * `read(write(value))` gives the value again.
 */
export interface ValueType<T> {
  /** One or two words for documents: `size`, `list of host`. */
  readonly name: string;
  /** It is or holds a secret, which must not appear in errors, logs or listings. */
  readonly secret: boolean;
  readonly shape: Shape;
  /** Reads text that is trimmed, not empty and free of control characters. */
  parse(text: string, context: ParseContext): T | InvalidValue;
  /** Reads JSON. The result counts only if nothing was reported. */
  read(given: unknown, report: Report): T | undefined;
  /** The value as JSON, secrets in clear. */
  write(value: T): unknown;
}

/** What clients need to show and check a value without knowing its type. */
export interface Shape {
  readonly control: 'text' | 'number' | 'boolean' | 'dropdown' | 'list' | 'object';
  readonly jsonSchema: JsonSchema;
  /** In Graylog's words: `is_password`, `textarea`, `is_port_number`, `only_positive`. */
  readonly attributes?: readonly string[];
  /** What a dropdown offers, and how people read it. */
  readonly values?: Readonly<Record<string, string>>;
  /** Limits of a number as JSON. */
  readonly min?: number;
  readonly max?: number;
  /** What a number counts: `bytes`, `seconds`. */
  readonly unit?: string;
  /** Of a list. */
  readonly element?: ValueType<unknown>;
  /** Of an object. */
  readonly fields?: ConfigurationFields;
}

/**
 * The configuration of a component as a table of fields. The table gives the typed configuration, its validation, the
 * form that clients build from `requested_configuration` or from a JSON Schema, and what may be shown of a stored
 * configuration.
 *
 * Stored and sent, a configuration is plain JSON under the fields' names; in the component it is typed, complete and
 * checked. Keys that the table does not know are dropped and not refused: clients written for other versions send them.
 */
export type ConfigurationFields = Readonly<Record<string, Field<unknown>>>;

/** `T` includes undefined when a configuration may have no value here. */
export interface Field<T> extends FieldOptions {
  readonly type: ValueType<T>;
  readonly default?: T;
}

type DependedValue = string | number | boolean;

export interface FieldOptions {
  /** The label in a form. */
  readonly humanName: string;
  readonly description: string;
  /** May be left out. Without a default there is no value then. */
  readonly optional?: boolean;
  /** An empty text is a value like any other. Elsewhere it means that a form was left alone, and the default counts. */
  readonly emptyIsValue?: boolean;
  /** Fields of a group stand together in a form, folded away; those without one are always shown. */
  readonly group?: string;
  /** The field matters only while another one has this value, or one of these if it is a list. */
  readonly dependsOn?: { readonly field: string; readonly value: DependedValue | readonly DependedValue[] };
  /** Shown in an empty text box. */
  readonly placeholder?: string;
  /** Accepted for compatibility and without effect: forms leave it out. JSON Schema calls it deprecated. */
  readonly hasNoEffect?: boolean;
  /** The secrets beside it are sent to this address. With another one they must be entered again. */
  readonly receivesSecrets?: boolean;
}

export interface TextTypeDefinition<T> {
  readonly name: string;
  readonly secret?: boolean;
  readonly shape?: Partial<Shape>;
  parse(text: string, context: ParseContext): T | InvalidValue;
  write(value: T): string;
}

/** A type whose JSON is the same text that people write. */
export function textType<T>(definition: TextTypeDefinition<T>): ValueType<T> {
  const { name, secret = false, shape, parse, write } = definition;
  return {
    name,
    secret,
    shape: {
      control: 'text',
      jsonSchema: { type: 'string' },
      ...(secret && { attributes: ['is_password'] }),
      ...shape,
    },
    parse,
    read(given, report) {
      if (typeof given !== 'string') return report(mismatch('a text', given, secret));
      const value = parse(given, {});
      return value instanceof InvalidValue ? report(mismatch(value.expected, given, secret)) : value;
    },
    write,
  };
}

export function mismatch(expected: string, given: unknown, secret = false): string {
  return secret ? `must be ${expected}` : `must be ${expected}, not ${shown(given)}`;
}

const LONGEST_SHOWN = 80;

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}
