/**
 * Fields that hold ids of things with a name. In tables they show the name, as in Graylog: `streams` and
 * `streams.title` are titles, `streams.id` are the ids.
 */
import type { Principal } from '#core/index.ts';

type Reader = Pick<Principal, 'can'>;

/** Names by id, of those the reader may see. Whatever is not among them is shown by its id. */
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
  /** As it was asked for. */
  readonly requested: string;
  /** The field of the message. */
  readonly name: string;
  /** Whose names are shown instead of the ids. */
  readonly titles: keyof EntityTitles | undefined;
}

/** Whose ids a field holds; undefined for fields without ids. */
export function entitiesOf(field: string): keyof EntityTitles | undefined {
  return ENTITY_FIELDS.get(field);
}

/** Other fields keep their dots: `user.id` is a field of its own. */
export function requestedField(requested: string): RequestedField {
  const [, name, suffix] = /^(.+)\.(id|title)$/.exec(requested) ?? [];
  if (name !== undefined && ENTITY_FIELDS.has(name)) {
    return { requested, name, titles: suffix === 'id' ? undefined : entitiesOf(name) };
  }
  return { requested, name: requested, titles: entitiesOf(requested) };
}

/** The name of an id, for each of these fields that has names. Asks only for those that are needed. */
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
