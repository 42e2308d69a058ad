import type { LoadingAdapter } from './adapter-type.ts';
import type { LookupFiles, ReadFile } from './files.ts';
import type { LoadedSource } from './source.ts';

export interface FileAdapterSettings {
  readonly path: string;
  readonly maxBytes: number;
  readonly refreshMs: number;
}

/**
 * An adapter whose data is one file. `parse` sees each content once: what it refuses is refused again, without another
 * look, until the file changes.
 */
export function createFileAdapter(
  files: LookupFiles,
  { path, maxBytes, refreshMs }: FileAdapterSettings,
  parse: (content: ReadFile['content']) => Promise<LoadedSource>,
): LoadingAdapter {
  let seen: { readonly stamp: string; readonly refused?: unknown } | undefined;
  return {
    kind: 'loading',
    refreshMs,
    async load() {
      const file = await files.read(path, { maxBytes, unless: seen?.stamp });
      if (file === undefined) {
        if (seen?.refused !== undefined) throw seen.refused;
        return undefined;
      }
      const { stamp } = file;
      try {
        const source = await parse(file.content);
        seen = { stamp };
        return source;
      } catch (error) {
        seen = { stamp, refused: error };
        throw error;
      }
    },
  };
}
