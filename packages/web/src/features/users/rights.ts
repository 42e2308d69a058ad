/** Rights to streams in words, and the permission strings they are. */

export type StreamLevel = 'read' | 'edit';

export interface StreamRight {
  readonly streamId: string;
  readonly level: StreamLevel;
}

export interface Rights {
  readonly streams: readonly StreamRight[];
  /** Everything that is not about one stream, as it is written. */
  readonly others: readonly string[];
}

const STREAM_RIGHT = /^streams:(read|edit):([0-9a-f]{24})$/;

/** Who may edit a stream may read it: two strings, one right. */
export function rightsOf(permissions: readonly string[]): Rights {
  const levels = new Map<string, Set<StreamLevel>>();
  const others: string[] = [];
  for (const permission of permissions) {
    const [, level, id] = STREAM_RIGHT.exec(permission) ?? [];
    if (id === undefined) others.push(permission);
    else levels.set(id, (levels.get(id) ?? new Set()).add(level as StreamLevel));
  }
  const streams = [...levels].map(([streamId, found]) => ({
    streamId,
    level: found.has('edit') ? ('edit' as const) : ('read' as const),
  }));
  return { streams, others };
}

export function permissionsOf({ streams, others }: Rights): string[] {
  return [...others, ...streams.flatMap(permissionsOfStream)];
}

export function permissionsOfStream({ streamId, level }: StreamRight): string[] {
  const read = `streams:read:${streamId}`;
  return level === 'edit' ? [read, `streams:edit:${streamId}`] : [read];
}
