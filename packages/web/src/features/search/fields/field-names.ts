const PINNED = ['level', 'source', 'streams'];
/** Their values are different in every message. */
const UNCOUNTED = new Set([
  'message',
  'full_message',
  'timestamp',
  '_id',
  'gl2_receive_timestamp',
  'gl2_message_id',
]);

export interface FieldSection {
  readonly title: string;
  readonly names: readonly string[];
}

/** Pinned ones, those of the loaded messages, all others; only those that contain what was typed. */
export function fieldSections(
  known: readonly string[],
  loaded: readonly string[],
  favourites: readonly string[],
  find: string,
): FieldSection[] {
  const wanted = find.trim().toLowerCase();
  const seen = new Set<string>();
  const take = (names: Iterable<string>) => {
    const taken: string[] = [];
    for (const name of names) {
      if (seen.has(name) || UNCOUNTED.has(name)) continue;
      seen.add(name);
      if (name.toLowerCase().includes(wanted)) taken.push(name);
    }
    return taken;
  };
  const sections = [
    { title: 'Pinned', names: take([...PINNED, ...favourites]) },
    { title: 'In these messages', names: take([...new Set(loaded)].sort((a, b) => a.localeCompare(b))) },
    { title: 'All fields', names: take(known) },
  ];
  return sections.filter(({ names }) => names.length > 0);
}

/** `2 types`, a sign for what is no text, or nothing. */
export function typeSign(
  type: string | undefined,
): { readonly sign: string; readonly title: string } | undefined {
  if (type === undefined || type === 'string') return undefined;
  const several = /^compound\((.*)\)$/.exec(type)?.[1]?.split(',');
  if (several !== undefined) {
    return { sign: `${several.length} types`, title: `Some messages have a ${several.join(', others a ')}` };
  }
  if (type === 'boolean') return { sign: '?', title: 'Yes or no' };
  return type === 'date' ? { sign: '◷', title: 'Time' } : { sign: '#', title: 'Number' };
}
