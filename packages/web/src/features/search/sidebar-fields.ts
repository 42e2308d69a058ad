const PINNED = ['level', 'source', 'streams'];

/** Pinned ones first, then those of the loaded messages, then all others; only those that contain what was typed. */
export function sidebarFields(known: readonly string[], loaded: readonly string[], find: string): string[] {
  const ordered = new Set([...PINNED, ...[...new Set(loaded)].sort(), ...known]);
  // Their values are different in every message.
  for (const name of ['message', 'full_message', 'timestamp', '_id', 'gl2_receive_timestamp'])
    ordered.delete(name);
  const wanted = find.trim().toLowerCase();
  return [...ordered].filter((name) => name.toLowerCase().includes(wanted));
}
