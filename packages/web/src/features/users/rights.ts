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

/**
 * Who may edit a stream may read it: two strings, one right. Somebody who may only edit keeps that as it is written,
 * so that saving gives nobody more than they had.
 */
export function rightsOf(permissions: readonly string[]): Rights {
  const given = new Set(permissions);
  const levels = new Map<string, StreamLevel>();
  const others: string[] = [];
  for (const permission of given) {
    const [, , id] = STREAM_RIGHT.exec(permission) ?? [];
    if (id === undefined || !given.has(`streams:read:${id}`)) others.push(permission);
    else levels.set(id, given.has(`streams:edit:${id}`) ? 'edit' : 'read');
  }
  return { streams: [...levels].map(([streamId, level]) => ({ streamId, level })), others };
}

export function permissionsOf({ streams, others }: Rights): string[] {
  return [...new Set([...others, ...streams.flatMap(permissionsOfStream)])];
}

export function permissionsOfStream({ streamId, level }: StreamRight): string[] {
  const read = `streams:read:${streamId}`;
  return level === 'edit' ? [read, `streams:edit:${streamId}`] : [read];
}
