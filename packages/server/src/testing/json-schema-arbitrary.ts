import fc from 'fast-check';

export type JsonSchemaNode = { readonly [keyword: string]: unknown };

const MAX_DEPTH = 4;
const MAX_ITEMS = 3;

/** Looks up `#/components/schemas/…`. */
export type ResolveReference = (reference: string) => JsonSchemaNode;

/** Values that fit a JSON Schema, well enough for fuzzing: keywords it does not know are ignored. */
export function valuesOf(
  schema: JsonSchemaNode,
  resolve: ResolveReference,
  depth = 0,
): fc.Arbitrary<unknown> {
  if (depth > MAX_DEPTH) return fc.constant(null);
  const inner = (part: unknown) => valuesOf(part as JsonSchemaNode, resolve, depth + 1);
  if (typeof schema.$ref === 'string') return inner(resolve(schema.$ref));
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(alternatives)) return fc.oneof(...alternatives.map(inner));
  if (Array.isArray(schema.allOf)) {
    return fc
      .tuple(...schema.allOf.map(inner))
      .map((parts) => Object.assign({}, ...parts.filter((part) => typeof part === 'object')) as unknown);
  }
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type) => inner({ ...schema, type })));
  switch (schema.type) {
    case 'object':
      return objectsOf(schema, inner);
    case 'array':
      return fc.array(inner(schema.items ?? {}), {
        maxLength: MAX_ITEMS,
        minLength: Math.min(MAX_ITEMS, numberOr(schema.minItems, 0)),
      });
    case 'integer':
      return fc.integer({
        min: Math.max(numberOr(schema.minimum, -1000), -(2 ** 31)),
        max: Math.min(numberOr(schema.maximum, 2 ** 31 - 1), 2 ** 31 - 1),
      });
    case 'number':
      return fc.double({
        min: numberOr(schema.minimum, -1e9),
        max: numberOr(schema.maximum, 1e9),
        noNaN: true,
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return stringsOf(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function objectsOf(
  schema: JsonSchemaNode,
  inner: (part: unknown) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchemaNode>);
  const required = Array.isArray(schema.required) ? schema.required.map(String) : [];
  const known = fc.record(Object.fromEntries(properties.map(([name, property]) => [name, inner(property)])), {
    requiredKeys: required.filter((name) => properties.some(([known]) => known === name)),
  });
  if (typeof schema.additionalProperties !== 'object' || schema.additionalProperties === null) return known;
  const others = fc.dictionary(
    fc.string({ minLength: 1, maxLength: 8 }),
    inner(schema.additionalProperties),
    {
      maxKeys: MAX_ITEMS,
    },
  );
  return fc.tuple(others, known).map(([other, named]) => ({ ...other, ...(named as object) }));
}

function stringsOf(schema: JsonSchemaNode): fc.Arbitrary<string> {
  if (schema.format === 'date-time') {
    return fc
      .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
  }
  const minLength = Math.min(numberOr(schema.minLength, 0), 50);
  const maxLength = Math.max(minLength, Math.min(numberOr(schema.maxLength, 30), 50));
  return fc.string({ minLength, maxLength, unit: 'grapheme' });
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}
