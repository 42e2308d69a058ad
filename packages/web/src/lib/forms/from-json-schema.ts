import { type FormField, readableName } from './form-field.ts';

/** The part of JSON Schema that descriptions of configurations use. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly deprecated?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** Fields of an object's schema. What has a fixed value, or no effect, needs no field. */
export function fieldsFromJsonSchema(schema: JsonSchema): FormField[] {
  return Object.entries(schema.properties ?? {})
    .filter(([, property]) => property.const === undefined && property.deprecated !== true)
    .map(([name, property]) => toFormField(name, property, schema.required?.includes(name) ?? false));
}

function toFormField(name: string, property: JsonSchema, isRequired: boolean): FormField {
  const { inner, mayBeNull } = withoutNull(property);
  return {
    name,
    kind: kindOf(inner),
    label: property.title ?? readableName(name),
    help: property.description ?? inner.description ?? '',
    defaultValue: property.default,
    isOptional: mayBeNull || (!isRequired && property.default === undefined),
    choices: (inner.enum ?? []).map((value) => ({
      value: String(value),
      label: readableName(String(value)),
    })),
    min: inner.minimum,
    // Zod writes the largest safe integer where there is no limit.
    max: inner.maximum === Number.MAX_SAFE_INTEGER ? undefined : inner.maximum,
    isWhole: inner.type === 'integer' || undefined,
    maxLength: inner.maxLength,
  };
}

/** `string | null` is a text that may be left empty. */
function withoutNull(schema: JsonSchema): { readonly inner: JsonSchema; readonly mayBeNull: boolean } {
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== 'null');
    return { inner: { ...schema, type: types[0] ?? 'string' }, mayBeNull: types.length < schema.type.length };
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices === undefined) return { inner: schema, mayBeNull: false };
  const inner = choices.find(({ type }) => type !== 'null') ?? {};
  return {
    inner: { ...inner, ...withoutChoices(schema) },
    mayBeNull: choices.some(({ type }) => type === 'null'),
  };
}

function withoutChoices({ anyOf: _anyOf, oneOf: _oneOf, ...rest }: JsonSchema): JsonSchema {
  return rest;
}

function kindOf({ type, format, enum: choices }: JsonSchema): FormField['kind'] {
  if (choices !== undefined) return 'choice';
  if (format === 'password') return 'secret';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'boolean';
  return type === 'array' ? 'list' : 'text';
}
