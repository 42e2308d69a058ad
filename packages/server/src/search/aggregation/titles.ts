/**
 * Fields that hold the ids of entities. Tables show their titles, as in Graylog: `streams` and `streams.title` are the
 * titles, `streams.id` the ids. Newer versions write `streams#title` and `streams#id`.
 */
import type { Principal } from '#core/index.ts';

type Reader = Pick<Principal, 'can'>;

/** Titles by id, of the entities that the reader may see. Of all others, the id is shown. */
export interface EntityTitles {
  streams(reader: Reader): Promise<ReadonlyMap<string, string>>;
  inputs(reader: Reader): Promise<ReadonlyMap<string, string>>;
  nodes(): Promise<ReadonlyMap<string, string>>;
}

const ENTITY_FIELDS: ReadonlyMap<string, keyof EntityTitles> = new Map<string, keyof EntityTitles>([
  ['streams', 'streams'],
  ['gl2_source_input', 'inputs'],
  ['gl2_source_node', 'nodes'],
]);

export interface RequestedField {
  /** As the client wrote it. */
  readonly requested: string;
  /** The name of the field in the message. */
  readonly name: string;
  /** The entities whose titles replace the ids. */
  readonly titles: keyof EntityTitles | undefined;
}

/** Whose ids a field holds; undefined for fields without ids. */
export function entitiesOf(field: string): keyof EntityTitles | undefined {
  return ENTITY_FIELDS.get(field);
}

/** Dots in other names have no meaning: `user.id` is a field. */
export function requestedField(requested: string): RequestedField {
  const [, name, suffix] = /^(.+)[.#](id|title)$/.exec(requested) ?? [];
  if (name !== undefined && ENTITY_FIELDS.has(name)) {
    return { requested, name, titles: suffix === 'id' ? undefined : entitiesOf(name) };
  }
  return { requested, name: requested, titles: entitiesOf(requested) };
}

/** For each field, a function from an id to its title. Loads only the titles that are needed. */
export async function titleReaders(
  fields: readonly RequestedField[],
  titles: EntityTitles,
  reader: Reader,
): Promise<((id: string) => string)[]> {
  const wanted = [...new Set(fields.flatMap((field) => field.titles ?? []))];
  const known = new Map(
    await Promise.all(wanted.map(async (kind) => [kind, await titles[kind](reader)] as const)),
  );
  return fields.map((field) => {
    const names = field.titles && known.get(field.titles);
    return (id) => names?.get(id) ?? id;
  });
}
