import fs, { constants } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '#core/index.ts';

/** The files that adapters read: those below one directory, and nothing else. */
export interface LookupFiles {
  /**
   * Undefined: the file is the one that was read before. Rejects with a text for people when it is elsewhere, missing
   * or too large.
   * @param file relative to the directory, or an absolute path in it
   */
  read(file: string, options: ReadOptions): Promise<ReadFile | undefined>;
}

export interface ReadOptions {
  readonly maxBytes: number;
  /** The `stamp` of what was read before. */
  readonly unless?: string | undefined;
}

export interface ReadFile {
  readonly content: Buffer<SharedArrayBuffer>;
  readonly stamp: string;
}

export function createLookupFiles(directory: string): LookupFiles {
  return {
    async read(file, { maxBytes, unless }) {
      const wanted = path.resolve(directory, file);
      try {
        // Links count as what they lead to.
        const [root, real] = await Promise.all([fs.realpath(directory), fs.realpath(wanted)]);
        if (!real.startsWith(root + path.sep))
          throw new Error(`${wanted} is not below ${directory} (lookup_files_dir): put the file there`);
        return await readWhole(real, maxBytes, unless);
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error;
        throw new Error(`there is no file ${wanted}: files of lookup tables are below lookup_files_dir`);
      }
    },
  };
}

async function readWhole(
  file: string,
  maxBytes: number,
  unless: string | undefined,
): Promise<ReadFile | undefined> {
  // Without O_NONBLOCK, opening a named pipe waits for somebody who writes to it.
  const handle = await fs.open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { size, mtimeMs, ino, isFile } = await handle.stat().then((stat) => ({
      ...stat,
      isFile: stat.isFile(),
    }));
    if (!isFile) throw new Error(`${file} is not a file`);
    if (size > maxBytes)
      throw new Error(`${file} has ${size} bytes; files of this type have at most ${maxBytes}`);
    const stamp = `${ino}/${size}/${mtimeMs}`;
    if (stamp === unless) return undefined;
    const content = Buffer.from(new SharedArrayBuffer(size));
    let filled = 0;
    while (filled < size) {
      const { bytesRead } = await handle.read(content, filled, size - filled, filled);
      if (bytesRead === 0) throw new Error(`${file} became shorter while it was read`);
      filled += bytesRead;
    }
    return { content, stamp };
  } finally {
    await handle.close();
  }
}
