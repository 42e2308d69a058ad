/** The bytes that fuzzing begins with: a folder for each target, a file for each input, in `tests/fuzz/corpus`. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const CORPUS = path.resolve(import.meta.dirname, '../fuzz/corpus');

export function corpusOf(target: string): { readonly name: string; readonly bytes: Buffer }[] {
  const folder = path.join(CORPUS, target);
  return fs
    .readdirSync(folder)
    .sort()
    .map((name) => ({ name, bytes: fs.readFileSync(path.join(folder, name)) }));
}

/** Keeps bytes that have found a fault, so that the suite replays them. Returns the name of the file. */
export function keepCrasher(target: string, bytes: Buffer): string {
  const name = `crash-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`;
  const file = path.join(CORPUS, target, name);
  fs.writeFileSync(file, bytes);
  return file;
}
