/** What the built web interface makes a browser load. */
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const DIST = path.resolve(import.meta.dirname, '../../packages/web/dist');
const ENTRY = 'index.html';

interface Chunk {
  readonly file: string;
  /** Keys of the manifest: what is loaded together with it. Lazy parts are not among them. */
  readonly imports?: readonly string[];
}

export interface PageScripts {
  readonly files: readonly string[];
  /** Bytes. */
  readonly gzipped: number;
}

/** The scripts of the entry and of one page, with all that they import at once. `page` is its path in packages/web. */
export function pageScripts(page: string): PageScripts {
  const file = path.join(DIST, '.vite', 'manifest.json');
  const manifest = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, Chunk>;
  const files = new Set<string>();
  const add = (key: string) => {
    const chunk = manifest[key];
    if (chunk === undefined) throw new Error(`the build has no ${key}: is its path still the same?`);
    if (files.has(chunk.file)) return;
    files.add(chunk.file);
    for (const imported of chunk.imports ?? []) add(imported);
  };
  add(ENTRY);
  add(page);
  const sizes = [...files].map((script) => gzipSync(fs.readFileSync(path.join(DIST, script))).length);
  return { files: [...files], gzipped: sizes.reduce((sum, size) => sum + size, 0) };
}
