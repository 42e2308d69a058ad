import { propertiesOf } from './composed-types.ts';
import type { ConfigurationFields, Field, FieldOptions, JsonSchema, Shape } from './value-type.ts';

/** One field of `requested_configuration`: Graylog's properties first, then ours, which its clients ignore. */
export interface RequestedField {
  readonly type: Shape['control'];
  readonly human_name: string;
  readonly description: string;
  readonly default_value: unknown;
  readonly is_optional: boolean;
  readonly attributes: readonly string[];
  readonly additional_info: { readonly values?: Readonly<Record<string, string>> };
  readonly order: number;
  readonly is_secret: boolean;
  readonly group?: string;
  /** The value may be a list: one of these. */
  readonly depends_on?: FieldOptions['dependsOn'];
  readonly min?: number;
  readonly max?: number;
  readonly unit?: string;
  readonly placeholder?: string;
  /** Of an object, or of every element of a list of objects. */
  readonly fields?: Readonly<Record<string, RequestedField>>;
}

/** The form of a component as clients read it. */
export function requestedConfiguration(fields: ConfigurationFields): Record<string, RequestedField> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, declared], order) => [name, requestedField(declared, order)]),
  );
}

function requestedField(declared: Field<unknown>, order: number): RequestedField {
  const { type, default: fallback, dependsOn, placeholder, group } = declared;
  const { control, attributes = [], values, min, max, unit, element } = type.shape;
  const nested = type.shape.fields ?? element?.shape.fields;
  return {
    type: control,
    human_name: declared.humanName,
    description: declared.description,
    default_value: fallback === undefined ? emptyValue(control) : type.write(fallback),
    is_optional: declared.optional ?? false,
    attributes,
    additional_info: values === undefined ? {} : { values },
    order,
    is_secret: type.secret,
    ...(group !== undefined && { group }),
    ...(dependsOn && { depends_on: dependsOn }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(unit !== undefined && { unit }),
    ...(placeholder !== undefined && { placeholder }),
    ...(nested && { fields: requestedConfiguration(nested) }),
  };
}

/** Graylog's clients expect a value of the right type for every field. */
function emptyValue(control: Shape['control']): unknown {
  switch (control) {
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'list':
      return [];
    case 'object':
      return {};
    case 'text':
    case 'dropdown':
      return '';
  }
}

/** The same table for clients that build forms from JSON Schema. */
export function jsonSchemaOf(fields: ConfigurationFields): JsonSchema {
  const required = Object.entries(fields)
    .filter(([, declared]) => declared.default === undefined && !declared.optional)
    .map(([name]) => name);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: propertiesOf(fields),
    ...(required.length > 0 && { required }),
  };
}
