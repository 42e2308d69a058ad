import { z } from 'zod';

export type JsonSchema = { readonly [keyword: string]: unknown };

/** `input`: what a client may send. `output`: what it receives. They differ where a schema has defaults. */
export type Direction = 'input' | 'output';

/**
 * Collects the named schemas (`.meta({ id })`) of a document, each once, and returns references to them. If the two
 * directions of a schema differ, it has two names; that of the input has the suffix `Input`.
 */
export interface SchemaCollection {
  /** The schema, or a reference if it has a name. */
  convert(schema: z.ZodType, direction: Direction): JsonSchema;
  /** All named schemas so far, sorted by name. */
  named(): Readonly<Record<string, JsonSchema>>;
}

const DEFINITION = '#/$defs/';
const COMPONENT = '#/components/schemas/';

export function createSchemaCollection(): SchemaCollection {
  const named = new Map<string, { text: string; schema: JsonSchema }>();

  /** Chooses the name of a schema. Two schemas are the same if their `text` is. */
  function nameFor(id: string, text: string, direction: Direction): string {
    const name = [id, `${id}${direction === 'input' ? 'Input' : 'Output'}`].find((candidate) => {
      const present = named.get(candidate);
      return present === undefined || present.text === text;
    });
    if (name === undefined) {
      throw new Error(`Two different schemas have the id ${id}: give one of them another id.`);
    }
    return name;
  }

  return {
    convert(schema, direction) {
      const { $schema: _dialect, $defs, ...root } = toJsonSchema(schema, direction);
      const definitions = new Map(Object.entries(($defs ?? {}) as Record<string, JsonSchema>));
      const ownId = z.globalRegistry.get(schema)?.id;
      if (ownId !== undefined && !definitions.has(ownId)) definitions.set(ownId, root);

      const names = new Map<string, string>();
      const texts = new Map<string, string>();
      for (const [id, definition] of definitions) {
        const text = JSON.stringify(expanded(definition, definitions, [id]));
        texts.set(id, text);
        names.set(DEFINITION + id, nameFor(id, text, direction));
      }
      const ownName = ownId === undefined ? undefined : names.get(DEFINITION + ownId);
      if (ownName !== undefined) names.set('#', ownName);
      for (const [id, definition] of definitions) {
        const name = String(names.get(DEFINITION + id));
        named.set(name, {
          text: String(texts.get(id)),
          schema: withReferences(withoutId(definition), names),
        });
      }
      return ownName === undefined ? withReferences(root, names) : { $ref: COMPONENT + ownName };
    },
    named: () =>
      Object.fromEntries(
        [...named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, { schema }]) => [name, schema]),
      ),
  };
}

function toJsonSchema(schema: z.ZodType, direction: Direction): JsonSchema {
  const converted = z.toJSONSchema(schema, {
    io: direction,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { def } = zodSchema._zod;
      if (def.type === 'default' && direction === 'input') jsonSchema.default = def.defaultValue;
      // The bounds of safe integers tell a reader nothing.
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return JSON.parse(JSON.stringify(converted)) as JsonSchema;
}

/** The reference has the name, and current JSON Schema has no keyword `id`. */
function withoutId(schema: JsonSchema): JsonSchema {
  const { id: _id, ...rest } = schema;
  return rest;
}

/** Turns references to definitions into references to components. */
function withReferences(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  return mapReferences(schema, (reference) => {
    const name = names.get(reference);
    if (name === undefined)
      throw new Error(`A schema that contains itself needs a .meta({ id }): ${reference}`);
    return { $ref: COMPONENT + name };
  });
}

/** The schema with all references resolved, so that texts are equal only if the whole schemas are. */
function expanded(
  schema: JsonSchema,
  definitions: ReadonlyMap<string, JsonSchema>,
  within: readonly string[],
): JsonSchema {
  return mapReferences(schema, (reference) => {
    const id = reference.slice(DEFINITION.length);
    const definition = definitions.get(id);
    if (definition === undefined || within.includes(id)) return { $ref: reference };
    return expanded(definition, definitions, [...within, id]);
  });
}

function mapReferences(schema: JsonSchema, replace: (reference: string) => JsonSchema): JsonSchema {
  const copy = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(copy);
    if (typeof part !== 'object' || part === null) return part;
    const entries = Object.entries(part).map(([key, inner]) => [key, copy(inner)]);
    const { $ref: reference, ...rest } = Object.fromEntries(entries) as JsonSchema;
    return typeof reference === 'string' ? { ...replace(reference), ...rest } : rest;
  };
  return copy(schema) as JsonSchema;
}
