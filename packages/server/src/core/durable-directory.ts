import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';

/** Makes creations, renames and removals in the directory survive a power loss. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Creates it and its parents, durably. */
export async function createDirectory(directory: string, mode?: number): Promise<void> {
  const first = await mkdir(directory, { recursive: true, ...(mode !== undefined && { mode }) });
  if (first === undefined) return;
  // When a power loss removes a directory, every file in it is lost.
  const top = path.dirname(first);
  for (let parent = path.dirname(path.resolve(directory)); ; parent = path.dirname(parent)) {
    await syncDirectory(parent);
    if (parent === top || parent === path.dirname(parent)) return;
  }
}
